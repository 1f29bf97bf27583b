import type { JsonObject } from "@leeway/shared/values/json";

import { KEY_ARN } from "../estate/aws-data.ts";
import { ACCOUNT, tagged } from "../estate/aws-network.ts";
import { policyDocument } from "../plan.ts";

const EFS = `arn:aws:elasticfilesystem:eu-central-1:${ACCOUNT}`;
export const FSX = `arn:aws:fsx:eu-central-1:${ACCOUNT}`;
export const media: JsonObject = {
  id: "fs-0b7a6c5d4e3f21908",
  arn: `${EFS}:file-system/fs-0b7a6c5d4e3f21908`,
  creation_token: "media",
  dns_name: "fs-0b7a6c5d4e3f21908.efs.eu-central-1.amazonaws.com",
  encrypted: true,
  kms_key_id: KEY_ARN,
  performance_mode: "generalPurpose",
  throughput_mode: "bursting",
  provisioned_throughput_in_mibps: 0,
  lifecycle_policy: [{ transition_to_ia: "AFTER_30_DAYS", transition_to_archive: "" }],
  protection: [{ replication_overwrite: "ENABLED" }],
  ...tagged("media"),
};
export const mediaPolicy = (...statements: JsonObject[]): JsonObject => ({
  id: "fs-0b7a6c5d4e3f21908",
  file_system_id: "fs-0b7a6c5d4e3f21908",
  bypass_policy_lockout_safety_check: false,
  policy: policyDocument(...statements),
});
export const MOUNT: JsonObject = {
  Sid: "Mount",
  Principal: { AWS: "*" },
  Action: ["elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite"],
  Resource: `${EFS}:file-system/fs-0b7a6c5d4e3f21908`,
  Condition: { Bool: { "elasticfilesystem:AccessedViaMountTarget": "true" } },
};
export const DENY_PLAIN: JsonObject = {
  Sid: "TlsOnly",
  Effect: "Deny",
  Principal: { AWS: "*" },
  Action: "*",
  Resource: `${EFS}:file-system/fs-0b7a6c5d4e3f21908`,
  Condition: { Bool: { "aws:SecureTransport": "false" } },
};
export const mountTarget: JsonObject = {
  id: "fsmt-0c2d3e4f5a6b71809",
  file_system_id: "fs-0b7a6c5d4e3f21908",
  availability_zone_name: "eu-central-1b",
  ip_address: "10.20.50.77",
  mount_target_dns_name: "eu-central-1b.fs-0b7a6c5d4e3f21908.efs.eu-central-1.amazonaws.com",
  network_interface_id: "eni-0a1b2c3d4e5f60718",
  security_groups: ["sg-0e4f5a6b7c8d91230"],
  subnet_id: "subnet-0a94b1c7e6d25f381",
};
export const homes: JsonObject = {
  id: "fs-0123f4e5d6c7b8a90",
  arn: `${FSX}:file-system/fs-0123f4e5d6c7b8a90`,
  active_directory_id: "d-99670f3a1b",
  automatic_backup_retention_days: 30,
  daily_automatic_backup_start_time: "02:00",
  deployment_type: "MULTI_AZ_1",
  kms_key_id: KEY_ARN,
  skip_final_backup: false,
  storage_capacity: 2000,
  storage_type: "SSD",
  throughput_capacity: 64,
  subnet_ids: ["subnet-0a94b1c7e6d25f381", "subnet-0d2e3f4a5b6c71890"],
  ...tagged("homes"),
};
export const scratch: JsonObject = {
  id: "fs-0f9e8d7c6b5a40312",
  arn: `${FSX}:file-system/fs-0f9e8d7c6b5a40312`,
  deployment_type: "PERSISTENT_2",
  per_unit_storage_throughput: 125,
  storage_capacity: 1200,
  storage_type: "SSD",
  kms_key_id: KEY_ARN,
  data_compression_type: "LZ4",
  subnet_ids: ["subnet-0a94b1c7e6d25f381"],
  ...tagged("training"),
};
export const ontapVolume: JsonObject = {
  id: "fsvol-0d1c2b3a4f5e60789",
  arn: `${FSX}:volume/fs-0ab1/fsvol-0d1c2b3a4f5e60789`,
  name: "claims",
  junction_path: "/claims",
  size_in_megabytes: 512000,
  storage_efficiency_enabled: true,
  storage_virtual_machine_id: "svm-0123456789abcdef0",
  skip_final_backup: false,
  tiering_policy: [{ name: "AUTO", cooling_period: 31 }],
  ...tagged("claims"),
};
export const lifecycle = (...rule: JsonObject[]): JsonObject => ({
  id: "lumen-invoices",
  bucket: "lumen-invoices",
  expected_bucket_owner: "",
  transition_default_minimum_object_size: "all_storage_classes_128K",
  rule,
});
export const multipart: JsonObject = {
  id: "multipart",
  status: "Enabled",
  filter: [{ prefix: "" }],
  abort_incomplete_multipart_upload: [{ days_after_initiation: 7 }],
  expiration: [],
};
export const expire = (prefix: string, days: number): JsonObject => ({
  id: "expire",
  status: "Enabled",
  filter: [{ prefix }],
  abort_incomplete_multipart_upload: [],
  expiration: [{ days, date: "", expired_object_delete_marker: false }],
});
export const objectLock = (mode: string, days: number): JsonObject => ({
  id: "lumen-invoices",
  bucket: "lumen-invoices",
  expected_bucket_owner: "",
  object_lock_enabled: "Enabled",
  token: null,
  rule: [{ default_retention: [{ mode, days, years: 0 }] }],
});
export const replication: JsonObject = {
  id: "lumen-invoices",
  bucket: "lumen-invoices",
  role: `arn:aws:iam::${ACCOUNT}:role/s3-replication`,
  token: "",
  rule: [
    {
      id: "all",
      status: "Enabled",
      filter: [{ prefix: "" }],
      delete_marker_replication: [{ status: "Disabled" }],
      destination: [{ bucket: "arn:aws:s3:::lumen-invoices-dr", storage_class: "STANDARD_IA" }],
    },
  ],
};
export const cors = (...allowed_origins: string[]): JsonObject => ({
  id: "lumen-assets",
  bucket: "lumen-assets",
  cors_rule: [{ allowed_headers: [], allowed_methods: ["GET"], allowed_origins, max_age_seconds: 3600 }],
});
