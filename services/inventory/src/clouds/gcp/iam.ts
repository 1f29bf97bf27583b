import { isObject, type JsonObject, members, text } from "@leeway/shared/json";

import { attribute, blocks } from "./path-template.ts";

/** A thing held inline, before its keys: where it stands, its Terraform type, and what a state would hold of it. */
export interface Child {
  path: string;
  type: string;
  attributes: JsonObject;
}

/**
 * One `…_iam_member` for each member of a `…_iam_binding` or a `…_iam_policy`; none for anything else.
 * @param memberType the Terraform type of the members, which is the canonical one of all three.
 */
export function grants(attributes: JsonObject, memberType: string): Child[] {
  const id = attribute(attributes, "id");
  if (id === undefined || !memberType.endsWith("_iam_member")) return [];
  const policy = attribute(attributes, "policy_data");
  if (policy !== undefined) {
    return members(parsed(policy), "bindings").flatMap((binding, index) =>
      grantsOf(binding, { resource: id, type: memberType, path: `policy_data.bindings[${index}].` }),
    );
  }
  const role = attribute(attributes, "role");
  const end = role === undefined ? -1 : id.indexOf(`/${role}`);
  return end < 0 ? [] : grantsOf(attributes, { resource: id.slice(0, end), type: memberType, path: "" });
}

/** The ids are the provider's: the resource, the role and the member, then the condition if there is one. */
function grantsOf(
  binding: JsonObject,
  { resource, type, path }: { resource: string; type: string; path: string },
): Child[] {
  const { members: granted } = binding;
  const role = text(binding, "role");
  if (role === undefined || !Array.isArray(granted)) return [];
  const [condition] = blocks(binding, "condition");
  const suffix = condition === undefined ? "" : `/${conditionKey(condition)}`;
  return granted.flatMap((grantee, index) => {
    if (typeof grantee !== "string") return [];
    const id = `${resource}/${role}/${grantee}${suffix}`;
    const attributes = { id, role, member: grantee, ...(condition && { condition: [condition] }) };
    return { path: `${path}members[${index}]`, type, attributes };
  });
}

function conditionKey(condition: JsonObject): string {
  return ["title", "description", "expression"].map((part) => text(condition, part) ?? "").join("/");
}

function parsed(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
