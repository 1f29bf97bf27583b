import { expect, test } from "bun:test";

import type { Rule } from "./rule.ts";
import { changedRule, formOf, newRule } from "./rule-form.ts";

const RULE: Rule = {
  id: "r",
  name: "Sandbox",
  on: ["changed", "undeclared"],
  when: 'resource.account == "1"',
  // oxlint-disable-next-line unicorn/no-thenable -- the API's name
  then: { raise_to: "critical" },
  reason: "known",
  owner: "team search",
  expires_at: "2027-01-01T12:30:00Z",
  enabled: true,
  built_in: false,
  matched_count: 1,
  hidden_count: 0,
};

test("a rule that is saved without a change keeps the time of day at which it ends", () => {
  const changes = changedRule(RULE, formOf(RULE));
  expect(changes).not.toHaveProperty("expires_at");
  expect(changes).toMatchObject({ then: { raise_to: "critical" }, owner: "team search" });
});

test("an emptied owner and end are removed", () => {
  expect(changedRule(RULE, { ...formOf(RULE), owner: " ", ends: "" })).toMatchObject({
    owner: null,
    expires_at: null,
  });
});

test("a new rule ends at the start of the day, and has only what was filled in", () => {
  const form = { ...formOf(undefined), name: " A ", when: "true", reason: "r", ends: "2027-02-01" };
  expect(newRule(form)).toEqual({
    name: "A",
    on: ["undeclared"],
    when: "true",
    // oxlint-disable-next-line unicorn/no-thenable -- the API's name
    then: { ignore: true },
    reason: "r",
    expires_at: "2027-02-01T00:00:00Z",
  });
});
