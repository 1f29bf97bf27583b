import { isObject, members, text, type Json, type JsonObject } from "@leeway/shared/json";

import type { CatalogEntry } from "../../clouds/catalog.ts";
import { grantsOf, keyOf, memberTypeOn, policyIn, roleKey, type Grant } from "../../clouds/gcp/iam.ts";
import { attribute, blocks } from "../../clouds/gcp/path-template.ts";
import type { Part, Shape, TypeMapping } from "./mapping.ts";
import { leavingOut } from "./mappings/gcp-rows.ts";
import { row } from "./shapes.ts";

const GRANTING = /^google_\w+_iam_(?:member|binding|policy)$/;

const AUDITING = /^google_\w+_iam_audit_config$/;

/** Of whose account was deleted, Google keeps the roles under a name of its own: nobody has them. */
const NOBODY = /^deleted:/i;

/** A role that somebody has on a live resource, and the Terraform type of a resource that would declare it. */
export interface UndeclaredGrant {
  type: string;
  grant: Grant;
}

/** Whether resources of a Terraform type declare who may do what: one member of a role, all of it, or all there is. */
export function isGranting(type: string): boolean {
  return GRANTING.test(type);
}

/** Whether resources of a Terraform type declare what is logged of a service. */
export function isAuditing(type: string): boolean {
  return AUDITING.test(type);
}

/** Order and case of members mean nothing. */
const sameMembers: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const known = texts(declared);
  const [has, had] = [live, known].map((side) => new Set(texts(side).map(lowerCase)));
  const kept = known.filter((member) => has?.has(lowerCase(member)) || NOBODY.test(member));
  const added = texts(live).filter((member) => !had?.has(lowerCase(member)));
  return added.length === 0 && kept.length === known.length ? declared : [...kept, ...added];
};

/** A policy as a `google_iam_policy` writes it; what it says of logs stays as it is declared. */
const samePolicy: Shape = (live, declared) => {
  const own = typeof declared === "string" ? policyIn({ policy_data: declared }) : undefined;
  if (own === undefined || !isObject(live)) return undefined;
  const [has, had] = [live, own].map((policy) =>
    grantsOf(policy).filter(isSomebody).map(keyOf).toSorted().join("\n"),
  );
  return has === had ? declared : JSON.stringify({ ...own, bindings: written(live) });
};

function written(policy: JsonObject): Json {
  return members(policy, "bindings")
    .map((binding) => ({
      ...(isObject(binding["condition"]) && { condition: binding["condition"] }),
      members: texts(binding["members"]).toSorted(),
      role: text(binding, "role") ?? "",
    }))
    .toSorted((one, other) => (one.role < other.role ? -1 : 1));
}

const ROWS: TypeMapping = {
  members: row("members", sameMembers),
  policy_data: row("policyData", samePolicy),
};

const AUDIT_ROWS: TypeMapping = {
  audit_log_config: row("auditLogConfigs", leavingOut("exempted_members")),
};

/** How to compare what a type of resource grants, or what it has logged; undefined for any other. */
export function grantRows(type: string): TypeMapping | undefined {
  if (isAuditing(type)) return AUDIT_ROWS;
  return isGranting(type) ? ROWS : undefined;
}

/**
 * What the policy of a resource has of the logs that a part declares; null where that is nothing, undefined where the
 * listing tells of no logs.
 */
export function auditedIn({ iamPolicy }: JsonObject, part: Part): JsonObject | null | undefined {
  if (!isObject(iamPolicy) || !Array.isArray(iamPolicy["auditConfigs"])) return undefined;
  const service = attribute(part.attributes, "service");
  const found = members(iamPolicy, "auditConfigs").find((config) => text(config, "service") === service);
  return found ?? null;
}

/** What the policy of a resource has of what a part declares. */
export function grantedIn({ iamPolicy }: JsonObject, part: Part): JsonObject {
  if (!isObject(iamPolicy)) return {};
  if (part.type.endsWith("_policy")) return { policyData: iamPolicy };
  return part.type.endsWith("_binding") ? { members: membersIn(iamPolicy, part) } : {};
}

/** Whether the policy of a resource has what a part declares; undefined where the listing has no policy. */
export function isGranted({ iamPolicy }: JsonObject, part: Part): boolean | undefined {
  if (!isObject(iamPolicy)) return undefined;
  if (part.type.endsWith("_policy")) return true;
  if (part.type.endsWith("_binding")) {
    return membersIn(iamPolicy, part).length > 0 || texts(part.attributes["members"]).length === 0;
  }
  const key = keyOf(grantIn(part));
  return grantsOf(iamPolicy).some((grant) => keyOf(grant) === key);
}

/**
 * What a live resource's policy grants beside what is declared. A binding declares all who have its role, a policy all of
 * it: what is not in those differs from them.
 */
export function grantsBeside(
  { iamPolicy }: JsonObject,
  parts: readonly Part[],
  entry: CatalogEntry | undefined,
): UndeclaredGrant[] {
  const type = entry && memberTypeOn(entry);
  const own = parts.filter((part) => isGranting(part.type));
  if (type === undefined || !isObject(iamPolicy) || own.some((part) => part.type.endsWith("_policy")))
    return [];
  const declared = new Set(
    own.map((part) => (part.type.endsWith("_binding") ? roleKey(grantIn(part)) : keyOf(grantIn(part)))),
  );
  return grantsOf(iamPolicy)
    .filter((grant) => isSomebody(grant) && !declared.has(roleKey(grant)) && !declared.has(keyOf(grant)))
    .map((grant) => ({ type, grant }));
}

function membersIn(policy: JsonObject, binding: Part): string[] {
  const key = roleKey(grantIn(binding));
  return grantsOf(policy)
    .filter((grant) => isSomebody(grant) && roleKey(grant) === key)
    .map(({ member }) => member);
}

/** What a part declares; a binding's is nobody's. */
function grantIn({ attributes }: Part): Grant {
  const [role = "", member = ""] = ["role", "member"].map((name) => attribute(attributes, name));
  const [condition] = blocks(attributes, "condition");
  return { role, member, ...(condition && { condition }) };
}

function isSomebody({ member }: Grant): boolean {
  return !NOBODY.test(member);
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
