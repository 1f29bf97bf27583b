import type { JsonObject } from "@leeway/shared/values/json";

import { policyDocument } from "../plan.ts";
import { KEY_ARN } from "./aws-data.ts";
import { ACCOUNT, tagged } from "./aws-network.ts";

/** The default statement of a new key's policy: the account's IAM decides. */
export const OWN_ACCOUNT_STATEMENT: JsonObject = {
  Sid: "Enable IAM User Permissions",
  Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` },
  Action: "kms:*",
  Resource: "*",
};

export const dataKey: JsonObject = {
  id: "7c1d9b52-0e3f-4a68-b7f4-2d90a1c6e853",
  key_id: "7c1d9b52-0e3f-4a68-b7f4-2d90a1c6e853",
  arn: KEY_ARN,
  description: "Data of the shop",
  customer_master_key_spec: "SYMMETRIC_DEFAULT",
  key_usage: "ENCRYPT_DECRYPT",
  deletion_window_in_days: 30,
  enable_key_rotation: true,
  rotation_period_in_days: 365,
  is_enabled: true,
  multi_region: false,
  bypass_policy_lockout_safety_check: false,
  policy: policyDocument(OWN_ACCOUNT_STATEMENT),
  ...tagged("shop-data"),
};

export const stripeSecret: JsonObject = {
  id: `arn:aws:secretsmanager:eu-central-1:${ACCOUNT}:secret:shop/stripe-K3fQ9a`,
  arn: `arn:aws:secretsmanager:eu-central-1:${ACCOUNT}:secret:shop/stripe-K3fQ9a`,
  name: "shop/stripe",
  description: "API key of the payment provider",
  kms_key_id: KEY_ARN,
  force_overwrite_replica_secret: false,
  policy: "",
  recovery_window_in_days: 30,
  replica: [],
  ...tagged("shop/stripe"),
};

export function parameter(name: string, type: string): JsonObject {
  return {
    id: name,
    arn: `arn:aws:ssm:eu-central-1:${ACCOUNT}:parameter${name}`,
    name,
    type,
    data_type: "text",
    description: "",
    allowed_pattern: "",
    key_id: type === "SecureString" ? "alias/aws/ssm" : "",
    tier: "Standard",
    overwrite: null,
    value: type === "SecureString" ? "(sensitive)" : "sg-0a7c2e19d4b8f6035",
    version: 3,
    ...tagged(name),
  };
}

export function repository(name: string): JsonObject {
  return {
    id: name,
    arn: `arn:aws:ecr:eu-central-1:${ACCOUNT}:repository/${name}`,
    name,
    registry_id: ACCOUNT,
    repository_url: `${ACCOUNT}.dkr.ecr.eu-central-1.amazonaws.com/${name}`,
    force_delete: false,
    image_tag_mutability: "IMMUTABLE",
    encryption_configuration: [{ encryption_type: "KMS", kms_key: KEY_ARN }],
    image_scanning_configuration: [{ scan_on_push: true }],
    ...tagged(name),
  };
}

export function logGroup(name: string, retention_in_days = 90): JsonObject {
  return {
    id: name,
    arn: `arn:aws:logs:eu-central-1:${ACCOUNT}:log-group:${name}`,
    name,
    name_prefix: "",
    kms_key_id: "",
    log_group_class: "STANDARD",
    retention_in_days,
    skip_destroy: false,
    ...tagged(name),
  };
}

export const sessionsCache: JsonObject = {
  id: "sessions",
  arn: `arn:aws:elasticache:eu-central-1:${ACCOUNT}:replicationgroup:sessions`,
  replication_group_id: "sessions",
  description: "Sessions of the shop",
  engine: "redis",
  engine_version: "7.1",
  node_type: "cache.r7g.large",
  num_cache_clusters: 2,
  at_rest_encryption_enabled: true,
  transit_encryption_enabled: true,
  automatic_failover_enabled: true,
  multi_az_enabled: true,
  snapshot_retention_limit: 7,
  subnet_group_name: "production",
  security_group_ids: ["sg-0e4f5a6b7c8d91230"],
  parameter_group_name: "default.redis7",
  port: 6379,
  ...tagged("sessions"),
};

export const warehouse: JsonObject = {
  id: "warehouse",
  arn: `arn:aws:redshift:eu-central-1:${ACCOUNT}:cluster:warehouse`,
  cluster_identifier: "warehouse",
  cluster_type: "multi-node",
  node_type: "ra3.xlplus",
  number_of_nodes: 2,
  database_name: "warehouse",
  master_username: "warehouse_admin",
  manage_master_password: true,
  encrypted: true,
  kms_key_id: KEY_ARN,
  enhanced_vpc_routing: true,
  publicly_accessible: false,
  port: 5439,
  automated_snapshot_retention_period: 7,
  skip_final_snapshot: false,
  cluster_subnet_group_name: "production",
  vpc_security_group_ids: ["sg-0e4f5a6b7c8d91230"],
  ...tagged("warehouse"),
};

export const searchDomain: JsonObject = {
  id: `arn:aws:es:eu-central-1:${ACCOUNT}:domain/catalog-search`,
  arn: `arn:aws:es:eu-central-1:${ACCOUNT}:domain/catalog-search`,
  domain_name: "catalog-search",
  engine_version: "OpenSearch_2.13",
  access_policies: policyDocument({
    Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/catalog` },
    Action: "es:ESHttp*",
    Resource: `arn:aws:es:eu-central-1:${ACCOUNT}:domain/catalog-search/*`,
  }),
  cluster_config: [{ instance_type: "r6g.large.search", instance_count: 3, zone_awareness_enabled: true }],
  domain_endpoint_options: [{ enforce_https: true, tls_security_policy: "Policy-Min-TLS-1-2-2019-07" }],
  ebs_options: [{ ebs_enabled: true, volume_size: 100, volume_type: "gp3" }],
  encrypt_at_rest: [{ enabled: true, kms_key_id: KEY_ARN }],
  node_to_node_encryption: [{ enabled: true }],
  vpc_options: [{ subnet_ids: ["subnet-0a94b1c7e6d25f381"], security_group_ids: ["sg-0e4f5a6b7c8d91230"] }],
  ...tagged("catalog-search"),
};

export const importVolume: JsonObject = {
  id: "vol-0c4d5e6f7a8b91230",
  arn: `arn:aws:ec2:eu-central-1:${ACCOUNT}:volume/vol-0c4d5e6f7a8b91230`,
  availability_zone: "eu-central-1b",
  encrypted: true,
  kms_key_id: KEY_ARN,
  final_snapshot: false,
  iops: 3000,
  multi_attach_enabled: false,
  size: 100,
  snapshot_id: "",
  throughput: 125,
  type: "gp3",
  ...tagged("catalog-import"),
};

export const eventsBroker: JsonObject = {
  id: "b-2f1c7a64-30be-4a5e-9a3d-9c1e8f0b7d25",
  arn: `arn:aws:mq:eu-central-1:${ACCOUNT}:broker:events:b-2f1c7a64-30be-4a5e-9a3d-9c1e8f0b7d25`,
  broker_name: "events",
  engine_type: "RabbitMQ",
  engine_version: "3.13",
  deployment_mode: "CLUSTER_MULTI_AZ",
  host_instance_type: "mq.m5.large",
  auto_minor_version_upgrade: true,
  publicly_accessible: false,
  subnet_ids: ["subnet-0a94b1c7e6d25f381"],
  ...tagged("events"),
};
