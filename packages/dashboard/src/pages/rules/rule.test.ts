import { expect, test } from "bun:test";

import { effectText, type Rule } from "./rule.ts";

test.each([
  [{ on: ["undeclared", "changed"], then: { ignore: true } }, "Hides undeclared and changed resources"],
  [{ on: ["finding"], then: { raise_to: "critical" } }, "Raises findings in plans to critical"],
  [
    { on: ["missing", "noise"], then: { label: "team:search" } },
    "Labels missing resources and noise in plans team:search",
  ],
] as [Pick<Rule, "on" | "then">, string][])("%j is described in words", (rule, text) => {
  expect(effectText(rule)).toBe(text);
});
