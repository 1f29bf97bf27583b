import type { JsonObject } from "@leeway/shared/values/json";

import { policyDocument } from "../plan.ts";
import { ACCOUNT, tagged } from "./aws-network.ts";

export const KEY_ARN = `arn:aws:kms:eu-central-1:${ACCOUNT}:key/7c1d9b52-0e3f-4a68-b7f4-2d90a1c6e853`;

export const ordersDatabase: JsonObject = {
  id: "db-4Q7XKJ2M5N6P3R8T9VWYZABCDE",
  arn: `arn:aws:rds:eu-central-1:${ACCOUNT}:db:orders`,
  identifier: "orders",
  address: "orders.c9akciq32rzv.eu-central-1.rds.amazonaws.com",
  endpoint: "orders.c9akciq32rzv.eu-central-1.rds.amazonaws.com:5432",
  allocated_storage: 200,
  max_allocated_storage: 1000,
  allow_major_version_upgrade: false,
  apply_immediately: false,
  auto_minor_version_upgrade: true,
  availability_zone: "eu-central-1b",
  backup_retention_period: 30,
  backup_window: "02:10-02:40",
  ca_cert_identifier: "rds-ca-rsa2048-g1",
  copy_tags_to_snapshot: true,
  db_name: "orders",
  db_subnet_group_name: "production",
  delete_automated_backups: false,
  deletion_protection: true,
  enabled_cloudwatch_logs_exports: ["postgresql", "upgrade"],
  engine: "postgres",
  engine_version: "15.7",
  final_snapshot_identifier: "orders-final",
  iam_database_authentication_enabled: true,
  instance_class: "db.r6g.large",
  kms_key_id: KEY_ARN,
  maintenance_window: "sun:03:30-sun:04:30",
  manage_master_user_password: true,
  monitoring_interval: 60,
  multi_az: true,
  network_type: "IPV4",
  parameter_group_name: "orders-postgres15",
  performance_insights_enabled: true,
  port: 5432,
  publicly_accessible: false,
  skip_final_snapshot: false,
  storage_encrypted: true,
  storage_type: "gp3",
  username: "orders_admin",
  vpc_security_group_ids: ["sg-0e4f5a6b7c8d91230"],
  ...tagged("orders", { Team: "checkout" }),
};

export const analyticsCluster: JsonObject = {
  id: "analytics",
  arn: `arn:aws:rds:eu-central-1:${ACCOUNT}:cluster:analytics`,
  cluster_identifier: "analytics",
  engine: "aurora-postgresql",
  engine_mode: "provisioned",
  engine_version: "15.6",
  database_name: "analytics",
  backup_retention_period: 14,
  deletion_protection: true,
  storage_encrypted: true,
  kms_key_id: KEY_ARN,
  skip_final_snapshot: false,
  iam_database_authentication_enabled: true,
  db_subnet_group_name: "production",
  vpc_security_group_ids: ["sg-0e4f5a6b7c8d91230"],
  endpoint: "analytics.cluster-c9akciq32rzv.eu-central-1.rds.amazonaws.com",
  port: 5432,
  master_username: "analytics_admin",
  manage_master_user_password: true,
  ...tagged("analytics"),
};

export const analyticsInstance: JsonObject = {
  id: "analytics-1",
  arn: `arn:aws:rds:eu-central-1:${ACCOUNT}:db:analytics-1`,
  identifier: "analytics-1",
  cluster_identifier: "analytics",
  engine: "aurora-postgresql",
  engine_version: "15.6",
  instance_class: "db.r6g.large",
  publicly_accessible: false,
  apply_immediately: false,
  auto_minor_version_upgrade: true,
  ca_cert_identifier: "rds-ca-rsa2048-g1",
  db_subnet_group_name: "production",
  performance_insights_enabled: true,
  promotion_tier: 1,
  storage_encrypted: true,
  ...tagged("analytics-1"),
};

export function bucket(name: string, more: JsonObject = {}): JsonObject {
  return {
    id: name,
    arn: `arn:aws:s3:::${name}`,
    bucket: name,
    bucket_prefix: "",
    bucket_domain_name: `${name}.s3.amazonaws.com`,
    bucket_regional_domain_name: `${name}.s3.eu-central-1.amazonaws.com`,
    force_destroy: false,
    hosted_zone_id: "Z21DNDUVLTQW6Q",
    object_lock_enabled: false,
    region: "eu-central-1",
    request_payer: "BucketOwner",
    timeouts: null,
    ...tagged(name),
    ...more,
  };
}

