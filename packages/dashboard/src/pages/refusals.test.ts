import { expect, test } from "bun:test";

import { ApiFailure } from "../api/failure.ts";
import { needsGeneralMessage, refusalAt } from "./refusals.ts";

const refused = (field: string, message: string) =>
  new ApiFailure(400, { code: "invalid_parameter", message, details: [{ field, code: "invalid", message }] });

test.each([
  ["regions", "must be a list", "regions", "It must be a list."],
  ["regions.2", "is twice in it", "regions", "It is twice in it."],
  [
    "credentials.role_arn",
    "must be the ARN of an IAM role",
    "credentials.role_arn",
    "It must be the ARN of an IAM role.",
  ],
  ["name", "must be a string", "regions", undefined],
  ["names", "must be a string", "name", undefined],
])("for %s that %s, the field %s shows %p", (refusedField, message, field, text) =>
  expect(refusalAt(refused(refusedField, message), field)).toBe(text),
);

test("a failure that isn't a rejection is shown at no field", () => {
  expect(refusalAt(new ApiFailure(503, {}), "name")).toBeUndefined();
});

test("a failure gets a general message unless all its fields are visible", () => {
  expect(needsGeneralMessage(refused("name", "is long"), ["name"])).toBe(false);
  expect(needsGeneralMessage(refused("regions.0", "is long"), ["name", "regions"])).toBe(false);
  expect(needsGeneralMessage(refused("external_id", "is long"), ["name"])).toBe(true);
  expect(needsGeneralMessage(new ApiFailure(409, { code: "conflict" }), ["name"])).toBe(true);
});
