import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { GetLlmConfig, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { AppError, unavailable } from "@leeway/shared/errors";

import { LLM_CONFIG } from "../src/openapi/quota-examples.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let org: { id: string; owner: string };
let path: string;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.others.reset();
  org = await gateway.newOwnedOrg();
  path = `/api/v2/orgs/${org.id}/llm-config`;
});

const WISH = { provider: "anthropic", api_key: "sk-canary-of-a-key" };
const put = (body: unknown = WISH, query = "") => gateway.ask("PUT", path + query, { as: org.owner, body });

function absent(): never {
  throw new AppError("llm_config_not_found", "the organization has no model key of its own");
}

interface Entry {
  action: string;
  details: object;
  outcome: string;
}

/** What the audit log says of keys, oldest first. */
async function audited(): Promise<Entry[]> {
  const { body, text } = await gateway.ask("GET", `/api/v2/orgs/${org.id}/audit-log`, { as: org.owner });
  expect(text).not.toContain("canary");
  const entries: Entry[] = body.data;
  return entries
    .filter(({ action }) => action.startsWith("llm_config."))
    .map(({ action, details, outcome }) => ({ action, details, outcome }))
    .toReversed();
}

test("setting, changing and deleting a key is in the audit log, with the provider and nothing else", async () => {
  gateway.others.on(GetLlmConfig, absent);
  gateway.others.on(PutLlmConfig, () => ({ ...LLM_CONFIG, created: true }));
  expect(await put()).toMatchObject({ status: 200, body: LLM_CONFIG });
  gateway.others.reset();
  expect((await put()).status).toBe(200);
  expect((await gateway.ask("DELETE", path, { as: org.owner })).status).toBe(204);
  const details = { provider: "anthropic" };
  expect(await audited()).toEqual([
    { action: "llm_config.create", details, outcome: "done" },
    { action: "llm_config.update", details, outcome: "done" },
    { action: "llm_config.delete", details, outcome: "done" },
  ]);
});

test.each([
  ["credential_rejected", 422, undefined],
  ["provider_unavailable", 503, 30],
] as const)("a trial that ends in %s is %d", async (code, status, retryAfterSeconds) => {
  gateway.others.on(GetLlmConfig, absent);
  gateway.others.on(PutLlmConfig, () => {
    throw new AppError(code, "no", retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  });
  const { status: answered, body, headers } = await put();
  expect(answered).toBe(status);
  expect(body).toMatchObject({ code, error: code });
  expect(headers.get("retry-after")).toBe(retryAfterSeconds === undefined ? null : String(retryAfterSeconds));
  expect(await audited()).toEqual([
    { action: "llm_config.create", details: { provider: "anthropic", code }, outcome: "refused" },
  ]);
});

test("of a change that may have been made the audit log names the provider, too", async () => {
  gateway.others.on(PutLlmConfig, () => {
    throw unavailable("the quota service went away");
  });
  expect((await put()).status).toBe(503);
  expect(await audited()).toEqual([
    { action: "llm_config.update", details: { provider: "anthropic" }, outcome: "unknown" },
  ]);
});

test("of several first keys that are set at once the audit log has one as made, the others as changed", async () => {
  gateway.others.on(GetLlmConfig, absent);
  const { promise: all, resolve } = Promise.withResolvers<void>();
  let count = 0;
  gateway.others.on(PutLlmConfig, async () => {
    const created = count === 0;
    count += 1;
    if (count === 4) resolve();
    await all;
    return { ...LLM_CONFIG, created };
  });
  const answers = await Promise.all(Array.from({ length: 4 }, () => put()));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const actions = (await audited()).map(({ action }) => action);
  expect(actions.toSorted()).toEqual(
    ["create", "update", "update", "update"].map((verb) => `llm_config.${verb}`),
  );
});

test("an organization without a key has none to show", async () => {
  gateway.others.on(GetLlmConfig, absent);
  const { status, body } = await gateway.ask("GET", path, { as: org.owner });
  expect(status).toBe(404);
  expect(body).toMatchObject({ code: "llm_config_not_found", error: "llm_config_not_found" });
});

test.each([
  [{ ...WISH, llm_config: 1 }, "llm_config"],
  [{ ...WISH, options: { colour: "red" } }, "colour"],
  [{ ...WISH, validate: false }, "validate"],
])("an unknown member of the body is named", async (body, name) => {
  const answered = await put(body);
  expect(answered.status).toBe(400);
  expect(answered.body).toEqual({ error: `invalid request body: json: unknown field "${name}"` });
  expect(gateway.others.asked).toEqual([]);
});

test("whether a key is tried is true or false", async () => {
  const { status, body } = await put(WISH, "?validate=maybe");
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "invalid_parameter", details: [{ field: "validate" }] });
  await put();
  expect(gateway.others.asked.at(-1)?.input).toMatchObject({ validate: true });
});
