import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import {
  change,
  NUMBER,
  opensPort,
  resource,
  startWorld,
  submission,
  type Tenant,
  type World,
} from "./kit.ts";

setDefaultTimeout(30_000); // the whole product, on a machine that may be busy

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.gitlab.notes.length = 0;
  world.github.comments.length = 0;
  tenant = await world.newTenant();
});

/** The comment of the merge request's project. */
const comment = (): string =>
  world.gitlab.texts(NUMBER).find((text) => text.includes("leeway:plan:prod")) ?? "";

const DATABASE = { identifier: "orders", tags: null, publicly_accessible: false };

test("drift that is dangerous is told as such, also beside what is noise", async () => {
  const after = { ...DATABASE, tags: {}, publicly_accessible: true };
  const drifted: JsonObject = resource(
    "aws_db_instance.orders",
    change(["update"], { before: DATABASE, after }),
  );
  await tenant.analyzed(submission({ ...opensPort(), resource_drift: [drifted] }));
  expect(comment()).toContain(
    "| **medium** | `aws_db_instance.orders` | changed | `tags`, `publicly_accessible` |",
  );
  expect(comment()).toContain("#### What is drift");
});
