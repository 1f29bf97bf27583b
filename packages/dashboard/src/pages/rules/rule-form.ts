import type { Body } from "../../api/client.ts";
import { SUBJECTS, type Rule, type RuleBody, type Subject } from "./rule.ts";

export const EFFECTS = [
  ["ignore", "Hide it"],
  ["raise_to", "Raise its level"],
  ["label", "Label it"],
] as const;
type Effect = (typeof EFFECTS)[number][0];

export const LEVELS = ["critical", "high", "medium", "low"] as const;

/** A rule in its form. */
export interface RuleForm {
  name: string;
  on: readonly Subject[];
  when: string;
  effect: Effect;
  level: (typeof LEVELS)[number];
  label: string;
  reason: string;
  owner: string;
  /** Day at whose start the rule ends, as in a date field; empty for no end. */
  ends: string;
}

const EMPTY: RuleForm = {
  name: "",
  on: ["undeclared"],
  when: "",
  effect: "ignore",
  level: "high",
  label: "",
  reason: "",
  owner: "",
  ends: "",
};

/** Returns a rule's values for editing, or those of a new rule. */
export function formOf(rule: Rule | undefined): RuleForm {
  if (!rule) return EMPTY;
  const { name, on, when = "", then, reason, owner = "", expires_at: end = "" } = rule;
  return { ...EMPTY, name, on, when, ...effectOf(then), reason, owner, ends: end.slice(0, 10) };
}

function effectOf(then: Rule["then"]): Partial<RuleForm> & Pick<RuleForm, "effect"> {
  if ("ignore" in then) return { effect: "ignore" };
  return "raise_to" in then
    ? { effect: "raise_to", level: then.raise_to }
    : { effect: "label", label: then.label };
}

/** Returns what a preview needs of a form. */
export function draftOf(form: RuleForm): Body<"POST /orgs/{id}/rules/preview"> {
  const on = SUBJECTS.map(([subject]) => subject).filter((one) => form.on.includes(one));
  // oxlint-disable-next-line unicorn/no-thenable -- the API's name
  return { on, when: form.when.trim(), then: thenOf(form) };
}

function thenOf({ effect, level, label }: RuleForm): RuleBody["then"] {
  if (effect === "ignore") return { ignore: true };
  return effect === "raise_to" ? { raise_to: level } : { label: label.trim() };
}

/** Builds the body of a new rule. */
export function newRule(form: RuleForm): RuleBody {
  const { name, reason, owner, ends } = form;
  return {
    name: name.trim(),
    ...draftOf(form),
    reason: reason.trim(),
    ...(owner.trim() !== "" && { owner: owner.trim() }),
    ...(ends !== "" && { expires_at: startOf(ends) }),
  };
}

/** Builds the changes of a rule. An end that the form didn't change keeps its time of day. */
export function changedRule(rule: Rule, form: RuleForm): Body<"PATCH /orgs/{id}/rules/{rule_id}"> {
  const { owner = null, expires_at: _, ...rest } = newRule(form);
  const isEndKept = form.ends === formOf(rule).ends;
  return { ...rest, owner, ...(!isEndKept && { expires_at: form.ends === "" ? null : startOf(form.ends) }) };
}

function startOf(day: string): string {
  return `${day}T00:00:00Z`;
}
