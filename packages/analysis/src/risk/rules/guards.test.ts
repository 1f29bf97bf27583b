import { expect, test } from "bun:test";

import {
  create,
  remove,
  replace,
  said,
  update,
  DESTROY_FIRST,
  type Given,
  type Said,
  type Seen,
} from "../change.fixture.ts";

const encryption: Said = ["encryption_weakened", "medium", "high"];
const parameter = (name: string, value: string) => ({ name, value });
const algorithm = (sse_algorithm: string) => ({
  rule: [{ apply_server_side_encryption_by_default: [{ sse_algorithm }] }],
});
test.each<[string, Given, Seen | undefined]>([
  [
    "a database that is no longer encrypted",
    update("aws_db_instance", { storage_encrypted: true }, { storage_encrypted: false }),
    [...encryption, [["storage_encrypted"]]],
  ],
  [
    "a database that is encrypted from now on",
    update("aws_db_instance", { storage_encrypted: false }, { storage_encrypted: true }),
    undefined,
  ],
  [
    "a new database without encryption, where nothing was",
    create("aws_db_instance", { storage_encrypted: false }),
    undefined,
  ],
  [
    "a topic whose key goes",
    update("aws_sns_topic", { kms_master_key_id: "k" }, { kms_master_key_id: null }),
    [...encryption, [["kms_master_key_id"]]],
  ],
  [
    "a topic with another key",
    update("aws_sns_topic", { kms_master_key_id: "k" }, { kms_master_key_id: "l" }),
    undefined,
  ],
  [
    "a key at AWS that is no longer rotated",
    update("aws_kms_key", { enable_key_rotation: true }, { enable_key_rotation: false }),
    [...encryption, [["enable_key_rotation"]]],
  ],
  [
    "a key at Google that is no longer rotated",
    update("google_kms_crypto_key", { rotation_period: "7776000s" }, { rotation_period: "" }),
    [...encryption, [["rotation_period"]]],
  ],
  [
    "a database's parameters that let clients speak in the clear",
    update(
      "aws_db_parameter_group",
      { parameter: [parameter("work_mem", "1"), parameter("rds.force_ssl", "1")] },
      { parameter: [parameter("rds.force_ssl", "0"), parameter("work_mem", "1")] },
    ),
    [...encryption, [["parameter", 0, "value"]]],
  ],
  [
    "parameters that say nothing of encryption any more",
    update(
      "aws_rds_cluster_parameter_group",
      { parameter: [parameter("require_secure_transport", "ON")] },
      { parameter: [] },
    ),
    [...encryption, [["parameter", 0, "value"]]],
  ],
  [
    "another parameter of a database's",
    update(
      "aws_db_parameter_group",
      { parameter: [parameter("work_mem", "1"), parameter("rds.force_ssl", "1")] },
      { parameter: [parameter("work_mem", "0"), parameter("rds.force_ssl", "1")] },
    ),
    undefined,
  ],
  [
    "a server at Azure that lets clients speak in the clear",
    update(
      "azurerm_postgresql_flexible_server_configuration",
      parameter("require_secure_transport", "on"),
      parameter("require_secure_transport", "off"),
    ),
    [...encryption, [["value"]]],
  ],
  [
    "a database at Google that lets clients speak in the clear",
    update(
      "google_sql_database_instance",
      { settings: [{ database_flags: [parameter("require_secure_transport", "on")] }] },
      { settings: [{ database_flags: [] }] },
    ),
    [...encryption, [["settings", 0, "database_flags", 0, "value"]]],
  ],
  [
    "a bucket's encryption that goes",
    remove("aws_s3_bucket_server_side_encryption_configuration"),
    [...encryption, []],
  ],
  [
    "an older TLS of a listener",
    update(
      "aws_lb_listener",
      { ssl_policy: "ELBSecurityPolicy-TLS13-1-2-2021-06" },
      { ssl_policy: "ELBSecurityPolicy-2016-08" },
    ),
    [...encryption, [["ssl_policy"]]],
  ],
  [
    "a newer TLS of a listener",
    update(
      "aws_lb_listener",
      { ssl_policy: "ELBSecurityPolicy-2016-08" },
      { ssl_policy: "ELBSecurityPolicy-TLS13-1-3-2021-06" },
    ),
    undefined,
  ],
  [
    "an older TLS of a distribution",
    update(
      "aws_cloudfront_distribution",
      { viewer_certificate: [{ minimum_protocol_version: "TLSv1.2_2021" }] },
      { viewer_certificate: [{ minimum_protocol_version: "TLSv1.1_2016" }] },
    ),
    [...encryption, [["viewer_certificate", 0, "minimum_protocol_version"]]],
  ],
  [
    "a distribution's oldest TLS",
    update(
      "aws_cloudfront_distribution",
      { viewer_certificate: [{ minimum_protocol_version: "TLSv1.1_2016" }] },
      { viewer_certificate: [{ minimum_protocol_version: "TLSv1" }] },
    ),
    [...encryption, [["viewer_certificate", 0, "minimum_protocol_version"]]],
  ],
  [
    "an older TLS at Azure",
    update("azurerm_storage_account", { min_tls_version: "TLS1_2" }, { min_tls_version: "TLS1_0" }),
    [...encryption, [["min_tls_version"]]],
  ],
  [
    "an older TLS at Google",
    update("google_compute_ssl_policy", { min_tls_version: "TLS_1_2" }, { min_tls_version: "TLS_1_1" }),
    [...encryption, [["min_tls_version"]]],
  ],
  [
    "a bucket without a key of one's own",
    update("aws_s3_bucket_server_side_encryption_configuration", algorithm("aws:kms"), algorithm("AES256")),
    [...encryption, [["rule", 0, "apply_server_side_encryption_by_default", 0, "sse_algorithm"]]],
  ],
  [
    "a bucket with a key of one's own",
    update("aws_s3_bucket_server_side_encryption_configuration", algorithm("AES256"), algorithm("aws:kms")),
    undefined,
  ],
  [
    "a cluster whose secrets are no longer encrypted by one's own key",
    update(
      "google_container_cluster",
      { database_encryption: [{ state: "ENCRYPTED", key_name: "k" }] },
      { database_encryption: [{ state: "DECRYPTED", key_name: "" }] },
    ),
    [...encryption, [["database_encryption", 0, "state"]]],
  ],
  [
    "a listener without TLS",
    update("aws_lb_listener", { protocol: "HTTPS" }, { protocol: "HTTP" }),
    [...encryption, [["protocol"]]],
  ],
  [
    "an Azure account for plain HTTP",
    update(
      "azurerm_storage_account",
      { https_traffic_only_enabled: true },
      { https_traffic_only_enabled: false },
    ),
    [...encryption, [["https_traffic_only_enabled"]]],
  ],
  [
    "a replacement that isn't encrypted",
    replace("aws_ebs_volume", DESTROY_FIRST, { encrypted: true }, { encrypted: false }),
    [...encryption, [["encrypted"]]],
  ],
])("R13 and %s", (_name, given, expected) => {
  expect(said("R13", given)).toEqual(expected);
});

