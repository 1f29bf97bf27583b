import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { change, classesOf, type Case, type Resource } from "./noise.fixture.ts";

const many = (before: JsonObject, after: JsonObject, count = 3): Resource[] =>
  Array.from({ length: count }, (_, index) =>
    change("aws_x", before, after, { address: `aws_x.a[${index}]` }),
  );

describe("provider_upgrade_churn", () => {
  test("a new attribute on many resources is likely noise", () => {
    expect(classesOf({ drift: many({ mode: null }, { mode: "standard" }) })).toEqual(
      Array.from({ length: 3 }, () => "provider_upgrade_churn 0.75"),
    );
  });

  test.each<Case>([
    ["on few resources", { drift: many({ mode: null }, { mode: "standard" }, 2) }],
    ["that the plan sets", { changes: many({ mode: null }, { mode: "standard" }) }],
    ["that had a value", { drift: many({ mode: "basic" }, { mode: "standard" }) }],
  ])("an attribute %s is significant", (_, plan) => {
    expect(classesOf(plan)).toEqual([]);
  });
});
