import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, members, text, type Json, type JsonObject } from "@leeway/shared/json";

import { deletes, forgets, replaces, updates, type ResourceChange } from "../../plan/model.ts";
import { nameOf, valueOf, type Leaf } from "../leaves.ts";
import { bindingsOf, statementsOf } from "../policy.ts";
import { added, attributesAt, type Rule, type Subject, type Trait } from "../sighting.ts";
import { doesMore } from "../telling.ts";
import { isEmpty, pathsOf, signsIn, textsOf } from "../turns.ts";
import {
  ACCESS,
  ADMIN,
  concernsStateful,
  EXPOSURES,
  isIam,
  isPublicAccessBlock,
  oneOf,
  PUBLIC_ACCESS,
} from "../types.ts";
import type { CloudTable } from "../tables/table.ts";

/** `allUsers`, in an ACL behind what they may do (`READER:`). */
const EVERYBODY = /^(?:([a-z]+):)?all(?:authenticated)?users$/i;
/** Attributes that name who may use a Google Cloud resource. */
const MEMBERS = ["member", "members", "entity", "special_group", "iam_member", "role_entity"];
/** What an AWS account lets others use, by a principal. */
const isPermission = oneOf([
  "aws_lambda_permission",
  "aws_lambda_layer_version_permission",
  "aws_cloudwatch_event_permission",
]);
/** Attributes that say who calls, or from where. */
const NARROWING = ["source_arn", "source_account", "principal_org_id", "organization_id", "condition"];
const TRUST = "assume_role_policy";

/** R10 */
export const becomePublic: Rule = ({ change, type, shown, leaves }) => {
  const verdict = concernsStateful(type) ? "publicData" : "publicAccess";
  if (deletes(change) && !replaces(change) && isPublicAccessBlock(type)) {
    return [{ verdict, paths: [], message: `Deleting this ${shown} lifts the block of public access.` }];
  }
  const signs = signsIn(PUBLIC_ACCESS, type, leaves);
  // Much is created with an address or without limits, and says so in its code.
  const whole = updates(change) ? exposed(type, change) : [];
  const paths = pathsOf([...signs, ...whole, ...added(change, (side) => openTo(type, side))]);
  if (paths.length === 0) return [];
  return [{ verdict, paths, message: `By its ${attributesAt(paths)}, this ${shown} can let the public in.` }];
};

/** Where an update takes the last of what limits who is let in, or brings the first of what lets everybody in. */
function exposed(type: string, { before, after }: ResourceChange): { path: Path }[] {
  return EXPOSURES.filter(({ isFor }) => isFor(type)).flatMap(({ attributes, when }) =>
    attributes.flatMap((name) => {
      const [were, are] = [before, after].map((side) => filledAt(side, name.split(".")));
      const [there, gone] = when === "there" ? [are, were] : [were, are];
      return gone?.length === 0 ? (there ?? []).map((path) => ({ path })) : [];
    }),
  );
}

/** Paths at which there is something, in each block of lists on the way. */
function filledAt(block: Json | undefined, [step = "", ...rest]: readonly string[], path: Path = []): Path[] {
  if (!isObject(block)) return [];
  const value = block[step];
  const items: { item: Json | undefined; at: Path }[] = Array.isArray(value)
    ? value.map((item, index) => ({ item, at: [...path, step, index] }))
    : [{ item: value, at: [...path, step] }];
  if (rest.length > 0) return items.flatMap(({ item, at }) => filledAt(item, rest, at));
  return items.filter(({ item }) => !isEmpty(item)).map(({ at }) => at);
}

/** Who may use a resource although it is nobody in particular. */
function openTo(type: string, side: Json): Trait[] {
  const statements = statementsOf(side)
    .filter(({ principals, narrowed, path }) => principals.includes("*") && !narrowed && path[0] !== TRUST)
    .map(({ path, actions }) => ({ path, key: `${nameOf(path)} ${actions.toSorted().join(" ")}` }));
  const bindings = bindingsOf(side)
    .filter(({ members }) => members.some((member) => EVERYBODY.test(member)))
    .map(({ path, role }) => ({ path, key: `${role} everybody` }));
  return [...statements, ...bindings, ...openMembers(type, side)];
}

