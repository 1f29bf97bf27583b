import type { Json } from "@leeway/shared/values/json";

/** A resource type that declares separately what another type has a block for. */
export interface Standalone {
  type: string;
  /** Its attribute that refers to the other resource, and the attribute it refers to. */
  link: readonly [string, string];
  /** Attribute values required to replace this block. */
  where?: Readonly<Record<string, Json>>;
  /** Its attribute with the item, if the block lists no objects. */
  value?: string;
  /** Attributes that identify an item of the block; without them, all of the item's attributes. */
  keys?: readonly string[];
  /** Its attribute names where they differ from the block's. */
  names?: Readonly<Record<string, string>>;
}

const bucket = (part: string, value?: string): readonly Standalone[] => [
  { type: `aws_s3_bucket_${part}`, link: ["bucket", "id"], ...(value !== undefined && { value }) },
];
const RULE_NAMES = {
  cidr_blocks: "cidr_ipv4",
  ipv6_cidr_blocks: "cidr_ipv6",
  prefix_list_ids: "prefix_list_id",
  protocol: "ip_protocol",
  security_groups: "referenced_security_group_id",
};
const rules = (type: string): readonly Standalone[] => [
  {
    type: "aws_security_group_rule",
    link: ["security_group_id", "id"],
    where: { type },
    names: { security_groups: "source_security_group_id" },
  },
  { type: `aws_vpc_security_group_${type}_rule`, link: ["security_group_id", "id"], names: RULE_NAMES },
];
const aclRules = (egress: boolean): readonly Standalone[] => [
  { type: "aws_network_acl_rule", link: ["network_acl_id", "id"], where: { egress } },
];

/** Standalone types that can replace a block, by the block's type and path. */
export const STANDALONE: Readonly<Record<string, readonly Standalone[]>> = {
  "aws_autoscaling_group.load_balancers": [
    { type: "aws_autoscaling_attachment", link: ["autoscaling_group_name", "id"], value: "elb" },
  ],
  "aws_autoscaling_group.target_group_arns": [
    {
      type: "aws_autoscaling_attachment",
      link: ["autoscaling_group_name", "id"],
      value: "lb_target_group_arn",
    },
  ],
  "aws_elb.instances": [{ type: "aws_elb_attachment", link: ["elb", "id"], value: "instance" }],
  "aws_iam_role.inline_policy": [{ type: "aws_iam_role_policy", link: ["role", "name"] }],
  "aws_iam_role.managed_policy_arns": [
    { type: "aws_iam_role_policy_attachment", link: ["role", "name"], value: "policy_arn" },
  ],
  "aws_instance.ebs_block_device": [
    { type: "aws_volume_attachment", link: ["instance_id", "id"], keys: ["device_name", "volume_id"] },
  ],
  "aws_network_acl.egress": aclRules(true),
  "aws_network_acl.ingress": aclRules(false),
  "aws_route_table.route": [{ type: "aws_route", link: ["route_table_id", "id"] }],
  "aws_s3_bucket.cors_rule": bucket("cors_configuration"),
  "aws_s3_bucket.grant": bucket("acl"),
  "aws_s3_bucket.lifecycle_rule": bucket("lifecycle_configuration"),
  "aws_s3_bucket.logging": bucket("logging"),
  "aws_s3_bucket.policy": bucket("policy", "policy"),
  "aws_s3_bucket.replication_configuration": bucket("replication_configuration"),
  "aws_s3_bucket.server_side_encryption_configuration": bucket("server_side_encryption_configuration"),
  "aws_s3_bucket.versioning": bucket("versioning"),
  "aws_s3_bucket.website": bucket("website_configuration"),
  "aws_security_group.egress": rules("egress"),
  "aws_security_group.ingress": rules("ingress"),
  "aws_sns_topic.policy": [{ type: "aws_sns_topic_policy", link: ["arn", "arn"], value: "policy" }],
  "aws_sqs_queue.policy": [{ type: "aws_sqs_queue_policy", link: ["queue_url", "id"], value: "policy" }],
  "azurerm_network_security_group.security_rule": [
    { type: "azurerm_network_security_rule", link: ["network_security_group_name", "name"] },
  ],
  "azurerm_route_table.route": [{ type: "azurerm_route", link: ["route_table_name", "name"] }],
  "azurerm_virtual_network.subnet": [
    { type: "azurerm_subnet", link: ["virtual_network_name", "name"], keys: ["name"] },
  ],
  "google_compute_instance.attached_disk": [
    { type: "google_compute_attached_disk", link: ["instance", "name"] },
  ],
  "google_container_cluster.node_pool": [
    { type: "google_container_node_pool", link: ["cluster", "name"], keys: ["name"] },
  ],
};
