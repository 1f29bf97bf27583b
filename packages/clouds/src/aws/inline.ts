import type { JsonObject } from "@leeway/shared/values/json";

import type { DeclaredIdentity, DeclaredResource, MatchKey } from "../cloud.ts";
import { attribute, attributeText, attributeTexts, blocks } from "./attributes.ts";
import { declaredIdentity, idKey, inlineKey } from "./keys.ts";
import { aclEntryId, groupRuleContent } from "./network-rules.ts";
import { resolveType } from "./types.ts";

/** An inline child before it has its address and account. */
interface Child {
  /** Path in the parent's attributes: `ingress[0].cidr_blocks[1]`. */
  path: string;
  type: string;
  attributes: JsonObject;
  key: MatchKey;
}

type Expand = (attributes: JsonObject) => Child[];

/**
 * Returns the children that a resource declares inline, with keys from their content, and the stack that contains it.
 */
export function inlineChildren(resource: DeclaredResource): (DeclaredResource & DeclaredIdentity)[] {
  const stack = stackOf(resource);
  const expand = EXPANSIONS.get(resolveType(resource.type).key);
  if (expand === undefined) return stack;
  const { identity: _, ...parent } = { ...resource, ...declaredIdentity(resource) };
  return [...stack, ...expand(resource.attributes).map((child) => childOf(parent, child))];
}

/**
 * Returns the CloudFormation stack of a resource. Every resource of a stack declares the stack. If another source
 * declares the stack as a resource, that declaration comes first.
 */
function stackOf({
  stack_id: id,
  provider_config,
}: DeclaredResource): (DeclaredResource & DeclaredIdentity)[] {
  if (id === undefined) return [];
  const stack = { address: id, type: "AWS::CloudFormation::Stack", attributes: { id } };
  return [
    { ...stack, ...declaredIdentity(stack), ...(provider_config !== undefined && { provider_config }) },
  ];
}

function childOf(
  parent: DeclaredResource & DeclaredIdentity,
  child: Child,
): DeclaredResource & DeclaredIdentity {
  const { path, type, attributes, key } = child;
  return { ...parent, address: `${parent.address}.${path}`, type, attributes, keys: [key] };
}

const EXPANSIONS = new Map<string, Expand>([
  ["aws_security_group", groupRules],
  ["aws_network_acl", aclEntries],
  ["aws_route_table", routes],
  ["aws_instance", instanceParts],
  ["aws_spot_instance_request", spotParts],
  ["aws_iam_role", rolePolicies],
  ["aws_iam_policy_attachment", policyAttachments],
  ["aws_s3_bucket", bucketParts],
]);

function groupRules(attributes: JsonObject): Child[] {
  const group = attributeText(attributes, "id");
  if (group === undefined) return [];
  return ["ingress", "egress"].flatMap((direction) =>
    blocks(attributes, direction).flatMap(({ path, block }) =>
      peers(block, group).map((peer) => {
        const rule = {
          group,
          egress: direction === "egress",
          protocol: attribute(block, "protocol"),
          fromPort: attribute(block, "from_port"),
          toPort: attribute(block, "to_port"),
          peer: peer.value,
        };
        return {
          path: `${path}.${peer.path}`,
          type: "aws_security_group_rule",
          attributes: { ...block, type: direction, security_group_id: group },
          key: inlineKey("aws_security_group_rule", groupRuleContent(rule)),
        };
      }),
    ),
  );
}

/** Returns each source or target of a rule, because AWS creates one rule for each. */
function peers(block: JsonObject, group: string): { path: string; value: string }[] {
  const listed = ["cidr_blocks", "ipv6_cidr_blocks", "prefix_list_ids", "security_groups"].flatMap((name) =>
    attributeTexts(block, name),
  );
  return attribute(block, "self") === true ? [...listed, { path: "self", value: group }] : listed;
}

function aclEntries(attributes: JsonObject): Child[] {
  const acl = attributeText(attributes, "id");
  if (acl === undefined) return [];
  return ["ingress", "egress"].flatMap((direction) =>
    blocks(attributes, direction).flatMap(({ path, block }) => {
      const number = attribute(block, "rule_no");
      if (number === undefined) return [];
      const egress = direction === "egress";
      return {
        path,
        type: "aws_network_acl_rule",
        attributes: { ...block, egress, rule_number: number, network_acl_id: acl },
        key: inlineKey("aws_network_acl_rule", aclEntryId(acl, egress, number)),
      };
    }),
  );
}

const DESTINATIONS = [
  ["cidr_block", "destination_cidr_block"],
  ["ipv6_cidr_block", "destination_ipv6_cidr_block"],
  ["destination_prefix_list_id", "destination_prefix_list_id"],
] as const;

