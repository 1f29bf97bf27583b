import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import {
  change,
  command,
  GITHUB_REPOSITORY,
  mayPush,
  NUMBER,
  plan,
  plannerBody,
  REPOSITORY,
  resource,
  startWorld,
  submission,
  type Tenant,
  type World,
} from "./kit.ts";

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
});

const TAGGED = change(["update"], { before: { name: "a", tags: null }, after: { name: "a", tags: {} } });
const NOISY = plan(resource("aws_sqs_queue.a", TAGGED));
const CLEAN = plan();
const OF_NO_CHANGE = { change_request: { number: 0 } };

/** Analyzes a plan of one project of the repository. */
const analyzed = (given: JsonObject, project: string, more: JsonObject = {}) =>
  tenant.analyzed({ plan: given, narrative: false, repository: "a/b", project: { name: project }, ...more });

async function status(): Promise<string> {
  const path = `/api/v2/orgs/${tenant.orgId}/plan-noise`;
  const { body } = await world.stack.ask("GET", path, { as: tenant.key });
  expect(body.data).toHaveLength(1);
  const [{ status: own }] = body.data;
  const same = await world.stack.ask("GET", `${path}?status=${own}`, { as: tenant.key });
  expect(same.body.data).toEqual(body.data);
  return own;
}

test("noise is fixed once all its projects' plans lack it, until it appears again", async () => {
  for (const project of ["network", "data"]) await analyzed(NOISY, project);
  await analyzed(CLEAN, "network");
  await analyzed(CLEAN, "elsewhere");
  expect(await status()).toBe("active");
  await analyzed(CLEAN, "data");
  expect(await status()).toBe("fixed");
  await analyzed(NOISY, "network");
  expect(await status()).toBe("active");
});

test.each<[string, () => Promise<unknown>]>([
  ["that failed", () => analyzed({ ...CLEAN, errored: true }, "network")],
  ["of a merge request", () => analyzed(CLEAN, "network", { change_request: { number: 7 } })],
])("noise isn't fixed by a plan %s", async (_, come) => {
  await analyzed(NOISY, "network");
  await come();
  expect(await status()).toBe("active");
});

test("noise isn't fixed by a plan without a project, even if one reported it", async () => {
  for (const given of [NOISY, CLEAN]) await tenant.analyzed({ plan: given, narrative: false });
  expect(await status()).toBe("active");
});

test("noise isn't fixed by analysing an earlier plan again", async () => {
  mayPush(world, true);
  await tenant.analyzed(submission(CLEAN));
  await analyzed(NOISY, "prod", { repository: REPOSITORY });
  await tenant.fromPlanner({
    Repo: { FullName: REPOSITORY },
    ProjectName: "prod",
    Success: true,
    Pull: { Num: NUMBER },
  });
  await tenant.settled();
  await command(world, tenant, "/leeway analyze");
  expect(await status()).toBe("active");
});

test("a merge request fixes noise once it is applied and a later plan lacks it", async () => {
  await tenant.fromPlanner(plannerBody(NOISY));
  await tenant.settled();
  await tenant.fromPlanner(plannerBody(CLEAN));
  await tenant.settled();
  expect(await status()).toBe("active");
  await tenant.fromPlanner({
    Repo: { FullName: GITHUB_REPOSITORY },
    Pull: { Num: NUMBER },
    ProjectName: "prod",
    Success: true,
  });
  await tenant.settled();
  expect(await status()).toBe("active");
  await tenant.fromPlanner(plannerBody(CLEAN));
  await tenant.settled();
  expect(await status()).toBe("fixed");
});

test("a scheduled plan fixes noise at once", async () => {
  await tenant.fromPlanner(plannerBody(NOISY, OF_NO_CHANGE));
  await tenant.settled();
  expect(await status()).toBe("active");
  await tenant.fromPlanner(plannerBody(CLEAN, OF_NO_CHANGE));
  await tenant.settled();
  expect(await status()).toBe("fixed");
});

test("muted noise stays muted after any plan", async () => {
  const { result } = await analyzed(NOISY, "network");
  const path = `/api/v2/orgs/${tenant.orgId}/plan-noise/${result.noise[0]?.fingerprint}`;
  await world.stack.ask("PATCH", path, { as: tenant.key, body: { status: "muted" } });
  await analyzed(CLEAN, "network");
  expect(await status()).toBe("muted");
});
