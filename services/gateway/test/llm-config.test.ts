import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { GetLlmConfig, PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { AppError } from "@leeway/shared/values/errors";

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

const INPUT = { provider: "anthropic", api_key: "sk-canary-of-a-key" };
const put = (body: unknown = INPUT, query = "") => gateway.ask("PUT", path + query, { as: org.owner, body });

function absent(): never {
  throw new AppError(
    "llm_config_not_found",
    "the organization has no model key; set one with PUT llm-config",
  );
}

test.each([
  ["credential_rejected", 422, undefined],
  ["provider_unavailable", 503, 30],
] as const)("a trial call that ends in %s returns %d", async (code, status, retryAfterSeconds) => {
  gateway.others.on(GetLlmConfig, absent);
  gateway.others.on(PutLlmConfig, () => {
    throw new AppError(code, "no", retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  });
  const { status: answered, body, headers } = await put();
  expect(answered).toBe(status);
  expect(body).toMatchObject({ code, error: code });
  expect(headers.get("retry-after")).toBe(retryAfterSeconds === undefined ? null : String(retryAfterSeconds));
});

test("an organization without a key gets 404", async () => {
  gateway.others.on(GetLlmConfig, absent);
  const { status, body } = await gateway.ask("GET", path, { as: org.owner });
  expect(status).toBe(404);
  expect(body).toMatchObject({ code: "llm_config_not_found", error: "llm_config_not_found" });
});

test.each([
  [{ ...INPUT, llm_config: 1 }, "llm_config"],
  [{ ...INPUT, options: { colour: "red" } }, "colour"],
  [{ ...INPUT, validate: false }, "validate"],
])("an unknown field of the body is named", async (body, name) => {
  const answered = await put(body);
  expect(answered.status).toBe(400);
  expect(answered.body).toEqual({ error: `invalid request body: json: unknown field "${name}"` });
  expect(gateway.others.asked).toEqual([]);
});

test("validate must be a boolean, and is true by default", async () => {
  const { status, body } = await put(INPUT, "?validate=maybe");
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "invalid_parameter", details: [{ field: "validate" }] });
  await put();
  expect(gateway.others.asked.at(-1)?.input).toMatchObject({ validate: true });
});
