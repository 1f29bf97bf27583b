import type { Rule, RuleContent } from "@leeway/shared/contracts/inventory/rules";

/** Steps that make an organization's rules equal to a file. */
export interface RulesPlan {
  create: RuleContent[];
  change: { id: string; name: string; members: string[]; rule: RuleContent }[];
  /** Rules that the file lacks. */
  extra: { id: string; name: string }[];
  unchanged: number;
}

/** Compares an organization's own rules with those of a file, by name. */
export function planRules(wanted: readonly RuleContent[], present: readonly Rule[]): RulesPlan {
  const own = new Map(present.filter(({ built_in }) => !built_in).map((rule) => [rule.name, rule]));
  const plan: RulesPlan = { create: [], change: [], extra: [], unchanged: 0 };
  for (const rule of wanted) {
    const known = own.get(rule.name);
    own.delete(rule.name);
    if (!known) {
      plan.create.push(rule);
      continue;
    }
    const [before, after] = [membersOf(known), membersOf(rule)];
    const members = Object.keys(after).filter((member) => before[member] !== after[member]);
    if (members.length === 0) plan.unchanged += 1;
    else plan.change.push({ id: known.id, name: rule.name, members, rule });
  }
  plan.extra = [...own.values()].map(({ id, name }) => ({ id, name }));
  return plan;
}

/** Returns a rule's members in a form in which equal values are equal texts. */
function membersOf({
  on,
  when = "",
  then: effect,
  reason,
  ...rule
}: RuleContent | Rule): Record<string, string> {
  const { owner = "", expires_at: end, enabled = true } = rule;
  return {
    on: on.toSorted().join(" "),
    when,
    // oxlint-disable-next-line unicorn/no-thenable -- the API's name; a text can't be called
    then: JSON.stringify(effect),
    reason,
    owner,
    expires_at: end === undefined ? "" : new Date(end).toISOString(),
    enabled: String(enabled),
  };
}

/** Returns a rule as the body of a change, which removes members that the file lacks. */
export function changeBody({ owner, expires_at, enabled = true, ...rule }: RuleContent): object {
  return { ...rule, enabled, owner: owner ?? null, expires_at: expires_at ?? null };
}
