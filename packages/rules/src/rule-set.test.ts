import { expect, test } from "bun:test";
import fc from "fast-check";

import { RISK_LEVELS, isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";
import { RULE_SUBJECTS, type ActiveRule } from "@leeway/shared/contracts/inventory/rules";

import { ruleSet } from "./rule-set.ts";
import { subjectOf } from "./subject.ts";

function rule(name: string, effect: ActiveRule["effect"], more: Partial<ActiveRule> = {}): ActiveRule {
  return { id: name, name, on: ["changed"], when: "true", effect, ...more };
}

const CHANGE = subjectOf({
  change: { kind: "changed", risk_level: "low" },
  resource: { type: "aws_instance" },
});

test("the first rule that hides a change is named, the highest raise counts, and labels add up", () => {
  const rules = [
    rule("a", { label: "team:a" }),
    rule("b", { raise_to: "high" }),
    rule("c", { ignore: true }),
    rule("d", { ignore: true }),
    rule("e", { raise_to: "medium" }),
    rule("f", { label: "team:a" }),
    rule("g", { label: "b" }),
  ];
  expect(ruleSet(rules).judge(CHANGE)).toEqual({
    level: "high",
    effects: {
      hidden_by: { id: "c", name: "c" },
      raised: { from: "low", by: { id: "b", name: "b" } },
      labels: ["team:a", "b"],
      rules: ["a", "b", "c", "d", "f", "g"],
    },
  });
});

test("a rule has no effect on kinds that it isn't about", () => {
  const rules = [rule("a", { ignore: true }, { on: ["missing", "noise"] })];
  expect(ruleSet(rules).judge(CHANGE)).toEqual({ level: "low", effects: undefined });
});

test("a condition that fails for a change doesn't match it", () => {
  const rules = [rule("a", { ignore: true }, { when: 'resource.tags["env"] != "prod"' })];
  expect(ruleSet(rules).judge(CHANGE).effects).toBeUndefined();
});

test("a stored rule that can't be compiled is reported and has no effect", () => {
  const { problems, judge } = ruleSet([rule("a", { ignore: true }, { when: "resource.typo" })]);
  expect(problems.map(({ message }) => message)).toEqual([
    'uses the unknown member "typo" (line 1, column 10); did you mean type?',
  ]);
  expect(judge(CHANGE).effects).toBeUndefined();
});

test("no set of rules ever lowers a level", () => {
  const anyRule = fc.record({
    on: fc.uniqueArray(fc.constantFrom(...RULE_SUBJECTS), { minLength: 1 }),
    raise: fc.constantFrom("critical", "high", "medium", "low" as const),
    when: fc.constantFrom("true", "false", 'change.risk_level == "low"', 'change.kind == "missing"'),
  });
  fc.assert(
    fc.property(
      fc.array(anyRule),
      fc.constantFrom(...RULE_SUBJECTS),
      fc.constantFrom(...RISK_LEVELS),
      (given, kind, level) => {
        const rules = given.map(({ on, raise, when }, index) =>
          rule(String(index), { raise_to: raise }, { on, when }),
        );
        const subject = subjectOf({ change: { kind, risk_level: level }, resource: { type: "a" } });
        expect(isAtLeast(ruleSet(rules).judge(subject).level, level)).toBe(true);
      },
    ),
  );
});
