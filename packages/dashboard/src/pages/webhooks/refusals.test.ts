import { expect, test } from "bun:test";

import { ApiFailure } from "../../api/failure.ts";
import { isAboutFields, refusalOf } from "./refusals.ts";

const PLACE = { address: "https://git.example.com/", repository: "platform/network" };

function refused(field: string, code: string, message = "the API's own text"): ApiFailure {
  return new ApiFailure(400, { code: "invalid_parameter", message, details: [{ field, code, message }] });
}

test.each([
  ["expired", /has expired/],
  ["no_expiry", /never expires/],
  ["missing_scope", /“api” scope/],
  ["revoked", /was revoked/],
  ["rejected", /git\.example\.com doesn’t know this token/],
  ["repository_not_visible", /comment in platform\/network/],
])("explains what to do about a token rejected as %s", (code, words) => {
  expect(refusalOf(refused("api_token", code), "api_token", PLACE)).toMatch(words);
});

test("an unreachable instance is reported at its URL, not at the token", () => {
  const error = refused("api_token", "unreachable");
  expect(refusalOf(error, "api_token", PLACE)).toBeUndefined();
  expect(refusalOf(error, "provider_base_url", PLACE)).toMatch(/git\.example\.com doesn’t answer/);
});

test("a rejection without its own text shows the API's message", () => {
  expect(refusalOf(refused("name", "new", "must be short"), "name", PLACE)).toBe("Must be short.");
});

test("a failure without fields gets a general message", () => {
  const conflict = new ApiFailure(409, {
    message: "the organization already has 50 configs of this source; delete one first",
  });
  expect(isAboutFields(conflict)).toBe(false);
  expect(refusalOf(conflict, "name", PLACE)).toBeUndefined();
});
