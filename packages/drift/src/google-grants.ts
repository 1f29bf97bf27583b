import type { CatalogEntry } from "@leeway/clouds/catalog";
import { grantsOf, keyOf, memberTypeOn, policyIn, roleKey, type Grant } from "@leeway/clouds/gcp/iam";
import { attribute, blocks } from "@leeway/clouds/gcp/path-template";
import { isObject, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { Part, Shape, TypeMapping } from "./mapping.ts";
import { leavingOut } from "./mappings/gcp/rows.ts";
import { row } from "./shapes.ts";

const GRANTING = /^google_\w+_iam_(?:member|binding|policy)$/;

const AUDITING = /^google_\w+_iam_audit_config$/;

/** Members of deleted accounts. Google keeps their roles under this prefix, but they no longer grant access. */
const NOBODY = /^deleted:/i;

/** A role that a member has on a live resource, and the Terraform type that would declare it. */
export interface UndeclaredGrant {
  type: string;
  grant: Grant;
}

/** Reports whether a Terraform type grants access: a member of a role, a whole role, or a whole policy. */
export function isGranting(type: string): boolean {
  return GRANTING.test(type);
}

/** Reports whether a Terraform type declares audit logs of a service. */
export function isAuditing(type: string): boolean {
  return AUDITING.test(type);
}

/** Compares members, ignoring order and case. */
const sameMembers: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const known = texts(declared);
  const [has, had] = [live, known].map((side) => new Set(texts(side).map(lowerCase)));
  const kept = known.filter((member) => has?.has(lowerCase(member)) || NOBODY.test(member));
  const added = texts(live).filter((member) => !had?.has(lowerCase(member)));
  return added.length === 0 && kept.length === known.length ? declared : [...kept, ...added];
};

/** Compares a policy as `google_iam_policy` writes it. Its audit configs stay as declared. */
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

/** Returns the rows of a type that grants access or declares audit logs; undefined for other types. */
export function grantRows(type: string): TypeMapping | undefined {
  if (isAuditing(type)) return AUDIT_ROWS;
  return isGranting(type) ? ROWS : undefined;
}

/**
 * Returns the audit config in a resource's policy that a part declares; null if
 * it is missing. Returns undefined if the listing contains no audit configs.
 */
export function auditedIn({ iamPolicy }: JsonObject, part: Part): JsonObject | null | undefined {
  if (!isObject(iamPolicy) || !Array.isArray(iamPolicy["auditConfigs"])) return undefined;
  const service = attribute(part.attributes, "service");
  const found = members(iamPolicy, "auditConfigs").find((config) => text(config, "service") === service);
  return found ?? null;
}

/** Returns the content of a resource's policy that a part declares. */
export function grantedIn({ iamPolicy }: JsonObject, part: Part): JsonObject {
  if (!isObject(iamPolicy)) return {};
  if (part.type.endsWith("_policy")) return { policyData: iamPolicy };
  return part.type.endsWith("_binding") ? { members: membersIn(iamPolicy, part) } : {};
}

/** Reports whether a resource's policy contains what a part declares; undefined if the listing has no policy. */
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
 * Returns undeclared grants in a live resource's policy. A binding declares all members of its role, and a policy
 * declares everything: deviations are differences of these resources.
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

/** Returns the grant that a part declares; a binding's has no member. */
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
