import { expect, test } from "bun:test";

import { ApiFailure } from "../../api/failure.ts";
import { hasFailedTrial, isToldWhole, keyRefusal } from "./key-refusals.ts";
import { bodyOf, wishOf } from "./key-wish.ts";

const rejected = new ApiFailure(422, { code: "credential_rejected", message: "the provider rejects it" });
const away = new ApiFailure(503, { code: "provider_unavailable", message: "the provider can't be reached" });
const field = (field: string, code: string, message = "is wrong") =>
  new ApiFailure(400, { code: "invalid_parameter", message, details: [{ field, code, message }] });

test("a key that the provider turns away is told at the key, and may be kept all the same", () => {
  expect(keyRefusal(rejected, "api_key")).toMatch(/^The provider turns this key away/);
  expect(keyRefusal(rejected, "model")).toBeUndefined();
  expect([hasFailedTrial(rejected), isToldWhole(rejected)]).toEqual([true, false]);
});

test("a key without credit isn't taken for a wrong one", () => {
  const details = [{ field: "api_key", code: "unpaid", message: "has no credit left with the provider" }];
  const unpaid = new ApiFailure(422, { code: "credential_rejected", message: "no credit", details });
  expect(keyRefusal(unpaid, "api_key")).toMatch(/its account has no credit left/);
  expect(keyRefusal(unpaid, "model")).toBeUndefined();
  expect([hasFailedTrial(unpaid), isToldWhole(unpaid)]).toEqual([true, false]);
});

test("a provider that is away is told as a whole", () => {
  expect([hasFailedTrial(away), isToldWhole(away)]).toEqual([true, true]);
});

test.each([
  ["base_url", "not_public", /must be public https/],
  ["base_url", "unreachable", /no such host/],
  ["model", "unknown", /doesn’t know this model/],
  ["options.region", "required", /^It is wrong\.$/],
] as const)("%s refused as %s is told at its field, and can't be kept", (name, code, words) => {
  const error = field(name, code);
  expect(keyRefusal(error, name)).toMatch(words);
  expect([hasFailedTrial(error), isToldWhole(error)]).toEqual([false, false]);
});

test("only what is filled in is sent, and no option of a provider that was chosen before", () => {
  const wish = { ...wishOf(undefined), key: " sk-1 ", model: " ", options: { region: "eu-central-1" } };
  expect(bodyOf(wish)).toEqual({ provider: "anthropic", api_key: "sk-1" });
  expect(bodyOf({ ...wish, provider: "bedrock" })).toMatchObject({ options: { region: "eu-central-1" } });
});
