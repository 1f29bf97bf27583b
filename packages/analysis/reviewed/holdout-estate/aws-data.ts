import type { JsonObject } from "@leeway/shared/values/json";

import { cartsTable, KEY_ARN } from "../estate/aws-data.ts";
import { ACCOUNT, tagged } from "../estate/aws-network.ts";
import { policyDocument } from "../plan.ts";

const DOMAIN_ARN = `arn:aws:es:eu-central-1:${ACCOUNT}:domain/support-search`;
export const ANYONE_SEARCHES: JsonObject = {
  Principal: { AWS: "*" },
  Action: "es:ESHttp*",
  Resource: `${DOMAIN_ARN}/*`,
};
/** The policy of a domain inside a VPC that accepts any principal. */
export const ANYONE_IN_VPC = policyDocument({
  Principal: { AWS: "*" },
  Action: "es:*",
  Resource: `arn:aws:es:eu-central-1:${ACCOUNT}:domain/catalog-search/*`,
});
export const domainPolicy = (statement: JsonObject): JsonObject => ({
  id: "esd-policy-support-search",
  domain_name: "support-search",
  access_policies: policyDocument(statement),
});
export const collectionNetwork = (AllowFromPublic: boolean): JsonObject => ({
  id: "support",
  name: "support",
  type: "network",
  description: "",
  policy: JSON.stringify([
    {
      Rules: [{ ResourceType: "collection", Resource: ["collection/support"] }],
      AllowFromPublic,
      ...(AllowFromPublic ? {} : { SourceVPCEs: ["vpce-0d1c2b3a4f5e67089"] }),
    },
  ]),
  policy_version: "MTcwOTI4",
});
export const kafka: JsonObject = {
  id: `arn:aws:kafka:eu-central-1:${ACCOUNT}:cluster/events/1f0e2d3c`,
  arn: `arn:aws:kafka:eu-central-1:${ACCOUNT}:cluster/events/1f0e2d3c`,
  cluster_name: "events",
  kafka_version: "3.6.0",
  number_of_broker_nodes: 3,
  enhanced_monitoring: "DEFAULT",
  storage_mode: "LOCAL",
  broker_node_group_info: [
    {
      instance_type: "kafka.m7g.large",
      client_subnets: ["subnet-0a94b1c7e6d25f381", "subnet-0d2e3f4a5b6c71890"],
      security_groups: ["sg-0e4f5a6b7c8d91230"],
      connectivity_info: [{ public_access: [{ type: "DISABLED" }], vpc_connectivity: [] }],
      storage_info: [{ ebs_storage_info: [{ volume_size: 500, provisioned_throughput: [] }] }],
    },
  ],
  client_authentication: [{ unauthenticated: false, sasl: [{ iam: true, scram: false }], tls: [] }],
  encryption_info: [
    {
      encryption_at_rest_kms_key_arn: KEY_ARN,
      encryption_in_transit: [{ client_broker: "TLS", in_cluster: true }],
    },
  ],
  ...tagged("events"),
};
export const redshiftParameters = (requireSsl: string, scaling: string): JsonObject => ({
  id: "warehouse",
  arn: `arn:aws:redshift:eu-central-1:${ACCOUNT}:parametergroup:warehouse`,
  name: "warehouse",
  family: "redshift-1.0",
  description: "Managed by Terraform",
  parameter: [
    { name: "require_ssl", value: requireSsl },
    { name: "max_concurrency_scaling_clusters", value: scaling },
  ],
  ...tagged("warehouse"),
});
export const workgroup: JsonObject = {
  id: "adhoc",
  arn: `arn:aws:redshift-serverless:eu-central-1:${ACCOUNT}:workgroup/2f7d`,
  workgroup_name: "adhoc",
  namespace_name: "adhoc",
  base_capacity: 32,
  max_capacity: 128,
  config_parameter: [{ parameter_key: "require_ssl", parameter_value: "true" }],
  enhanced_vpc_routing: true,
  port: 5439,
  publicly_accessible: false,
  security_group_ids: ["sg-0e4f5a6b7c8d91230"],
  subnet_ids: ["subnet-0a94b1c7e6d25f381", "subnet-0d2e3f4a5b6c71890"],
  ...tagged("adhoc"),
};
export const index = (name: string, hash_key: string): JsonObject => ({
  name,
  hash_key,
  range_key: "",
  projection_type: "ALL",
  non_key_attributes: [],
  read_capacity: 0,
  write_capacity: 0,
});
export const tablePolicy = (statement: JsonObject): JsonObject => ({
  id: cartsTable["arn"] ?? null,
  resource_arn: cartsTable["arn"] ?? null,
  confirm_remove_self_resource_access: false,
  policy: policyDocument({ Action: ["dynamodb:GetItem", "dynamodb:Query"], Resource: "*", ...statement }),
  revision_id: "1709281234567",
});
export const clicks: JsonObject = {
  id: `arn:aws:kinesis:eu-central-1:${ACCOUNT}:stream/clicks`,
  arn: `arn:aws:kinesis:eu-central-1:${ACCOUNT}:stream/clicks`,
  name: "clicks",
  encryption_type: "KMS",
  kms_key_id: "alias/aws/kinesis",
  enforce_consumer_deletion: false,
  retention_period: 168,
  shard_count: 8,
  shard_level_metrics: [],
  stream_mode_details: [{ stream_mode: "PROVISIONED" }],
  ...tagged("clicks"),
};
