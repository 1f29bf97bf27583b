import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import { attributeText } from "../../clouds/aws/attributes.ts";
import type { DeclaredResource } from "../../clouds/cloud.ts";
import { cloudOfType } from "../../clouds/clouds.ts";
import { memberOf, valueAtPath } from "./live-path.ts";
import type { Part, Row } from "./mapping.ts";
import { namesOf } from "./names.ts";

/**
 * Where the parts of one type are among the properties of the whole: the list, and the members that tell which of its
 * items is the part, by the part's attributes.
 */
const LISTS: Readonly<Record<string, { path: string; named: Readonly<Record<string, string>> }>> = {
  aws_iam_role_policy: { path: "RolePolicyList | Policies", named: { name: "policyName" } },
  aws_iam_user_policy: { path: "UserPolicyList | Policies", named: { name: "policyName" } },
  aws_iam_group_policy: { path: "GroupPolicyList | Policies", named: { name: "policyName" } },
  aws_route: {
    path: "Routes",
    named: {
      destination_cidr_block: "destinationCidrBlock",
      destination_ipv6_cidr_block: "destinationIpv6CidrBlock",
      destination_prefix_list_id: "destinationPrefixListId",
    },
  },
  azurerm_route: { path: "properties.routes | routes", named: { name: "name" } },
  azurerm_kubernetes_cluster_node_pool: {
    path: "properties.agentPoolProfiles | agentPoolProfiles",
    named: { name: "name" },
  },
  google_compute_router_nat: { path: "nats", named: { name: "name" } },
  azurerm_network_security_rule: {
    path: "properties.securityRules | securityRules",
    named: { name: "name" },
  },
  azurerm_key_vault_access_policy: {
    path: "properties.accessPolicies | accessPolicies",
    named: { object_id: "objectId", application_id: "applicationId" },
  },
};

export function partOf({ type, attributes }: Pick<DeclaredResource, "type" | "attributes">): Part {
  return { type: cloudOfType(type).bridgedType(type) ?? type, attributes };
}

/** What the properties of the whole tell of a part of it; empty where that is nothing. */
export function partIn(whole: JsonObject, { type, attributes }: Part): JsonObject {
  const place = LISTS[type];
  if (place === undefined) return whole;
  const items = valueAtPath(whole, place.path);
  const named = Object.entries(place.named).map(
    ([own, name]) => [attributeText(attributes, own), name] as const,
  );
  const isPart = (item: Json): boolean =>
    named.every(([own, name]) => own === (memberOf(item, namesOf(name)) ?? undefined));
  const isNamed = named.some(([own]) => own !== undefined);
  const found = isNamed && Array.isArray(items) ? items.find(isPart) : undefined;
  return isObject(found) ? found : {};
}

/** An attribute that a part of this type declares in place of the whole, where there is one. */
export function unlessPart(type: string, row: Row): Row {
  return {
    ...row,
    shape: (live, declared, whole) =>
      whole.parts.some((part) => part.type === type) ? undefined : row.shape(live, declared, whole),
  };
}

/** A list to which parts add what they have as one of these attributes: in the whole that is nothing new. */
export function besideParts(names: readonly string[], row: Row): Row {
  return {
    ...row,
    shape(live, declared, whole) {
      if (!Array.isArray(live)) return row.shape(live, declared, whole);
      const added = new Set<Json | undefined>(
        whole.parts.flatMap(({ attributes }) => names.map((name) => attributeText(attributes, name))),
      );
      for (const own of Array.isArray(declared) ? declared : []) added.delete(own);
      return row.shape(
        live.filter((item) => !added.has(item)),
        declared,
        whole,
      );
    },
  };
}
