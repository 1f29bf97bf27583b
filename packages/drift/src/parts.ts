import { attribute, attributeText } from "@leeway/clouds/aws/attributes";
import type { DeclaredResource } from "@leeway/clouds/cloud";
import { cloudOfType } from "@leeway/clouds/clouds";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { auditedIn, grantedIn, isAuditing, isGranted, isGranting } from "./google-grants.ts";
import { memberOf, valueAtPath } from "./live-path.ts";
import type { Part, Row } from "./mapping.ts";
import { namesOf } from "./names.ts";

interface List {
  path: string;
  /** Members that identify an item as the part, by the part's attributes; the item itself if it is text. */
  named: Readonly<Record<string, string>>;
  /** Member of answers that also contain the list. If it is there without the list, the list is empty. */
  beside?: string;
}

/** Member that Cloud Control and AWS Config include in every complete role. */
export const TRUST = "AssumeRolePolicyDocument";
const POLICY_NAME = { name: "policyName" };
const POLICY_ARN = { policy_arn: "policyArn" };
const ATTACHED = "ManagedPolicyArns | AttachedManagedPolicies";

/** Places of parts in the whole's properties, by type. */
const LISTS: Readonly<Record<string, List>> = {
  aws_iam_role_policy: { path: "RolePolicyList | Policies", named: POLICY_NAME, beside: TRUST },
  aws_iam_role_policy_attachment: { path: ATTACHED, named: POLICY_ARN, beside: TRUST },
  aws_iam_user_policy: { path: "UserPolicyList | Policies", named: POLICY_NAME },
  aws_iam_user_policy_attachment: { path: ATTACHED, named: POLICY_ARN },
  aws_iam_group_policy: { path: "GroupPolicyList | Policies", named: POLICY_NAME },
  aws_iam_group_policy_attachment: { path: ATTACHED, named: POLICY_ARN },
  aws_eks_access_policy_association: { path: "AccessPolicies", named: POLICY_ARN },
  aws_route: {
    path: "Routes",
    named: {
      destination_cidr_block: "destinationCidrBlock",
      destination_ipv6_cidr_block: "destinationIpv6CidrBlock",
      destination_prefix_list_id: "destinationPrefixListId",
    },
  },
  aws_route_table_association: {
    path: "Associations",
    named: { subnet_id: "subnetId", gateway_id: "gatewayId" },
  },
  aws_network_acl_rule: { path: "Entries", named: { rule_number: "ruleNumber", egress: "egress" } },
  aws_ec2_managed_prefix_list_entry: { path: "Entries", named: { cidr: "cidr" } },
  aws_network_acl_association: { path: "Associations", named: { subnet_id: "subnetId" } },
  aws_cloudwatch_event_target: { path: "Targets", named: { target_id: "id" } },
  aws_route53_record: {
    path: "ResourceRecordSets",
    named: { fqdn: "name", type: "type", set_identifier: "setIdentifier" },
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

/** Reports whether a type of parts is found in a list of the whole. */
export function isListedPart(type: string): boolean {
  return Object.hasOwn(LISTS, type);
}

/** Returns a part's properties from those of the whole; empty if there are none. */
export function partIn(whole: JsonObject, part: Part): JsonObject {
  if (isGranting(part.type)) return grantedIn(whole, part);
  if (isAuditing(part.type)) return auditedIn(whole, part) ?? {};
  const list = LISTS[part.type];
  if (list === undefined) return whole;
  const found = partsIn(whole, list)?.get(nameOf(part, list));
  return isObject(found) ? found : {};
}

/** Reports whether a whole contains a part; undefined if its properties don't list all parts of that type. */
export function isThere(whole: JsonObject, part: Part): boolean | undefined {
  if (isGranting(part.type)) return isGranted(whole, part);
  if (isAuditing(part.type)) return isAudited(whole, part);
  const list = LISTS[part.type];
  if (list === undefined) return undefined;
  const names = Object.keys(list.named).flatMap((own) => attributeText(part.attributes, own) ?? []);
  if (names.length === 0 || names.some((name) => name.includes(REDACTED))) return undefined;
  return partsIn(whole, list)?.has(nameOf(part, list));
}

function isAudited(whole: JsonObject, part: Part): boolean | undefined {
  const audited = auditedIn(whole, part);
  return audited === undefined ? undefined : audited !== null;
}

const indexes = new WeakMap<JsonObject, Map<List, ReadonlyMap<string, Json>>>();

/** Returns a list's parts by name; the first one counts if names repeat. Cached, because a zone has thousands. */
function partsIn(whole: JsonObject, list: List): ReadonlyMap<string, Json> | undefined {
  const known = indexes.get(whole) ?? new Map<List, ReadonlyMap<string, Json>>();
  indexes.set(whole, known);
  const items = known.has(list) ? undefined : itemsIn(whole, list);
  if (items) known.set(list, new Map(items.toReversed().map((item) => [itemName(item, list), item])));
  return known.get(list);
}

function itemsIn(whole: JsonObject, { path, beside }: List): readonly Json[] | undefined {
  const items = valueAtPath(whole, path) ?? undefined;
  if (Array.isArray(items)) return items;
  const isEmpty = items === undefined && beside !== undefined && valueAtPath(whole, beside) !== undefined;
  return isEmpty ? [] : undefined;
}

/** Returns the name in lower case. Clouds ignore the case of parts, and some change it. */
function nameOf({ attributes }: Part, { named }: List): string {
  return joined(Object.keys(named).map((own) => attributeText(attributes, own)));
}

function itemName(item: Json, { named }: List): string {
  return joined(Object.values(named).map((name) => (isObject(item) ? memberOf(item, namesOf(name)) : item)));
}

function joined(values: readonly (Json | undefined)[]): string {
  return JSON.stringify(values.map((value) => textOf(value) ?? null));
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value.toLowerCase() : undefined;
}

/** Returns a row for an attribute that is ignored if a part of this type declares it. */
export function unlessPart(type: string, row: Row): Row {
  return {
    ...row,
    part: type,
    shape: (live, declared, whole) =>
      whole.parts.some((part) => part.type === type) ? undefined : row.shape(live, declared, whole),
  };
}

/**
 * Returns a row for a list without the items that parts add through one of these attributes.
 * @param kind suffix of these parts' types
 */
export function besideParts(names: readonly string[], row: Row, kind = ""): Row {
  return {
    ...row,
    shape(live, declared, whole) {
      if (!Array.isArray(live)) return row.shape(live, declared, whole);
      const parts = whole.parts.filter(({ type }) => type.endsWith(kind));
      const added = new Set<Json | undefined>(
        parts.flatMap(({ attributes }) => names.flatMap((name) => attribute(attributes, name))),
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
