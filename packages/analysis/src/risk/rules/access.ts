import { isObject, text, type Json, type JsonObject } from "@leeway/shared/json";

import { deletes, forgets, replaces, updates, type ResourceChange } from "../../plan/model.ts";
import { blocksAt, valueOf, type Leaf } from "../leaves.ts";
import { bindingsOf, isEveryResource, isTrust, statementsOf } from "../policy.ts";
import { added, attributesAt, isNewRevision, type Rule, type Subject, type Trait } from "../sighting.ts";
import { doesMore } from "../telling.ts";
import { pathsOf, signsIn, textsOf } from "../turns.ts";
import { ACCESS, ADMIN, FULL_ROLES, isIam } from "../types.ts";
import { OWNER_ROLES } from "../tables/gcp.ts";
import type { CloudTable } from "../tables/table.ts";

/** R11 */
export const escalate: Rule = ({ change, type, shown }) => {
  if (!isIam(type)) return [];
  const admins = pathsOf(added(change, (side) => [...grantsIn(type, side), ...fullPolicies(type, side)]));
  if (admins.length > 0) {
    const message = `By its ${attributesAt(admins)}, this ${shown} gives full administration, or the right to give it.`;
    return [{ verdict: "privilegeEscalation", paths: admins, message }];
  }
  const trusts = pathsOf(newTrusts(change));
  if (trusts.length === 0) return [];
  const message = `By its ${attributesAt(trusts)}, this ${shown} trusts everybody, or an account that it didn't trust.`;
  return [{ verdict: "privilegeEscalation", paths: trusts, message }];
};

/** Whoever may do all in IAM can give themselves the rest. */
const FULL = /^(?:\*+(?::\*+)?|iam:\*+)$/i;

/** `*:*` or `iam:*` in a policy that is given to somebody: one with principals is about its own resource. */
function fullPolicies(type: string, side: Json): Trait[] {
  const policies = statementsOf(side)
    .filter(({ principals }) => principals.length === 0)
    .filter(({ actions, resources }) => actions.some(isFull) && resources.some(isEveryResource));
  const roles = FULL_ROLES.filter(({ isFor }) => isFor(type)).flatMap(({ blocks, all, but }) =>
    blocksAt(side, blocks)
      .filter(({ block }) => all.every((name) => textsOf(block[name]).includes("*")))
      .filter(({ block }) => !but?.rights.every((right) => takesAway(block, but.attributes, right)))
      .map(({ path }) => ({ path: [...path, ...all.slice(-1)] })),
  );
  return [...policies, ...roles].map(({ path }) => ({ path, key: "full" }));
}

function takesAway(block: JsonObject, names: readonly string[], right: string): boolean {
  return names.flatMap((name) => textsOf(block[name])).some((action) => means(action.toLowerCase(), right));
}

/** Whether a pattern, in which `*` stands for any characters, means a text. No plan makes this slow. */
function means(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return pattern === text;
  let at = text.startsWith(first) ? first.length : -1;
  for (const part of parts) {
    const found = at < 0 ? -1 : text.indexOf(part, at);
    at = found < 0 ? -1 : found + part.length;
  }
  return at >= 0 && text.length - at >= last.length && text.endsWith(last);
}

function isFull(action: string): boolean {
  return FULL.test(action);
}

type Admin = CloudTable["admin"][number];

function grantsIn(type: string, side: Json): Trait[] {
  if (!isObject(side)) return [];
  const bound = bindingsOf(side).filter(({ role }) => OWNER_ROLES.includes(role));
  return [
    ...ADMIN.filter(({ isFor }) => isFor(type)).flatMap((row) => grantsOf(row, side)),
    ...bound.flatMap(({ path, members }) => members.map((member) => ({ path, key: `owner ${member}` }))),
  ];
}

function grantsOf({ attribute, grants, holders }: Admin, side: Json): Trait[] {
  const steps = attribute.split(".");
  const name = steps.at(-1) ?? "";
  const admins = blocksAt(side, steps.slice(0, -1)).filter(({ block }) =>
    textsOf(block[name]).some((value) => isAmongGrants(value.toLowerCase(), grants)),
  );
  const who = holders.flatMap((holder) => textsOf(valueOf(side, [holder])));
  return admins.flatMap(({ path }) =>
    (who.length > 0 ? who : [""]).map((one) => ({ path: [...path, name], key: `${attribute} ${one}` })),
  );
}

function isAmongGrants(value: string, grants: readonly string[]): boolean {
  return grants.some((grant) => value === grant || value.endsWith(longEnding(grant)));
}

/** An identifier ends in the name or id of its role, behind a separator. */
function longEnding(grant: string): string {
  return /^[:/]/.test(grant) ? grant : `/${grant}`;
}

/** Everybody, and accounts that a role didn't trust before. */
function newTrusts(change: ResourceChange): Trait[] {
  const trusted = (side: Json): Trait[] =>
    statementsOf(side)
      .filter(isTrust)
      .flatMap(({ path, principals, narrowed }) =>
        principals.flatMap((principal) => {
          if (principal === "*") return narrowed ? [] : [{ path, key: principal }];
          const account = accountOf(principal);
          return account === undefined ? [] : [{ path, key: account }];
        }),
      );
  const own = accountOf(ownArn(change.before) ?? ownArn(change.after) ?? "");
  // Without an account of its own, as before it is created, a role's accounts can't be called others'.
  return added(change, trusted).filter(({ key }) => key === "*" || (own !== undefined && key !== own));
}

function ownArn(side: Json): string | undefined {
  return isObject(side) ? text(side, "arn") : undefined;
}

function accountOf(principal: string): string | undefined {
  return /^(?:arn:[^:]*:[^:]*:[^:]*:)?(\d{12})(?::|$)/.exec(principal)?.[1];
}

/** R12. What R11 says of a change, it says instead. */
export const changeIam: Rule = (subject) => {
  const { change, shown } = subject;
  const granting = forgets(change) ? undefined : grantingIn(subject);
  if (!granting || escalate(subject).length > 0) return [];
  const paths = pathsOf(granting).slice(0, MOST_PATHS);
  const what = attributesAt(paths);
  const message = what
    ? `The change of ${what} in this ${shown} changes who may do what.`
    : `${actionOf(change)} this ${shown} changes who may do what.`;
  return [{ verdict: "iamChange", paths, message }];
};

const MOST_PATHS = 20;

/** What of an update says who may do what, none of it where that can't be seen; undefined when nothing does. */
function grantingIn({ change, type, leaves }: Subject): readonly Leaf[] | undefined {
  const changed = updates(change) || isNewRevision(change) ? leaves : [];
  if (isIam(type) && changed.length === 0) return changed;
  const granting = isIam(type)
    ? changed.filter((leaf) => doesMore(type, leaf))
    : signsIn(ACCESS, type, changed);
  return granting.length > 0 ? granting : undefined;
}

function actionOf(change: ResourceChange): string {
  if (replaces(change)) return "Replacing";
  if (deletes(change)) return "Deleting";
  return change.actions.includes("create") ? "Creating" : "Changing";
}
