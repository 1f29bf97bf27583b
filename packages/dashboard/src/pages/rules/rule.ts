import type { Body, Row } from "../../api/client.ts";

export type Rule = Row<"GET /orgs/{id}/rules">;
export type Subject = Rule["on"][number];
export type RuleBody = Body<"POST /orgs/{id}/rules">;

/** Operations to refetch after a change of a rule. */
export const CHANGED = [
  "GET /orgs/{id}/rules",
  "GET /orgs/{id}/exclusion-rules",
  "GET /orgs/{id}/posture",
  "GET /orgs/{id}/resources",
  "GET /orgs/{id}/resources/{resource_id}",
  "GET /orgs/{id}/drift-changes",
  "GET /orgs/{id}/drift-changes/{fingerprint}",
  "GET /orgs/{id}/drift-change-groups",
  "GET /orgs/{id}/drift-snapshots",
] as const;

export const SUBJECTS: readonly (readonly [subject: Subject, text: string])[] = [
  ["undeclared", "Undeclared resources"],
  ["changed", "Changed resources"],
  ["missing", "Missing resources"],
  ["finding", "Findings in plans"],
  ["noise", "Noise in plans"],
];

/** Describes what a rule does: `Hides undeclared and changed resources`. */
export function effectText({ on, then }: Pick<Rule, "on" | "then">): string {
  const kinds = on.filter((subject) => subject !== "finding" && subject !== "noise");
  const what = LIST.format([
    ...(kinds.length > 0 ? [`${LIST.format(kinds)} resources`] : []),
    ...(on.includes("finding") ? ["findings in plans"] : []),
    ...(on.includes("noise") ? ["noise in plans"] : []),
  ]);
  if ("ignore" in then) return `Hides ${what}`;
  if ("raise_to" in then) return `Raises ${what} to ${then.raise_to}`;
  return `Labels ${what} ${then.label}`;
}

const LIST = new Intl.ListFormat("en-GB");

/** Returns the members of a rule that users define, to create it again. */
export function contentOf({ name, on, when = "", then, reason, owner, expires_at, enabled }: Rule): RuleBody {
  return {
    name,
    on,
    when,
    // oxlint-disable-next-line unicorn/no-thenable -- the API's name
    then,
    reason,
    enabled,
    ...(owner !== undefined && { owner }),
    ...(expires_at !== undefined && { expires_at }),
  };
}

/** Returns whether a rule's time is over. */
export function isOver({ expires_at: end }: Pick<Rule, "expires_at">, now = Date.now()): boolean {
  return end !== undefined && Date.parse(end) <= now;
}
