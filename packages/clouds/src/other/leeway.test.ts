import { describe, expect, test } from "bun:test";

import type { Json } from "@leeway/shared/values/json";
import fc from "fast-check";

import { leewayFormat } from "./leeway.ts";

const ROW = { provider_resource_id: "octo/site", provider_type: "github_repository" };

describe("a row in Leeway's own format", () => {
  test("needs only an id and a type", () => {
    expect(leewayFormat.read(ROW, {})).toEqual([{ ...ROW, complete: false }]);
  });

  test("is read unchanged and marked as possibly incomplete", () => {
    const row = {
      ...ROW,
      region: "eu",
      name: "site",
      tags: { team: "web" },
      properties: { private: true },
      terraform_type: "github_repository",
      parent_id: "octo",
    };
    expect(leewayFormat.read(row, {})).toEqual([{ ...row, complete: false }]);
  });

  test("may have empty optional texts", () => {
    expect(leewayFormat.read({ ...ROW, region: "", name: "" }, {})).toEqual([{ ...ROW, complete: false }]);
  });

  test.each<[string, Json]>([
    ["no object", "octo/site"],
    ["a list", [ROW]],
    ["no id", { provider_type: "x" }],
    ["no type", { provider_resource_id: "x" }],
    ["an empty id", { ...ROW, provider_resource_id: "" }],
    ["a number for an id", { ...ROW, provider_resource_id: 7 }],
    ["a number for a region", { ...ROW, region: 7 }],
    ["null for a name", { ...ROW, name: null }],
    ["a list of tags", { ...ROW, tags: ["a"] }],
    ["a tag that isn't text", { ...ROW, tags: { a: 1 } }],
    ["text for properties", { ...ROW, properties: "{}" }],
    ["an unknown member", { ...ROW, regoin: "eu" }],
    ["a member that every object inherits", { ...ROW, constructor: "x" }],
  ])("is refused with %s", (_, row) => {
    expect(leewayFormat.read(row, {})).toBeNull();
  });

  test("is read or refused for any input", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...Object.keys(ROW), "tags", "name", "__proto__"), fc.jsonValue()),
        (value, members) => {
          for (const row of [value, members]) {
            const read = leewayFormat.read(JSON.parse(JSON.stringify(row)), {});
            expect(read === null || read.length === 1).toBeTrue();
          }
        },
      ),
    );
  });
});
