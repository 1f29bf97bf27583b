import { isObject, type JsonObject, members, text } from "@leeway/shared/values/json";

import type { CatalogEntry } from "../catalog.ts";
import { catalog, declaredEntry } from "./catalog.ts";
import { attribute, blocks } from "./path-template.ts";

/** A role of a member on a resource. */
export interface Grant {
  role: string;
  member: string;
  condition?: JsonObject;
}

/** An inline child before it has keys: its path, its Terraform type, and its attributes in a state. */
export interface Child {
  path: string;
  type: string;
  attributes: JsonObject;
}

const MEMBER = "_iam_member";
/** Types whose own properties contain all access, however it was granted. */
const TYPES_WITH_OWN_ACCESS: ReadonlySet<string> = new Set(["google_bigquery_dataset"]);

/**
 * Returns one `…_iam_member` for each member of a `…_iam_binding` or `…_iam_policy`; none for other types.
 * @param memberType the Terraform type of the members, which is canonical for all three
 */
export function grants(attributes: JsonObject, memberType: string): Child[] {
  const resource = memberType.endsWith(MEMBER) ? grantedOn(attributes) : undefined;
  if (resource === undefined) return [];
  const policy = policyIn(attributes);
  const bindings =
    policy === undefined
      ? [{ binding: attributes, path: "" }]
      : members(policy, "bindings").map((binding, index) => ({
          binding,
          path: `policy_data.bindings[${index}].`,
        }));
  return bindings.flatMap(({ binding, path }) =>
    grantsIn(binding).map(({ grant, index }) => ({
      path: `${path}members[${index}]`,
      type: memberType,
      attributes: { id: `${resource}/${nameOf(grant)}`, ...inTerraform(grant) },
    })),
  );
}

/** Returns all grants of a policy from the API or from a `policy_data`. */
export function grantsOf(policy: JsonObject): Grant[] {
  return members(policy, "bindings").flatMap((binding) => grantsIn(binding).map(({ grant }) => grant));
}

/** Returns the policy that a `…_iam_policy` declares; undefined for other types or if it is unreadable. */
export function policyIn(attributes: JsonObject): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(attribute(attributes, "policy_data") ?? "");
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a grant as a state contains it. */
export function inTerraform({ condition, ...grant }: Grant): JsonObject {
  return { ...grant, ...(condition && { condition: [condition] }) };
}

/** Returns the end of the provider's ids: the role, the member, and the condition if there is one. */
export function nameOf({ role, member, condition }: Grant): string {
  return [role, member, ...(condition ? [conditionKey(condition)] : [])].join("/");
}

/** Returns a key that is equal for equal grants. Google ignores the case of members and may change it. */
export function keyOf(grant: Grant): string {
  return nameOf(grant).toLowerCase();
}

/** Returns a key shared by all members with a role under one condition. */
export function roleKey({ role, condition }: Omit<Grant, "member">): string {
  return keyOf({ role, member: "", ...(condition && { condition }) });
}

/** Returns the part of an audit config's id that follows the resource. */
function auditedIn(attributes: JsonObject): string | undefined {
  const service = attribute(attributes, "service");
  return service === undefined ? undefined : `audit_config/${service}`;
}

/**
 * Returns the id, in the provider's notation, of the resource that a grant, binding, policy or audit config applies to.
 */
export function grantedOn(attributes: JsonObject): string | undefined {
  const id = attribute(attributes, "id");
  if (id === undefined || attribute(attributes, "policy_data") !== undefined) return id;
  const name = attribute(attributes, "role") ?? auditedIn(attributes);
  const end = name === undefined ? -1 : id.indexOf(`/${name}`);
  return end < 0 ? undefined : id.slice(0, end);
}

/** Returns the type that a declared type grants access to, and the type of single grants. */
export function grantTypes(type: string): { resource: CatalogEntry; member: string } | undefined {
  const member = declaredEntry(type)?.terraform[0];
  if (!member?.endsWith(MEMBER)) return undefined;
  const resource = catalog.byTerraform(member.slice(0, -MEMBER.length));
  return resource && memberTypeOn(resource) !== undefined ? { resource, member } : undefined;
}

/** Returns the Terraform type of grants on resources of this type; undefined if there is none. */
export function memberTypeOn({ terraform }: CatalogEntry): string | undefined {
  return terraform
    .filter((type) => !TYPES_WITH_OWN_ACCESS.has(type))
    .map((type) => `${type}${MEMBER}`)
    .find((type) => catalog.byTerraform(type) !== undefined);
}

/** Returns the grants in a binding, with their index. */
function grantsIn(binding: JsonObject): { grant: Grant; index: number }[] {
  const { members: granted } = binding;
  const role = attribute(binding, "role");
  if (role === undefined || !Array.isArray(granted)) return [];
  const [condition] = blocks(binding, "condition");
  return granted.flatMap((member, index) =>
    typeof member === "string" ? [{ grant: { role, member, ...(condition && { condition }) }, index }] : [],
  );
}

function conditionKey(condition: JsonObject): string {
  return ["title", "description", "expression"].map((part) => text(condition, part) ?? "").join("/");
}
