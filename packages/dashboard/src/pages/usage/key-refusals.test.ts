import { expect, test } from "bun:test";

import { ApiFailure } from "../../api/failure.ts";
import { hasFailedTrial, needsGeneralMessage, keyRefusal } from "./key-refusals.ts";
import { bodyOf, keyFormOf } from "./key-form.ts";

const rejected = new ApiFailure(422, { code: "credential_rejected", message: "the provider rejects it" });
const away = new ApiFailure(503, { code: "provider_unavailable", message: "can't reach the provider" });
const field = (field: string, code: string, message = "is wrong") =>
  new ApiFailure(400, { code: "invalid_parameter", message, details: [{ field, code, message }] });

test("a rejected key is reported at its field and can still be saved", () => {
  expect(keyRefusal(rejected, "api_key")).toMatch(/^The provider rejects this key/);
  expect(keyRefusal(rejected, "model")).toBeUndefined();
  expect([hasFailedTrial(rejected), needsGeneralMessage(rejected)]).toEqual([true, false]);
});

test("a key without credit isn't reported as wrong", () => {
  const details = [
    { field: "api_key", code: "unpaid", message: "belongs to a provider account without credit" },
  ];
  const unpaid = new ApiFailure(422, { code: "credential_rejected", message: "no credit", details });
  expect(keyRefusal(unpaid, "api_key")).toMatch(/its account has no credit left/);
  expect(keyRefusal(unpaid, "model")).toBeUndefined();
  expect([hasFailedTrial(unpaid), needsGeneralMessage(unpaid)]).toEqual([true, false]);
});

test("an unreachable provider gets a general message", () => {
  expect([hasFailedTrial(away), needsGeneralMessage(away)]).toEqual([true, true]);
});

test.each([
  ["base_url", "not_public", /must be public HTTPS/],
  ["base_url", "unreachable", /host doesn’t exist/],
  ["model", "unknown", /doesn’t know this model/],
  ["options.region", "required", /^It is wrong\.$/],
] as const)("%s rejected as %s is reported at its field and can't be saved", (name, code, words) => {
  const error = field(name, code);
  expect(keyRefusal(error, name)).toMatch(words);
  expect([hasFailedTrial(error), needsGeneralMessage(error)]).toEqual([false, false]);
});

test("sends only filled fields, without options of a previous provider", () => {
  const form = { ...keyFormOf(undefined), key: " sk-1 ", model: " ", options: { region: "eu-central-1" } };
  expect(bodyOf(form)).toEqual({ provider: "anthropic", api_key: "sk-1" });
  expect(bodyOf({ ...form, provider: "bedrock" })).toMatchObject({ options: { region: "eu-central-1" } });
});
