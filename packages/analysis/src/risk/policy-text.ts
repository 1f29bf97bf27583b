import type { Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { statementsOf, type Statement } from "./policy.ts";
import { listed, shown } from "./values.ts";

/** Limit on compared statements, which bounds the time for any plan. */
const MAX_STATEMENTS = 500;
const MAX_NAMES = 50;

/** Describes how policy changes affect the allowed actions; empty if nothing can be shown. */
export function policyText({ before, after }: ResourceChange): string {
  const [were, are] = [rightsIn(before), rightsIn(after)];
  const [added, removed] = [beyond(are, were), beyond(were, are)];
  const parts = [
    added.length > 0 && `Policy allows ${listed(added, MAX_SHOWN)}`,
    removed.length > 0 &&
      `${added.length > 0 ? "no" : "Policy no"} longer allows ${listed(removed, MAX_SHOWN)}`,
  ];
  return parts.filter((part) => part !== false).join("; ");
}

const MAX_SHOWN = 2;

/** Allowed actions of merged statements, by their resources and principals. */
type Rights = ReadonlyMap<string, Statement>;

function rightsIn(side: Json): Rights {
  const rights = new Map<string, Statement>();
  for (const statement of statementsOf(side).slice(0, MAX_STATEMENTS)) {
    const key = JSON.stringify([statement.resources, statement.principals]);
    const actions = [...(rights.get(key)?.actions ?? []), ...statement.actions.slice(0, MAX_NAMES)];
    rights.set(key, { ...statement, actions });
  }
  return rights;
}

/** Returns the rights that others don't include. */
function beyond(rights: Rights, others: Rights): string[] {
  return [...rights].flatMap(([key, statement]) => {
    const known = new Set(others.get(key)?.actions);
    const actions = statement.actions.filter((action) => !known.has(action));
    const isNew = actions.length > 0 || !others.has(key);
    return isNew ? [statementText({ ...statement, actions })] : [];
  });
}

/** Describes a statement, such as `s3:GetObject on arn:aws:s3:::logs/* to anyone (*)`. */
export function statementText({ principals, actions, resources }: Statement): string {
  const what = actions.length === 0 ? "access" : actionsText(actions);
  const where = resources.length === 0 ? "" : ` on ${namesText(resources)}`;
  return what + where + (principals.length === 0 ? "" : ` to ${principalsText(principals)}`);
}

/** Lists actions as a policy names them. */
export function actionsText(actions: readonly string[]): string {
  return actions.includes("*") ? "all actions (*)" : namesText(actions);
}

/** Lists principals as a policy names them, such as `anyone (*)`. */
export function principalsText(principals: readonly string[]): string {
  return principals.includes("*") ? "anyone (*)" : namesText(principals);
}

function namesText(names: readonly string[]): string {
  return listed(names.slice(0, MAX_NAMES).map(shown));
}
