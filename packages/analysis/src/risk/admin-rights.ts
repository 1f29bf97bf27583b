import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { textsOf } from "./attribute-values.ts";
import { rightsText } from "./grants.ts";
import { blocksAt, valueOf } from "../plan/leaves.ts";
import { actionsText } from "./policy-text.ts";
import { bindingsOf, isEveryResource, statementsOf } from "./policy.ts";
import type { Trait } from "./subject.ts";
import { IMPERSONATING_ROLES, OWNER_ROLES } from "./tables/gcp.ts";
import type { CloudTable } from "./tables/table.ts";
import { ADMIN, FULL_ROLES, oneOf } from "./types.ts";
import { shown } from "./values.ts";
import { fullVaultPaths } from "./vault-policy.ts";

/** A far-reaching right on one side of a change. */
export interface Right extends Trait {
  text: string;
  isGrant?: boolean;
}

/** Returns the administrator rights that one side of a change grants. */
export function adminRights(type: string, side: Json): Right[] {
  return [...grantsIn(type, side), ...fullPolicies(type, side), ...vaultPolicies(type, side)];
}

/** Notations for full IAM rights, which are enough to acquire all others. */
const FULL = /^(?:\*+(?::\*+)?|iam:\*+)$/i;

/** Returns `*:*` or `iam:*` in an identity's policy; a policy with principals concerns only its own resource. */
function fullPolicies(type: string, side: Json): Right[] {
  const policies = statementsOf(side)
    .filter(({ principals }) => principals.length === 0)
    .filter(({ actions, resources }) => actions.some(isFull) && resources.some(isEveryResource))
    .map(({ path, actions }) => ({ path, rights: actions.filter(isFull) }));
  const roles = FULL_ROLES.filter(({ isFor }) => isFor(type)).flatMap(({ blocks, all, but }) =>
    blocksAt(side, blocks)
      .filter(({ block }) => all.every((name) => textsOf(block[name]).includes("*")))
      .filter(({ block }) => !but?.rights.every((right) => takesAway(block, but.attributes, right)))
      .map(({ path }) => ({ path: [...path, ...all.slice(-1)], rights: ["*"] })),
  );
  return [...policies, ...roles].map(({ path, rights }) => {
    const text = `Allows ${actionsText(rights)} on all resources${holderText(side)}`;
    return { path, key: "full", text };
  });
}

function vaultPolicies(type: string, side: Json): Right[] {
  if (type !== "vault_policy") return [];
  return fullVaultPaths(side).map((path) => ({
    path: ["policy"],
    key: `vault ${path}`,
    text: `Allows changing everything below path "${shown(path)}" of Vault`,
  }));
}

/** Returns the holder of an inline policy, such as ` to role ci`. */
export function holderText(side: Json): string {
  const kind = isObject(side) ? ["role", "user", "group"].find((name) => text(side, name)) : undefined;
  return kind === undefined || !isObject(side) ? "" : ` to ${kind} ${shown(text(side, kind) ?? "")}`;
}

function takesAway(block: JsonObject, names: readonly string[], right: string): boolean {
  return names.flatMap((name) => textsOf(block[name])).some((action) => means(action.toLowerCase(), right));
}

/**
 * Checks whether a pattern, with `*` for any characters, matches a text. Linear, which bounds the time for any plan.
 */
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

function grantsIn(type: string, side: Json): Right[] {
  if (!isObject(side)) return [];
  const isProject = isProjectIam(type);
  const bound = bindingsOf(side).filter(
    ({ role }) => OWNER_ROLES.includes(role) || (isProject && IMPERSONATING_ROLES.includes(role)),
  );
  return [
    ...ADMIN.filter(({ isFor }) => isFor(type)).flatMap((row) => grantsOf(row, side)),
    ...bound.flatMap(({ path, role, members }) =>
      members.map((member) => ({ path, key: `owner ${member}`, text: `Grants ${role} to ${shown(member)}` })),
    ),
  ];
}

const isProjectIam = oneOf(["google_project_iam_*", "google_folder_iam_*", "google_organization_iam_*"]);

function grantsOf({ attribute, grants, holders }: Admin, side: Json): Right[] {
  const steps = attribute.split(".");
  const name = steps.at(-1) ?? "";
  const admins = blocksAt(side, steps.slice(0, -1)).flatMap(({ block, path }) => {
    const rights = textsOf(block[name]).filter((value) => isAmongGrants(value.toLowerCase(), grants));
    return rights.length > 0 ? [{ path: [...path, name], text: `Grants ${rightsText(rights)}` }] : [];
  });
  const held = holders.flatMap((holder) => textsOf(valueOf(side, [holder])));
  return admins.flatMap((admin) =>
    (held.length > 0 ? held : [""]).map((one) => ({ ...admin, key: `${attribute} ${one}`, isGrant: true })),
  );
}

function isAmongGrants(value: string, grants: readonly string[]): boolean {
  return grants.some((grant) => value === grant || value.endsWith(longEnding(grant)));
}

/** Prefixes a separator, because identifiers end in a separator and the role's name or id. */
function longEnding(grant: string): string {
  return /^[:/]/.test(grant) ? grant : `/${grant}`;
}
