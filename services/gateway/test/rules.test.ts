import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { DRIFT_FINGERPRINT } from "../src/examples/drift.ts";
import { NEW_RULE, RULE_DRAFT } from "../src/examples/rules.ts";
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
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const ask = (role: string, method: string, below: string, body?: unknown) =>
  gateway.ask(method, `/api/v2/orgs/${org.id}/${below}`, { as: keys[role] ?? "", body });

const ID = "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7f01";

test.each([
  ["viewer", 200, "GET", ["rules", undefined]],
  ["viewer", 200, "POST", ["rules/preview", RULE_DRAFT]],
  ["member", 403, "POST", ["rules", NEW_RULE]],
  ["admin", 201, "POST", ["rules", NEW_RULE]],
  ["member", 403, "PATCH", [`rules/${ID}`, { enabled: false }]],
  ["admin", 200, "PATCH", [`rules/${ID}`, { enabled: false }]],
  ["member", 403, "DELETE", [`rules/${ID}`, undefined]],
  ["admin", 204, "DELETE", [`rules/${ID}`, undefined]],
  ["viewer", 200, "GET", ["drift-changes/decisions", undefined]],
  ["viewer", 403, "POST", ["drift-changes/decisions", { filter: {}, status: "acknowledged" }]],
  ["member", 201, "POST", ["drift-changes/decisions", { filter: {}, status: "acknowledged" }]],
  ["member", 403, "POST", ["drift-changes/decisions", { filter: {}, status: "ignored" }]],
  ["admin", 201, "POST", ["drift-changes/decisions", { filter: {}, status: "ignored" }]],
  ["member", 403, "POST", [`drift-changes/decisions/${ID}/undo`, undefined]],
  ["admin", 200, "POST", [`drift-changes/decisions/${ID}/undo`, undefined]],
] as const)("a %s gets %d for %s %j", async (role, expected, method, [below, body]) => {
  const answered = await ask(role, method, below, body);
  expect(answered.status).toBe(expected);
  expect(gateway.others.asked).toHaveLength(expected === 403 ? 0 : 1);
});

test.each([
  ["an unknown member", { ...NEW_RULE, whn: "true" }, /json: unknown field "whn"/],
  ["a wrong effect", { ...NEW_RULE, then: { hide: true } }, /unknown field "hide"|then/],
  ["an empty list of kinds", { ...NEW_RULE, on: [] }, /^on /],
  ["a level that raises nothing", { ...NEW_RULE, then: { raise_to: "none" } }, /then/],
  ["a decision with a wrong fingerprint", undefined, /fingerprints/],
])("%s is refused before it reaches the inventory", async (_, body, message) => {
  const decision = { fingerprints: [DRIFT_FINGERPRINT.slice(1)], status: "acknowledged" };
  const answered = body
    ? await ask("admin", "POST", "rules", body)
    : await ask("admin", "POST", "drift-changes/decisions", decision);
  expect(answered.status).toBe(400);
  expect(answered.body.message ?? answered.body.error).toMatch(message);
  expect(gateway.others.asked).toEqual([]);
});
