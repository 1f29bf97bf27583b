import { isObject, type JsonObject, members, text } from "@leeway/shared/json";

import type { CatalogEntry } from "../catalog.ts";
import { catalog, declaredEntry } from "./catalog.ts";
import { attribute, blocks } from "./path-template.ts";

/** A role that somebody has on a resource. */
export interface Grant {
  role: string;
  member: string;
  condition?: JsonObject;
}

/** A thing held inline, before its keys: where it stands, its Terraform type, and what a state would hold of it. */
export interface Child {
  path: string;
  type: string;
  attributes: JsonObject;
}

const MEMBER = "_iam_member";
/** Who has access to a dataset stands in itself, whichever way it was given. */
const TOLD_BY_THEMSELVES: ReadonlySet<string> = new Set(["google_bigquery_dataset"]);

/**
 * One `…_iam_member` for each member of a `…_iam_binding` or a `…_iam_policy`; none for anything else.
 * @param memberType the Terraform type of the members, which is the canonical one of all three.
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

/** All that a policy grants, as the API or a `policy_data` writes it. */
export function grantsOf(policy: JsonObject): Grant[] {
  return members(policy, "bindings").flatMap((binding) => grantsIn(binding).map(({ grant }) => grant));
}

/** The policy that a `…_iam_policy` declares; undefined for anything else, or where it can't be read. */
export function policyIn(attributes: JsonObject): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(attribute(attributes, "policy_data") ?? "");
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As a state has it. */
export function inTerraform({ condition, ...grant }: Grant): JsonObject {
  return { ...grant, ...(condition && { condition: [condition] }) };
}

/** What the provider's ids end with: the role and the member, then the condition if there is one. */
export function nameOf({ role, member, condition }: Grant): string {
  return [role, member, ...(condition ? [conditionKey(condition)] : [])].join("/");
}

/** The same for two that grant the same: Google takes members in any case, and writes them as it likes. */
export function keyOf(grant: Grant): string {
  return nameOf(grant).toLowerCase();
}

/** The same for all who have a role under one condition. */
export function roleKey({ role, condition }: Omit<Grant, "member">): string {
  return keyOf({ role, member: "", ...(condition && { condition }) });
}

/** How the ids of what says which logs there are of a service go on. */
function auditedIn(attributes: JsonObject): string | undefined {
  const service = attribute(attributes, "service");
  return service === undefined ? undefined : `audit_config/${service}`;
}

/** The id of the resource that a declared grant, binding, policy or audit is about, in the provider's words. */
export function grantedOn(attributes: JsonObject): string | undefined {
  const id = attribute(attributes, "id");
  if (id === undefined || attribute(attributes, "policy_data") !== undefined) return id;
  const name = attribute(attributes, "role") ?? auditedIn(attributes);
  const end = name === undefined ? -1 : id.indexOf(`/${name}`);
  return end < 0 ? undefined : id.slice(0, end);
}

/** What is granted by resources of a declared type: the type of what it is granted on, and of single grants. */
export function grantTypes(type: string): { resource: CatalogEntry; member: string } | undefined {
  const member = declaredEntry(type)?.terraform[0];
  if (!member?.endsWith(MEMBER)) return undefined;
  const resource = catalog.byTerraform(member.slice(0, -MEMBER.length));
  return resource && memberTypeOn(resource) !== undefined ? { resource, member } : undefined;
}

/** The Terraform type of a grant on resources of this type; undefined where there is none. */
export function memberTypeOn({ terraform }: CatalogEntry): string | undefined {
  return terraform
    .filter((type) => !TOLD_BY_THEMSELVES.has(type))
    .map((type) => `${type}${MEMBER}`)
    .find((type) => catalog.byTerraform(type) !== undefined);
}

/** Members of a binding, with where they stand in it. */
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
