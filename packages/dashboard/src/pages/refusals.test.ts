import { expect, test } from "bun:test";

import { ApiFailure } from "../api/failure.ts";
import { isToldWhole, refusalAt } from "./refusals.ts";

const refused = (field: string, message: string) =>
  new ApiFailure(400, { code: "invalid_parameter", message, details: [{ field, code: "invalid", message }] });

test.each([
  ["regions", "must be a list", "regions", "It must be a list."],
  ["regions.2", "is twice in it", "regions", "It is twice in it."],
  [
    "credentials.role_arn",
    "must be the ARN of a role",
    "credentials.role_arn",
    "It must be the ARN of a role.",
  ],
  ["name", "must be a text", "regions", undefined],
  ["names", "must be a text", "name", undefined],
])("of %s that %s, %s says: %p", (refusedField, message, field, text) =>
  expect(refusalAt(refused(refusedField, message), field)).toBe(text),
);

test("what is no refusal is told at no field", () => {
  expect(refusalAt(new ApiFailure(503, {}), "name")).toBeUndefined();
});

test("a failure is told as a whole unless each of its fields is shown", () => {
  expect(isToldWhole(refused("name", "is long"), ["name"])).toBe(false);
  expect(isToldWhole(refused("regions.0", "is long"), ["name", "regions"])).toBe(false);
  expect(isToldWhole(refused("external_id", "is long"), ["name"])).toBe(true);
  expect(isToldWhole(new ApiFailure(409, { code: "conflict" }), ["name"])).toBe(true);
});