const audit: Said = ["audit_weakened", "medium", "high"];
test.each<[string, Given, Seen | undefined]>([
  ["a trail that goes", remove("aws_cloudtrail"), [...audit, []]],
  [
    "a trail that stops",
    update("aws_cloudtrail", { enable_logging: true }, { enable_logging: false }),
    [...audit, [["enable_logging"]]],
  ],
  [
    "a trail that starts",
    update("aws_cloudtrail", { enable_logging: false }, { enable_logging: true }),
    undefined,
  ],
  ["flow logs that go", remove("aws_flow_log"), [...audit, []]],
  ["flow logs that are replaced", replace("aws_flow_log", DESTROY_FIRST), undefined],
  [
    "a detector that is turned off",
    update("aws_guardduty_detector", { enable: true }, { enable: false }),
    [...audit, [["enable"]]],
  ],
  ["diagnostic settings that go", remove("azurerm_monitor_diagnostic_setting"), [...audit, []]],
  [
    "a diagnostic setting that loses a log",
    update(
      "azurerm_monitor_diagnostic_setting",
      { enabled_log: [{ category: "a" }, { category: "b" }] },
      { enabled_log: [{ category: "a" }] },
    ),
    [...audit, [["enabled_log", 1, "category"]]],
  ],
  [
    "a cluster that logs less",
    update(
      "aws_eks_cluster",
      { enabled_cluster_log_types: ["api", "audit"] },
      { enabled_cluster_log_types: ["api"] },
    ),
    [...audit, [["enabled_cluster_log_types"]]],
  ],
  [
    "a cluster that logs more",
    update(
      "aws_eks_cluster",
      { enabled_cluster_log_types: ["api"] },
      { enabled_cluster_log_types: ["audit", "api"] },
    ),
    undefined,
  ],
  [
    "a sink that is disabled",
    update("google_logging_project_sink", { disabled: false }, { disabled: true }),
    [...audit, [["disabled"]]],
  ],
  [
    "a bucket whose logging goes",
    update("aws_s3_bucket", { logging: [{ target_bucket: "a" }] }, { logging: [] }),
    [...audit, [["logging", 0, "target_bucket"]]],
  ],
  [
    "a database's parameters by which nobody is told who connects",
    update(
      "aws_rds_cluster_parameter_group",
      { parameter: [parameter("log_connections", "1"), parameter("log_statement", "ddl")] },
      { parameter: [parameter("log_connections", "0"), parameter("log_statement", "none")] },
    ),
    [
      ...audit,
      [
        ["parameter", 0, "value"],
        ["parameter", 1, "value"],
      ],
    ],
  ],
  [
    "a database at Google whose statements are logged by another rule",
    update(
      "google_sql_database_instance",
      { settings: [{ database_flags: [parameter("pgaudit.log", "all")] }] },
      { settings: [{ database_flags: [parameter("pgaudit.log", "ddl")] }] },
    ),
    undefined,
  ],
  ["a new trail", create("aws_cloudtrail", { enable_logging: false }), undefined],
])("R14 and %s", (_name, given, expected) => {
  expect(said("R14", given)).toEqual(expected);
});

