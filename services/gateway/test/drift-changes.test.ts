import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { DecideDrift, DiffSnapshots } from "@leeway/shared/contracts/inventory/drift";
import { AppError } from "@leeway/shared/values/errors";

import { DRIFT_CHANGE, DRIFT_FINGERPRINT } from "../src/examples/drift.ts";
import { ID } from "../src/examples/common.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let org: { id: string; owner: string };
const keys: Record<string, string> = {};

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
  for (const role of ["admin", "member", "viewer"]) {
    keys[role] = (await gateway.newKey(org.id, org.owner, role)).key;
  }
  keys["owner"] = org.owner;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const path = () => `/api/v2/orgs/${org.id}/drift-changes/${DRIFT_FINGERPRINT}`;
const decide = (role: string, body: unknown) => gateway.ask("PATCH", path(), { as: keys[role] ?? "", body });

test.each([
  ["viewer", "acknowledged", 403],
  ["member", "acknowledged", 200],
  ["member", "ignored", 403],
  ["member", "open", 403],
  ["admin", "ignored", 200],
  ["admin", "open", 200],
  ["owner", "ignored", 200],
])("a %s who sends %s for a change gets %d", async (role, status, expected) => {
  const answered = await decide(role, { status });
  expect(answered.status).toBe(expected);
  const asked = gateway.others.asked.filter(({ subject }) => subject === DecideDrift.subject);
  expect(asked.length).toBe(expected === 200 ? 1 : 0);
});

test("a member's decision doesn't change ignored drift, an admin's does", async () => {
  for (const role of ["member", "admin"]) await decide(role, { status: "acknowledged" });
  const inputs = gateway.others.asked.map(({ input }) => input);
  expect(inputs).toMatchObject([{ keeps_ignored: true }, { status: "acknowledged" }]);
  expect(inputs[1]).not.toHaveProperty("keeps_ignored");
});

test("the inventory receives the author of a decision", async () => {
  const disposition = { status: "ignored", until: "2999-01-01T00:00:00Z", reason: "planned" } as const;
  gateway.others.on(DecideDrift, () => ({ ...DRIFT_CHANGE, disposition }));
  await decide("admin", disposition);
  expect(gateway.others.asked.at(-1)?.input).toMatchObject({
    org_id: org.id,
    fingerprint: DRIFT_FINGERPRINT,
    status: "ignored",
    until: "2999-01-01T00:00:00Z",
    reason: "planned",
    decided_by: { type: "api_key" },
  });
});

test.each([
  [{ reason: "why not" }, "status"],
  [{ status: "resolved" }, "status"],
  [{ status: "ignored", until: "tomorrow" }, "until"],
])("%p isn't a decision", async (body, field) => {
  const answered = await decide("admin", body);
  expect(answered).toMatchObject({ status: 400, body: { details: [{ field }] } });
});

test("a malformed fingerprint gets 400, an unknown change 404", async () => {
  const wrong = path().replace(DRIFT_FINGERPRINT, "dc1_short");
  const body = { status: "acknowledged" };
  expect((await gateway.ask("PATCH", wrong, { as: org.owner, body })).status).toBe(400);
  gateway.others.on(DecideDrift, () => {
    throw new AppError("not_found", "no account currently has this change");
  });
  expect((await decide("admin", body)).status).toBe(404);
});

test.each(["days=0", "days=401", "days=x", "account_id=1"])("a trend with %s is refused", async (query) => {
  const trend = `/api/v2/orgs/${org.id}/posture/trend?${query}`;
  expect((await gateway.ask("GET", trend, { as: org.owner })).status).toBe(400);
});

test("snapshots that can't be compared give 409", async () => {
  gateway.others.on(DiffSnapshots, () => {
    throw new AppError("conflict", "the account has no earlier snapshot");
  });
  const diff = `/api/v2/orgs/${org.id}/drift-snapshots/${ID.snapshot}/diff`;
  expect((await gateway.ask("GET", diff, { as: org.owner })).status).toBe(409);
});