export function publicAccessBlock(name: string, isBlocked = true): JsonObject {
  return {
    id: name,
    bucket: name,
    block_public_acls: isBlocked,
    block_public_policy: isBlocked,
    ignore_public_acls: isBlocked,
    restrict_public_buckets: isBlocked,
  };
}

export function bucketPolicy(name: string, ...statements: JsonObject[]): JsonObject {
  return { id: name, bucket: name, policy: policyDocument(...statements) };
}

export function bucketAcl(name: string, acl: string): JsonObject {
  return { id: `${name},${acl}`, bucket: name, acl, access_control_policy: [], expected_bucket_owner: "" };
}

export function bucketVersioning(name: string, status: string): JsonObject {
  const versioning_configuration = [{ status, mfa_delete: "" }];
  return { id: name, bucket: name, expected_bucket_owner: "", mfa: null, versioning_configuration };
}

export function bucketEncryption(name: string, algorithm: string): JsonObject {
  const kms_master_key_id = algorithm === "aws:kms" ? KEY_ARN : "";
  const rule = {
    apply_server_side_encryption_by_default: [{ sse_algorithm: algorithm, kms_master_key_id }],
    bucket_key_enabled: algorithm === "aws:kms",
  };
  return { id: name, bucket: name, expected_bucket_owner: "", rule: [rule] };
}

export const cartsTable: JsonObject = {
  id: "carts",
  arn: `arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/carts`,
  name: "carts",
  billing_mode: "PAY_PER_REQUEST",
  hash_key: "customer_id",
  range_key: "cart_id",
  attribute: [
    { name: "cart_id", type: "S" },
    { name: "customer_id", type: "S" },
  ],
  deletion_protection_enabled: true,
  point_in_time_recovery: [{ enabled: true }],
  server_side_encryption: [{ enabled: true, kms_key_arn: KEY_ARN }],
  stream_enabled: false,
  table_class: "STANDARD",
  ttl: [{ attribute_name: "expires_at", enabled: true }],
  read_capacity: 0,
  write_capacity: 0,
  ...tagged("carts"),
};

export function queue(name: string, more: JsonObject = {}): JsonObject {
  return {
    id: `https://sqs.eu-central-1.amazonaws.com/${ACCOUNT}/${name}`,
    url: `https://sqs.eu-central-1.amazonaws.com/${ACCOUNT}/${name}`,
    arn: `arn:aws:sqs:eu-central-1:${ACCOUNT}:${name}`,
    name,
    name_prefix: "",
    content_based_deduplication: false,
    delay_seconds: 0,
    fifo_queue: false,
    kms_data_key_reuse_period_seconds: 300,
    kms_master_key_id: "",
    max_message_size: 262144,
    message_retention_seconds: 345600,
    policy: "",
    receive_wait_time_seconds: 20,
    redrive_allow_policy: "",
    redrive_policy: "",
    sqs_managed_sse_enabled: true,
    visibility_timeout_seconds: 60,
    ...tagged(name),
    ...more,
  };
}

export const deadLetterQueue = queue("emails-dlq", {
  message_retention_seconds: 1209600,
  redrive_allow_policy: JSON.stringify({
    redrivePermission: "byQueue",
    sourceQueueArns: [`arn:aws:sqs:eu-central-1:${ACCOUNT}:emails`],
  }),
});

export function topic(name: string, more: JsonObject = {}): JsonObject {
  const arn = `arn:aws:sns:eu-central-1:${ACCOUNT}:${name}`;
  return {
    id: arn,
    arn,
    name,
    display_name: "",
    fifo_topic: false,
    kms_master_key_id: "alias/aws/sns",
    ...tagged(name),
    ...more,
  };
}

export const subscription: JsonObject = {
  id: `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events:0d2c6f0e-51c3-4a7f-a0a4-9d6a4b0f6a11`,
  arn: `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events:0d2c6f0e-51c3-4a7f-a0a4-9d6a4b0f6a11`,
  topic_arn: `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events`,
  protocol: "sqs",
  endpoint: `arn:aws:sqs:eu-central-1:${ACCOUNT}:emails`,
  raw_message_delivery: true,
  filter_policy: "",
  owner_id: ACCOUNT,
};
