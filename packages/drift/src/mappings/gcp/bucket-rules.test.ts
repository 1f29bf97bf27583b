import { describe, expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { changesIn } from "../../google.fixture.ts";

/** A condition as the provider writes it, with its flags for sending zeros. */
const CONDITION = {
  age: 0,
  created_before: "",
  custom_time_before: "",
  days_since_custom_time: 0,
  days_since_noncurrent_time: 0,
  matches_prefix: [],
  matches_storage_class: [],
  matches_suffix: [],
  no_age: false,
  noncurrent_time_before: "",
  num_newer_versions: 0,
  send_age_if_zero: true,
  send_days_since_custom_time_if_zero: false,
  send_days_since_noncurrent_time_if_zero: false,
  send_num_newer_versions_if_zero: false,
  with_state: "ANY",
};

const rule = (condition: JsonObject) => ({
  action: [{ type: "Delete", storage_class: "" }],
  condition: [{ ...CONDITION, ...condition }],
});
const live = (...conditions: JsonObject[]) => ({
  lifecycle: { rule: conditions.map((condition) => ({ action: { type: "Delete" }, condition })) },
});
const changes = (declared: JsonObject, found: JsonObject) =>
  changesIn("google_storage_bucket", { lifecycle_rule: [declared] }, found);

const PLACE = "lifecycle_rule.0.condition.0.";

describe("a condition of a bucket's lifecycle rule", () => {
  test.each<[name: string, declared: Json, nothing: Json]>([
    ["age", 7, 0],
    ["created_before", "2024-01-01", ""],
    ["custom_time_before", "2024-01-01", ""],
    ["days_since_custom_time", 7, 0],
    ["days_since_noncurrent_time", 7, 0],
    ["matches_prefix", ["tmp/"], []],
    ["matches_suffix", [".log"], []],
    ["matches_storage_class", ["NEARLINE"], []],
    ["noncurrent_time_before", "2024-01-01", ""],
    ["num_newer_versions", 3, 0],
    ["with_state", "ARCHIVED", "ANY"],
  ])("is reported when it was removed: %s", (name, declared, nothing) => {
    expect(changes(rule({ [name]: declared }), live({}))).toEqual([[`${PLACE}${name}`, nothing]]);
  });

  test("is reported when it changed", () => {
    const declared = rule({ with_state: "LIVE", matches_prefix: ["tmp/"], age: 30 });
    expect(changes(declared, live({ isLive: false, matchesPrefix: ["a/"], age: 1 }))).toEqual([
      [`${PLACE}age`, 1],
      [`${PLACE}matches_prefix.0`, "a/"],
      [`${PLACE}with_state`, "ARCHIVED"],
    ]);
    expect(changes(rule({}), live({ age: 0, numNewerVersions: 2 }))).toEqual([
      [`${PLACE}num_newer_versions`, 2],
    ]);
  });

  test("is reported when all rules were removed", () => {
    expect(changes(rule({ age: 7 }), {})).toEqual([["lifecycle_rule.0", null]]);
    expect(changes(rule({ age: 7 }), { assetType: "storage.googleapis.com/Bucket" })).toEqual([]);
  });

  test.each<[declared: JsonObject, found: JsonObject]>([
    [
      { with_state: "LIVE", age: 30 },
      { isLive: true, age: 30 },
    ],
    [
      { with_state: "ARCHIVED", num_newer_versions: 3 },
      { isLive: false, numNewerVersions: 3 },
    ],
    [{ with_state: "" }, {}],
    [
      { with_state: null, matches_prefix: null, age: null },
      { matchesPrefix: [], age: 0 },
    ],
    [{ no_age: true, num_newer_versions: 3 }, { numNewerVersions: 3 }],
    [{ matches_suffix: [".b", ".a"] }, { matchesSuffix: [".a", ".b"] }],
  ])("is unchanged: %j %j", (declared, found) => {
    expect(changes(rule(declared), live(found))).toEqual([]);
  });

  test("is unchanged by the provider's flags and explicit zeros", () => {
    const flags = Object.keys(CONDITION).filter((name) => /^(?:no|send)_/.test(name));
    expect(flags).toHaveLength(5);
    const zeros = fc.subarray(["age", "numNewerVersions", "daysSinceCustomTime", "daysSinceNoncurrentTime"]);
    const sent = fc.record(Object.fromEntries(flags.map((name) => [name, fc.boolean()])));
    fc.assert(
      fc.property(sent, zeros, (declared, names) => {
        const found = Object.fromEntries(names.map((name) => [name, 0]));
        expect(
          changes(rule({ ...declared, matches_prefix: ["a/"] }), live({ ...found, matchesPrefix: ["a/"] })),
        ).toEqual([]);
      }),
    );
  });

  test("is found in any order of rules", () => {
    const declared = { lifecycle_rule: [rule({ age: 7, matches_prefix: ["a/"] }), rule({ age: 7 })] };
    const found = live({ age: 7 }, { age: 7, matchesPrefix: ["a/"] });
    expect(changesIn("google_storage_bucket", declared, found)).toEqual([]);
  });
});