function openMembers(type: string, side: Json): Trait[] {
  if (!isObject(side)) return [];
  if (isPermission(type)) return isOpenPermission(side) ? [{ path: ["principal"], key: "principal" }] : [];
  if (!type.startsWith("google_")) return [];
  const access = members(side, "access").flatMap((block, index) => openIn(block, ["access", index]));
  return [...openIn(side, []), ...access];
}

function isOpenPermission(side: JsonObject): boolean {
  return text(side, "principal") === "*" && NARROWING.every((name) => isEmpty(side[name]));
}

/** What a block lets everybody do. */
function openIn(block: JsonObject, path: Path): Trait[] {
  const role = text(block, "role") ?? "";
  return MEMBERS.flatMap((name) =>
    textsOf(block[name]).flatMap((member) => {
      const [isOpen, granted = role] = EVERYBODY.exec(member) ?? [];
      return isOpen === undefined ? [] : [{ path: [...path, name], key: `everybody ${granted}` }];
    }),
  );
}

/** R11 */
export const escalate: Rule = ({ change, type, shown }) => {
  if (!isIam(type)) return [];
  const admins = pathsOf(added(change, (side) => [...grantsIn(type, side), ...fullPolicies(side)]));
  if (admins.length > 0) {
    const message = `By its ${attributesAt(admins)}, this ${shown} gives full administration.`;
    return [{ verdict: "privilegeEscalation", paths: admins, message }];
  }
  const trusts = pathsOf(newTrusts(change));
  if (trusts.length === 0) return [];
  const message = `By its ${attributesAt(trusts)}, this ${shown} trusts everybody, or an account that it didn't trust.`;
  return [{ verdict: "privilegeEscalation", paths: trusts, message }];
};

const FULL = /^\*(?::\*)?$/;

/** `*:*` in a policy that is given to somebody: one with principals is about its own resource. */
function fullPolicies(side: Json): Trait[] {
  const custom = textsOf(valueOf(side, ["permissions", 0, "actions"])).includes("*");
  return [
    ...statementsOf(side)
      .filter(({ principals }) => principals.length === 0)
      .filter(({ actions, resources }) => actions.some(isFull) && resources.includes("*"))
      .map(({ path }) => ({ path, key: "full" })),
    ...(custom ? [{ path: ["permissions", 0, "actions"], key: "full" }] : []),
  ];
}

function isFull(action: string): boolean {
  return FULL.test(action);
}

type Admin = CloudTable["admin"][number];

function grantsIn(type: string, side: Json): Trait[] {
  if (!isObject(side)) return [];
  const bound = bindingsOf(side).filter(({ role }) => role === "roles/owner");
  return [
    ...ADMIN.filter(({ isFor }) => isFor(type)).flatMap((row) => grantsOf(row, side)),
    ...bound.flatMap(({ path, members }) => members.map((member) => ({ path, key: `owner ${member}` }))),
  ];
}

function grantsOf({ attribute, grants, holders }: Admin, side: Json): Trait[] {
  const steps = attribute.split(".").flatMap((step, index) => (index > 0 ? [0, step] : [step]));
  const isAdmin = textsOf(valueOf(side, steps)).some((value) =>
    grants.some((grant) => value.toLowerCase() === grant || value.toLowerCase().endsWith(longEnding(grant))),
  );
  if (!isAdmin) return [];
  const who = holders.flatMap((name) => textsOf(valueOf(side, [name])));
  return (who.length > 0 ? who : [""]).map((one) => ({ path: steps, key: `${attribute} ${one}` }));
}

/** An identifier ends in the name or id of its role, behind a separator. */
function longEnding(grant: string): string {
  return /^[:/]/.test(grant) ? grant : `/${grant}`;
}

/** Everybody, and accounts that a role didn't trust before. */
function newTrusts(change: ResourceChange): Trait[] {
  const trusted = (side: Json): Trait[] =>
    statementsOf(side)
      .filter(({ path }) => path[0] === TRUST)
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
  const changed = updates(change) ? leaves : [];
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
