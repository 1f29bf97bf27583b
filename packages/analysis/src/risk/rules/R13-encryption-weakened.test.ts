import { expect, test } from "bun:test";

import {
  create,
  remove,
  replace,
  findingBy,
  update,
  DESTROY_FIRST,
  type Given,
  type Rating,
  type RatedFinding,
} from "../change.fixture.ts";

const encryption: Rating = ["encryption_weakened", "medium", "high"];
const keys: Rating = ["key_management_weakened", "low", "medium"];
const parameter = (name: string, value: string) => ({ name, value });
const algorithm = (sse_algorithm: string) => ({
  rule: [{ apply_server_side_encryption_by_default: [{ sse_algorithm }] }],
});
test.each<[string, Given, RatedFinding | undefined]>([
  [
    "a database that is no longer encrypted",
    update("aws_db_instance", { storage_encrypted: true }, { storage_encrypted: false }),
    [...encryption, [["storage_encrypted"]]],
  ],
  [
    "a database that is now encrypted",
    update("aws_db_instance", { storage_encrypted: false }, { storage_encrypted: true }),
    undefined,
  ],
  [
    "a new unencrypted database",
    create("aws_db_instance", { storage_encrypted: false }),
    ["unencrypted", "low", "medium", [["storage_encrypted"]]],
  ],
  [
    "a topic that loses its key",
    update("aws_sns_topic", { kms_master_key_id: "k" }, { kms_master_key_id: null }),
    [...encryption, [["kms_master_key_id"]]],
  ],
  [
    "a topic with another key",
    update("aws_sns_topic", { kms_master_key_id: "k" }, { kms_master_key_id: "l" }),
    undefined,
  ],
  [
    "an AWS key without rotation",
    update("aws_kms_key", { enable_key_rotation: true }, { enable_key_rotation: false }),
    [...keys, [["enable_key_rotation"]]],
  ],
  [
    "a Google key without rotation",
    update("google_kms_crypto_key", { rotation_period: "7776000s" }, { rotation_period: "" }),
    [...keys, [["rotation_period"]]],
  ],
  [
    "database parameters that allow unencrypted connections",
    update(
      "aws_db_parameter_group",
      { parameter: [parameter("work_mem", "1"), parameter("rds.force_ssl", "1")] },
      { parameter: [parameter("rds.force_ssl", "0"), parameter("work_mem", "1")] },
    ),
    [...encryption, [["parameter", 0, "value"]]],
  ],
  [
    "parameters without the encryption setting",
    update(
      "aws_rds_cluster_parameter_group",
      { parameter: [parameter("require_secure_transport", "ON")] },
      { parameter: [] },
    ),
    [...encryption, [["parameter", 0, "value"]]],
  ],
  [
    "another database parameter",
    update(
      "aws_db_parameter_group",
      { parameter: [parameter("work_mem", "1"), parameter("rds.force_ssl", "1")] },
      { parameter: [parameter("work_mem", "0"), parameter("rds.force_ssl", "1")] },
    ),
    undefined,
  ],
  [
    "an Azure server that allows unencrypted connections",
    update(
      "azurerm_postgresql_flexible_server_configuration",
      parameter("require_secure_transport", "on"),
      parameter("require_secure_transport", "off"),
    ),
    [...encryption, [["value"]]],
  ],
  [
    "a Google database that allows unencrypted connections",
    update(
      "google_sql_database_instance",
      { settings: [{ database_flags: [parameter("require_secure_transport", "on")] }] },
      { settings: [{ database_flags: [] }] },
    ),
    [...encryption, [["settings", 0, "database_flags", 0, "value"]]],
  ],
  [
    "a deleted bucket encryption",
    remove("aws_s3_bucket_server_side_encryption_configuration"),
    [...encryption, []],
  ],
  [
    "an older TLS policy of a listener",
    update(
      "aws_lb_listener",
      { ssl_policy: "ELBSecurityPolicy-TLS13-1-2-2021-06" },
      { ssl_policy: "ELBSecurityPolicy-2016-08" },
    ),
    [...encryption, [["ssl_policy"]]],
  ],
  [
    "a newer TLS policy of a listener",
    update(
      "aws_lb_listener",
      { ssl_policy: "ELBSecurityPolicy-2016-08" },
      { ssl_policy: "ELBSecurityPolicy-TLS13-1-3-2021-06" },
    ),
    undefined,
  ],
  [
    "an older TLS version of a distribution",
    update(
      "aws_cloudfront_distribution",
      { viewer_certificate: [{ minimum_protocol_version: "TLSv1.2_2021" }] },
      { viewer_certificate: [{ minimum_protocol_version: "TLSv1.1_2016" }] },
    ),
    [...encryption, [["viewer_certificate", 0, "minimum_protocol_version"]]],
  ],
  [
    "the oldest TLS version of a distribution",
    update(
      "aws_cloudfront_distribution",
      { viewer_certificate: [{ minimum_protocol_version: "TLSv1.1_2016" }] },
      { viewer_certificate: [{ minimum_protocol_version: "TLSv1" }] },
    ),
    [...encryption, [["viewer_certificate", 0, "minimum_protocol_version"]]],
  ],
  [
    "an older TLS version at Azure",
    update("azurerm_storage_account", { min_tls_version: "TLS1_2" }, { min_tls_version: "TLS1_0" }),
    [...encryption, [["min_tls_version"]]],
  ],
  [
    "an older TLS version at Google",
    update("google_compute_ssl_policy", { min_tls_version: "TLS_1_2" }, { min_tls_version: "TLS_1_1" }),
    [...encryption, [["min_tls_version"]]],
  ],
  [
    "a bucket without a customer-managed key",
    update("aws_s3_bucket_server_side_encryption_configuration", algorithm("aws:kms"), algorithm("AES256")),
    [...keys, [["rule", 0, "apply_server_side_encryption_by_default", 0, "sse_algorithm"]]],
  ],
  [
    "a bucket with a customer-managed key",
    update("aws_s3_bucket_server_side_encryption_configuration", algorithm("AES256"), algorithm("aws:kms")),
    undefined,
  ],
  [
    "a cluster that no longer encrypts secrets with a customer-managed key",
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
    "an Azure account that allows plain HTTP",
    update(
      "azurerm_storage_account",
      { https_traffic_only_enabled: true },
      { https_traffic_only_enabled: false },
    ),
    [...encryption, [["https_traffic_only_enabled"]]],
  ],
  [
    "an unencrypted replacement",
    replace("aws_ebs_volume", DESTROY_FIRST, { encrypted: true }, { encrypted: false }),
    [...encryption, [["encrypted"]]],
  ],
])("R13: %s", (_name, given, expected) => {
  expect(findingBy("R13", given)).toEqual(expected);
});
