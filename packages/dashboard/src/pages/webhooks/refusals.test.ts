import { expect, test } from "bun:test";

import { ApiFailure } from "../../api/failure.ts";
import { isAboutFields, refusalOf } from "./refusals.ts";

const WISH = { address: "https://git.example.com/", repository: "platform/network" };

function refused(field: string, code: string, message = "the API's own text"): ApiFailure {
  return new ApiFailure(400, { code: "invalid_parameter", message, details: [{ field, code, message }] });
}

test.each([
  ["expired", /has expired/],
  ["no_expiry", /never ends/],
  ["missing_scope", /scope “api”/],
  ["revoked", /was revoked/],
  ["rejected", /git\.example\.com doesn’t know this token/],
  ["repository_not_visible", /comment in platform\/network/],
])("a token refused as %s says what to do about it", (code, words) => {
  expect(refusalOf(refused("api_token", code), "api_token", WISH)).toMatch(words);
});

test("an instance that doesn't answer is told at its address, not at the token", () => {
  const error = refused("api_token", "unreachable");
  expect(refusalOf(error, "api_token", WISH)).toBeUndefined();
  expect(refusalOf(error, "provider_base_url", WISH)).toMatch(/git\.example\.com doesn’t answer/);
});

test("a refusal without words of its own is told as the API told it", () => {
  expect(refusalOf(refused("name", "new", "must be short"), "name", WISH)).toBe("Must be short.");
});

test("what isn't about a field is left to be told as a whole", () => {
  const conflict = new ApiFailure(409, { message: "the source has 50 configs already" });
  expect(isAboutFields(conflict)).toBe(false);
  expect(refusalOf(conflict, "name", WISH)).toBeUndefined();
});
