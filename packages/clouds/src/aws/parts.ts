import type { JsonObject } from "@leeway/shared/values/json";
import { once } from "@leeway/shared/values/once";

import type { DeclaredResource, MatchKey } from "../cloud.ts";
import { attributeText, attributeTexts } from "./attributes.ts";
import { isGlobal } from "./global-types.ts";
import { declaredIdentity } from "./keys.ts";
import { isNamed, resolveType } from "./types.ts";

/** Resource that contains a part. `id` is the part's attribute with its id, or several attributes joined by `|`. */
interface Whole {
  type: string;
  id: string;
}

/** Containing resources, by the part's type. */
const WHOLES: ReadonlyMap<string, readonly Whole[]> = Map.groupBy(
  Object.entries({
    aws_security_group: { security_group_id: "aws_security_group_rule" },
    aws_route_table: { route_table_id: "aws_route aws_route_table_association" },
    aws_network_acl: { network_acl_id: "aws_network_acl_rule aws_network_acl_association" },
    aws_iam_role: {
      role: "aws_iam_role_policy aws_iam_role_policy_attachment",
      roles: "aws_iam_policy_attachment",
      role_name: "aws_iam_role_policies_exclusive aws_iam_role_policy_attachments_exclusive",
    },
    aws_iam_user: {
      user: "aws_iam_user_policy aws_iam_user_policy_attachment aws_iam_user_group_membership",
      users: "aws_iam_policy_attachment aws_iam_group_membership",
      user_name: "aws_iam_user_policies_exclusive aws_iam_user_policy_attachments_exclusive",
    },
    aws_iam_group: {
      group: "aws_iam_group_policy aws_iam_group_policy_attachment",
      groups: "aws_iam_policy_attachment",
      group_name: "aws_iam_group_policies_exclusive aws_iam_group_policy_attachments_exclusive",
    },
    aws_autoscaling_group: { autoscaling_group_name: "aws_autoscaling_attachment" },
    aws_vpc_endpoint: {
      vpc_endpoint_id: `aws_vpc_endpoint_policy aws_vpc_endpoint_route_table_association
      aws_vpc_endpoint_subnet_association aws_vpc_endpoint_security_group_association`,
    },
    aws_kms_key: { key_id: "aws_kms_key_policy" },
    aws_sqs_queue: { queue_url: "aws_sqs_queue_policy aws_sqs_queue_redrive_policy" },
    aws_sns_topic: { arn: "aws_sns_topic_policy" },
    aws_opensearch_domain: { domain_name: "aws_opensearch_domain_policy" },
    aws_wafv2_web_acl: { web_acl_arn: "aws_wafv2_web_acl_rule aws_wafv2_web_acl_rule_group_association" },
    aws_s3_bucket: {
      bucket: `aws_s3_bucket_acl aws_s3_bucket_logging aws_s3_bucket_ownership_controls aws_s3_bucket_policy
      aws_s3_bucket_public_access_block aws_s3_bucket_server_side_encryption_configuration aws_s3_bucket_versioning
      aws_s3_bucket_lifecycle_configuration aws_s3_bucket_cors_configuration aws_s3_bucket_website_configuration
      aws_s3_bucket_replication_configuration aws_s3_bucket_notification
      aws_s3_bucket_object_lock_configuration`,
    },
    aws_ecr_repository: { repository: "aws_ecr_repository_policy aws_ecr_lifecycle_policy" },
    aws_efs_file_system: { file_system_id: "aws_efs_file_system_policy aws_efs_backup_policy" },
    aws_dynamodb_table: { resource_arn: "aws_dynamodb_resource_policy" },
    aws_api_gateway_rest_api: { rest_api_id: "aws_api_gateway_rest_api_policy" },
    aws_eks_access_entry: { "principal_arn|cluster_name": "aws_eks_access_policy_association" },
    aws_route53_zone: { zone_id: "aws_route53_record" },
    aws_redshift_cluster: { cluster_identifier: "aws_redshift_cluster_iam_roles" },
    aws_backup_vault: { backup_vault_name: "aws_backup_vault_policy aws_backup_vault_lock_configuration" },
    aws_cloudwatch_event_rule: { rule: "aws_cloudwatch_event_target" },
    aws_ec2_managed_prefix_list: { prefix_list_id: "aws_ec2_managed_prefix_list_entry" },
  }).flatMap(([type, parts]) =>
    Object.entries(parts).flatMap(([id, names]) => names.split(/\s+/).map((part) => ({ part, type, id }))),
  ),
  ({ part }) => part,
);

/** Returns the types of parts that refer to their containing resource by a name that is unique only within a region. */
export const partsByName = once((): readonly string[] =>
  [...WHOLES].filter(([, wholes]) => wholes.some(({ type }) => isOneOfARegion(type))).map(([part]) => part),
);

function isOneOfARegion(type: string): boolean {
  const { entry } = resolveType(type);
  return entry !== undefined && isNamed(entry) && !isGlobal(entry.type);
}

/** Returns keys of the resources that contain this part. A listing shows the part inside them. */
export function wholeKeys({ type, attributes }: DeclaredResource): MatchKey[] {
  return (WHOLES.get(resolveType(type).key) ?? []).flatMap((whole) => {
    const names = whole.id.split("|");
    if (names.length > 1) return keysOf(whole.type, namedBy(attributes, names));
    const id = whole.id === "rule" ? ruleId(attributes) : attributeText(attributes, whole.id);
    const ids = id === undefined ? attributeTexts(attributes, whole.id).map(({ value }) => value) : [id];
    return ids.flatMap((one) => keysOf(whole.type, { id: one }));
  });
}

/** Returns the id of an event target's rule. The default bus isn't in it. */
function ruleId(attributes: JsonObject): string | undefined {
  const [rule, bus = ""] = ["rule", "event_bus_name"].map((name) => attributeText(attributes, name));
  return rule === undefined || /^(?:default)?$/.test(bus) ? rule : `${bus.replace(/^.*\//, "")}/${rule}`;
}

function namedBy(attributes: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = attributeText(attributes, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the keys except those by name, which other regions may reuse. */
function keysOf(type: string, attributes: JsonObject): MatchKey[] {
  const { keys } = declaredIdentity({ address: "", type, attributes });
  return keys.filter((key) => /^[23]:/.test(key));
}
