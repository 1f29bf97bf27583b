import type { JsonObject } from "@leeway/shared/values/json";

import { KEY_ARN } from "../estate/aws-data.ts";
import { ACCOUNT, tagged } from "../estate/aws-network.ts";

export const RDS = `arn:aws:rds:eu-central-1:${ACCOUNT}`;
export const docdbParameters = (tls: string, audit_logs: string, profiler: string): JsonObject => ({
  id: "profiles",
  arn: `${RDS}:cluster-pg:profiles`,
  name: "profiles",
  family: "docdb5.0",
  description: "Managed by Terraform",
  parameter: Object.entries({ audit_logs, profiler, tls }).map(([name, value]) => ({
    name,
    value,
    apply_method: "pending-reboot",
  })),
  ...tagged("profiles"),
});
export const proxy: JsonObject = {
  id: "orders",
  arn: `${RDS}:db-proxy:prx-0a1b2c3d4e5f67890`,
  name: "orders",
  auth: [
    { auth_scheme: "SECRETS", iam_auth: "REQUIRED", client_password_auth_type: "POSTGRES_SCRAM_SHA_256" },
  ],
  debug_logging: false,
  endpoint: "orders.proxy-c9akciq32rzv.eu-central-1.rds.amazonaws.com",
  engine_family: "POSTGRESQL",
  idle_client_timeout: 1800,
  require_tls: true,
  role_arn: `arn:aws:iam::${ACCOUNT}:role/db-proxy`,
  vpc_security_group_ids: ["sg-0e4f5a6b7c8d91230"],
  vpc_subnet_ids: ["subnet-0a94b1c7e6d25f381", "subnet-0d2e3f4a5b6c71890"],
  ...tagged("orders"),
};
export const migrationServer = (publicly_accessible: boolean): JsonObject => ({
  id: "legacy-orders",
  replication_instance_id: "legacy-orders",
  replication_instance_class: "dms.r6i.large",
  replication_instance_arn: `arn:aws:dms:eu-central-1:${ACCOUNT}:rep:ABCD`,
  allocated_storage: 100,
  auto_minor_version_upgrade: true,
  engine_version: "3.5.3",
  kms_key_arn: KEY_ARN,
  multi_az: false,
  publicly_accessible,
  replication_subnet_group_id: "production",
  vpc_security_group_ids: ["sg-0e4f5a6b7c8d91230"],
  ...tagged("legacy-orders"),
});
export const migrationEndpoint: JsonObject = {
  id: "legacy-orders-source",
  endpoint_id: "legacy-orders-source",
  endpoint_type: "source",
  engine_name: "postgres",
  server_name: "orders.legacy.lumen-shop.example",
  port: 5432,
  database_name: "orders",
  username: "dms",
  ssl_mode: "verify-full",
  certificate_arn: `arn:aws:dms:eu-central-1:${ACCOUNT}:cert:EFGH`,
  kms_key_arn: KEY_ARN,
  ...tagged("legacy-orders-source"),
};
export const migrationTask: JsonObject = {
  id: "legacy-orders",
  replication_task_id: "legacy-orders",
  migration_type: "full-load-and-cdc",
  source_endpoint_arn: `arn:aws:dms:eu-central-1:${ACCOUNT}:endpoint:IJKL`,
  target_endpoint_arn: `arn:aws:dms:eu-central-1:${ACCOUNT}:endpoint:MNOP`,
  start_replication_task: true,
  status: "running",
  replication_task_settings: JSON.stringify({ Logging: { EnableLogging: true } }),
  table_mappings: JSON.stringify({
    rules: [{ "rule-type": "selection", "rule-id": "1", "rule-action": "include" }],
  }),
  ...tagged("legacy-orders"),
};
export const glueConnection: JsonObject = {
  id: `${ACCOUNT}:orders`,
  arn: `arn:aws:glue:eu-central-1:${ACCOUNT}:connection/orders`,
  catalog_id: ACCOUNT,
  name: "orders",
  connection_type: "JDBC",
  connection_properties: {
    JDBC_CONNECTION_URL: "jdbc:postgresql://orders.internal:5432/orders",
    JDBC_ENFORCE_SSL: "true",
    SECRET_ID: "shop/glue",
  },
  physical_connection_requirements: [
    { availability_zone: "eu-central-1b", subnet_id: "subnet-0a94b1c7e6d25f381" },
  ],
};
export const catalogSettings = (catalog_encryption_mode: string): JsonObject => ({
  id: ACCOUNT,
  catalog_id: ACCOUNT,
  data_catalog_encryption_settings: [
    {
      connection_password_encryption: [
        { aws_kms_key_id: KEY_ARN, return_connection_password_encrypted: true },
      ],
      encryption_at_rest: [{ catalog_encryption_mode, sse_aws_kms_key_id: KEY_ARN }],
    },
  ],
});
export const crawler: JsonObject = {
  id: "invoices",
  arn: `arn:aws:glue:eu-central-1:${ACCOUNT}:crawler/invoices`,
  name: "invoices",
  database_name: "sales",
  role: "glue",
  schedule: "cron(0 4 * * ? *)",
  s3_target: [{ path: "s3://lumen-invoices/parquet", exclusions: [], sample_size: 0 }],
  schema_change_policy: [{ delete_behavior: "LOG", update_behavior: "UPDATE_IN_DATABASE" }],
  ...tagged("invoices"),
};
export const workgroup: JsonObject = {
  id: "analysts",
  arn: `arn:aws:athena:eu-central-1:${ACCOUNT}:workgroup/analysts`,
  name: "analysts",
  state: "ENABLED",
  force_destroy: false,
  description: "",
  configuration: [
    {
      bytes_scanned_cutoff_per_query: 1099511627776,
      enforce_workgroup_configuration: true,
      publish_cloudwatch_metrics_enabled: true,
      result_configuration: [
        {
          output_location: "s3://lumen-athena/analysts/",
          encryption_configuration: [{ encryption_option: "SSE_KMS", kms_key_arn: KEY_ARN }],
        },
      ],
    },
  ],
  ...tagged("analysts"),
};
export const cacheUser: JsonObject = {
  id: "app",
  arn: `arn:aws:elasticache:eu-central-1:${ACCOUNT}:user:app`,
  user_id: "app",
  user_name: "app",
  engine: "redis",
  access_string: "on ~session:* +@read +@write",
  no_password_required: false,
  authentication_mode: [{ type: "iam", passwords: [], password_count: 0 }],
  ...tagged("app"),
};
export const memory: JsonObject = {
  id: "baskets",
  arn: `arn:aws:memorydb:eu-central-1:${ACCOUNT}:cluster/baskets`,
  name: "baskets",
  acl_name: "baskets",
  engine_version: "7.1",
  node_type: "db.r7g.large",
  num_shards: 2,
  num_replicas_per_shard: 1,
  tls_enabled: true,
  snapshot_retention_limit: 7,
  subnet_group_name: "production",
  security_group_ids: ["sg-0e4f5a6b7c8d91230"],
  ...tagged("baskets"),
};