const capacity: Said = ["capacity_reduction", "medium", "medium"];
const toZero: Said = ["capacity_reduction", "medium", "high"];
test.each<[string, Given, Seen | undefined]>([
  [
    "a service of ten that keeps four",
    update("aws_ecs_service", { desired_count: 10 }, { desired_count: 4 }),
    [...capacity, [["desired_count"]]],
  ],
  [
    "a service of ten that keeps five",
    update("aws_ecs_service", { desired_count: 10 }, { desired_count: 5 }),
    undefined,
  ],
  [
    "a service that goes down to zero",
    update("aws_ecs_service", { desired_count: 1 }, { desired_count: 0 }),
    [...toZero, [["desired_count"]]],
  ],
  [
    "a deployment that goes down to zero",
    update("kubernetes_deployment", { spec: [{ replicas: "2" }] }, { spec: [{ replicas: "0" }] }),
    [...toZero, [["spec", 0, "replicas"]]],
  ],
  [
    "a lower bound of zero",
    update("aws_autoscaling_group", { min_size: 1 }, { min_size: 0 }),
    [...capacity, [["min_size"]]],
  ],
  [
    "an upper bound of zero",
    update("aws_autoscaling_group", { max_size: 4 }, { max_size: 0 }),
    [...toZero, [["max_size"]]],
  ],
  ["a node pool that goes", remove("google_container_node_pool"), [...capacity, []]],
  [
    "an Azure scale set that shrinks",
    update("azurerm_linux_virtual_machine_scale_set", { instances: 9 }, { instances: 1 }),
    [...capacity, [["instances"]]],
  ],
  ["a group that grows", update("aws_autoscaling_group", { max_size: 1 }, { max_size: 4 }), undefined],
  [
    "a function that is throttled altogether",
    update(
      "aws_lambda_function",
      { reserved_concurrent_executions: -1 },
      { reserved_concurrent_executions: 0 },
    ),
    [...toZero, [["reserved_concurrent_executions"]]],
  ],
  [
    "a function of which as many run as are reserved",
    update(
      "aws_lambda_function",
      { reserved_concurrent_executions: -1 },
      { reserved_concurrent_executions: 5 },
    ),
    undefined,
  ],
  [
    "a table that is paid by request from now on",
    update(
      "aws_dynamodb_table",
      { billing_mode: "PROVISIONED", read_capacity: 5 },
      { billing_mode: "PAY_PER_REQUEST", read_capacity: 0 },
    ),
    undefined,
  ],
  [
    "a count known after apply",
    update("aws_ecs_service", { desired_count: 1 }, {}, { after_unknown: { desired_count: true } }),
    undefined,
  ],
])("R16 and %s", (_name, given, expected) => {
  expect(said("R16", given)).toEqual(expected);
});

test.each<[string, string, Given]>([
  [
    "R14",
    "a trail that is kept elsewhere",
    update("aws_cloudtrail", { s3_bucket_name: "a" }, { s3_bucket_name: "b" }),
  ],
  [
    "R14",
    "alerts that nobody gets any more",
    update("github_repository", { vulnerability_alerts: true }, { vulnerability_alerts: false }),
  ],
  [
    "R13",
    "a zone whose origin is asked without encryption",
    update(
      "cloudflare_zone_settings_override",
      { settings: [{ ssl: "strict" }] },
      { settings: [{ ssl: "off" }] },
    ),
  ],
  [
    "R13",
    "a zone that isn't signed any more",
    update(
      "google_dns_managed_zone",
      { dnssec_config: [{ state: "on" }] },
      { dnssec_config: [{ state: "off" }] },
    ),
  ],
])("%s is said of %s", (rule, _what, given) => {
  expect(said(rule, given)).toBeDefined();
});
