import { given, oneOf, textOf } from "../search.ts";

/** Parses the built-in rule that the page was opened for. */
export function rulesSearch(search: Record<string, unknown>) {
  return given({ rule: textOf(search["rule"]) });
}

/** Parses the draft of a new rule. */
export function newRuleSearch(search: Record<string, unknown>) {
  return given({
    on: oneOf(["undeclared", "changed", "missing"] as const, search["on"]),
    when: textOf(search["when"]),
  });
}
