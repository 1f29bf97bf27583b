import { expect, test } from "bun:test";

import { differenceText } from "./difference.ts";

const value = (before: unknown, after: unknown, path: (string | number)[] = ["retention"]) => ({
  path,
  before,
  after,
  before_sensitive: false,
  after_sensitive: false,
  unknown: false,
});
const flag = (message?: string) => ({
  rule: "R01",
  flag: "update",
  evidence: [],
  ...(message && { message }),
});

test.each([
  ["a number", [value(30, 7)], [], "retention 30 → 7"],
  ["a missing value", [value(null, "x")], [], "retention none → x"],
  ["several values", [value(30, 7), value(1, 2), value(1, 2)], [], "retention 30 → 7, and 2 more"],
  ["a list with a finding", [value([], ["0.0.0.0/0"])], [flag("Opens port 22")], "Opens port 22"],
  ["a list", [value([], ["x"], ["rule", 0, "cidrs"])], [flag()], "rule[0].cidrs differs"],
  ["a secret", [{ ...value("", ""), after_sensitive: true }], [], "retention: sensitive value differs"],
])("%s is described in one line", (_, attribute_changes, risk_flags, text) =>
  expect(differenceText({ kind: "changed", attribute_changes, risk_flags })).toBe(text),
);

test.each([
  ["missing", [], "Deleted outside the code"],
  ["undeclared", [{ ...flag("Creates it"), rule: "R20" }], "Not in any code"],
  ["undeclared", [flag("Creates network rules")], "Creates network rules"],
] as const)("a resource that is %s, with %j, says so", (kind, risk_flags, text) =>
  expect(differenceText({ kind, attribute_changes: [], risk_flags: [...risk_flags] })).toBe(text),
);