function routes(attributes: JsonObject): Child[] {
  const table = attributeText(attributes, "id");
  if (table === undefined) return [];
  return blocks(attributes, "route").flatMap(({ path, block }) =>
    DESTINATIONS.flatMap(([inline, standalone]) => {
      const destination = attributeText(block, inline);
      if (destination === undefined) return [];
      return {
        path,
        type: "aws_route",
        attributes: { ...block, route_table_id: table, [standalone]: destination },
        key: inlineKey("aws_route", `${table}|${destination}`),
      };
    }),
  );
}

/**
 * Returns the volumes and the interface that AWS creates with an instance. A volume that is attached later is also
 * listed among the block devices, but isn't deleted with the instance.
 */
function instanceParts(attributes: JsonObject): Child[] {
  const volumes = [
    ...blocks(attributes, "root_block_device"),
    ...blocks(attributes, "ebs_block_device").filter(
      ({ block }) => attribute(block, "delete_on_termination") === true,
    ),
  ].flatMap(({ path, block }) => part("aws_ebs_volume", path, attributeText(block, "volume_id")));
  const chosen = [
    ...blocks(attributes, "network_interface"),
    ...blocks(attributes, "primary_network_interface"),
  ];
  if (chosen.some(({ block }) => attribute(block, "delete_on_termination") !== true)) return volumes;
  const path = "primary_network_interface_id";
  return [...volumes, ...part("aws_network_interface", path, attributeText(attributes, path))];
}

/** Returns the instance of a fulfilled spot request, which has the same attributes as a declared instance. */
function spotParts(attributes: JsonObject): Child[] {
  const path = "spot_instance_id";
  return [...part("aws_instance", path, attributeText(attributes, path)), ...instanceParts(attributes)];
}

function part(type: string, path: string, id: string | undefined): Child[] {
  return id === undefined ? [] : [{ path, type, attributes: { id }, key: idKey(type, id) }];
}

function rolePolicies(attributes: JsonObject): Child[] {
  const role = attributeText(attributes, "name");
  if (role === undefined) return [];
  const inline = blocks(attributes, "inline_policy").flatMap(({ path, block }) => {
    const name = attributeText(block, "name");
    if (name === undefined) return [];
    return {
      path,
      type: "aws_iam_role_policy",
      attributes: { ...block, role },
      key: inlineKey("aws_iam_role_policy", `${name}|${role}`),
    };
  });
  return [
    ...inline,
    ...attributeTexts(attributes, "managed_policy_arns").map(({ path, value }) =>
      attachment({ path, kind: "role", principal: role, policy: value }),
    ),
  ];
}

function policyAttachments(attributes: JsonObject): Child[] {
  const policy = attributeText(attributes, "policy_arn");
  if (policy === undefined) return [];
  return (["user", "role", "group"] as const).flatMap((kind) =>
    attributeTexts(attributes, `${kind}s`).map(({ path, value }) =>
      attachment({ path, kind, principal: value, policy }),
    ),
  );
}

function attachment(of: {
  path: string;
  kind: "user" | "role" | "group";
  principal: string;
  policy: string;
}): Child {
  const type = `aws_iam_${of.kind}_policy_attachment`;
  return {
    path: of.path,
    type,
    attributes: { [of.kind]: of.principal, policy_arn: of.policy },
    key: inlineKey(type, `${of.principal}|${of.policy}`),
  };
}

/** Bucket settings in provider versions below 4. Since version 4, each is a separate resource. */
const BUCKET_PARTS = [
  ["acceleration_status", "aws_s3_bucket_accelerate_configuration"],
  ["acl", "aws_s3_bucket_acl"],
  ["cors_rule", "aws_s3_bucket_cors_configuration"],
  ["lifecycle_rule", "aws_s3_bucket_lifecycle_configuration"],
  ["logging", "aws_s3_bucket_logging"],
  ["object_lock_configuration", "aws_s3_bucket_object_lock_configuration"],
  ["policy", "aws_s3_bucket_policy"],
  ["replication_configuration", "aws_s3_bucket_replication_configuration"],
  ["request_payer", "aws_s3_bucket_request_payment_configuration"],
  ["server_side_encryption_configuration", "aws_s3_bucket_server_side_encryption_configuration"],
  ["versioning", "aws_s3_bucket_versioning"],
  ["website", "aws_s3_bucket_website_configuration"],
] as const;

function bucketParts(attributes: JsonObject): Child[] {
  const bucket = attributeText(attributes, "bucket") ?? attributeText(attributes, "id");
  if (bucket === undefined) return [];
  return BUCKET_PARTS.flatMap(([path, type]) => {
    const value = attribute(attributes, path);
    if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0))
      return [];
    return { path, type, attributes: { bucket, [path]: value }, key: inlineKey(type, bucket) };
  });
}
