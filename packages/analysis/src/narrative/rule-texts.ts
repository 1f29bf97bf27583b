import type { RuleText } from "../risk/rule.ts";
import { RULES } from "../risk/rules/all.ts";

/** Returns the texts of a rule as a whole. An unknown rule is named by its flag. */
export function ruleText(id: string, flag: string): RuleText {
  return (
    RULES.find((rule) => rule.id === id) ?? {
      title: flag.replaceAll("_", " "),
      why: "A rule of a newer version found this.",
      check: "Review the change itself.",
    }
  );
}

/** Returns the texts of one case of a rule. */
export function flagText({ rule: id, flag }: { rule: string; flag: string }): RuleText {
  const texts = RULES.find((rule) => rule.id === id)?.flagTexts ?? {};
  return (Object.hasOwn(texts, flag) ? texts[flag] : undefined) ?? ruleText(id, flag);
}
