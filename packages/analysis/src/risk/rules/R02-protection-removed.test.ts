import { expect, test } from "bun:test";

import { create, remove, findingBy, update, type Given, type RatedFinding } from "../change.fixture.ts";

const expiring = (prefix: string, days: number) => ({
  status: "Enabled",
  filter: [{ prefix, and: [] }],
  expiration: [{ days, date: null, expired_object_delete_marker: false }],
});

test.each<[string, Given, RatedFinding | undefined]>([
  [
    "disabled deletion protection",
    update("aws_db_instance", { deletion_protection: true }, { deletion_protection: false }),
    ["protection_removed", "medium", "high", [["deletion_protection"]]],
  ],
  [
    "disabled deletion protection of a database at an unknown provider",
    update("exoscale_database", { termination_protection: true }, { termination_protection: false }),
    ["protection_removed", "medium", "high", [["termination_protection"]]],
  ],
  [
    "disabled backups",
    update("aws_db_instance", { backup_retention_period: 7 }, { backup_retention_period: 0 }),
    ["protection_removed", "medium", "high", [["backup_retention_period"]]],
  ],
  [
    "backups that are kept for a shorter time",
    update("aws_db_instance", { backup_retention_period: 7 }, { backup_retention_period: 3 }),
    ["protection_reduced", "low", "medium", [["backup_retention_period"]]],
  ],
  [
    "backups that were never enabled",
    update("aws_db_instance", { backup_retention_period: null }, { backup_retention_period: 0 }),
    undefined,
  ],
  [
    "a skipped final snapshot",
    update("aws_db_instance", { skip_final_snapshot: false }, { skip_final_snapshot: true }),
    ["protection_removed", "medium", "high", [["skip_final_snapshot"]]],
  ],
  [
    "force_destroy",
    update("aws_s3_bucket", { force_destroy: null }, { force_destroy: true }),
    ["protection_removed", "medium", "high", [["force_destroy"]]],
  ],
  [
    "disabled point-in-time recovery",
    update(
      "aws_dynamodb_table",
      { point_in_time_recovery: [{ enabled: true }] },
      { point_in_time_recovery: [{ enabled: false }] },
    ),
    ["protection_removed", "medium", "high", [["point_in_time_recovery", 0, "enabled"]]],
  ],
  [
    "a removed versioning block",
    update("aws_s3_bucket", { versioning: [{ enabled: true, mfa_delete: false }] }, { versioning: [] }),
    ["protection_removed", "medium", "high", [["versioning", 0, "enabled"]]],
  ],
  [
    "a new rule that deletes objects",
    update(
      "aws_s3_bucket_lifecycle_configuration",
      { rule: [expiring("logs/", 365)] },
      { rule: [expiring("", 1), expiring("logs/", 365)] },
    ),
    ["protection_removed", "medium", "high", [["rule", 0, "expiration"]]],
  ],
  [
    "a rule that deletes objects sooner",
    update("aws_s3_bucket", { lifecycle_rule: [expiring("", 90)] }, { lifecycle_rule: [expiring("", 30)] }),
    ["protection_removed", "medium", "high", [["lifecycle_rule", 0, "expiration"]]],
  ],
  [
    "a rule that only moves in the list",
    update(
      "aws_s3_bucket_lifecycle_configuration",
      { rule: [expiring("a", 365), expiring("b", 30)] },
      { rule: [expiring("b", 30)] },
    ),
    undefined,
  ],
  [
    "a rule that deletes objects later, or is disabled",
    update(
      "aws_s3_bucket_lifecycle_configuration",
      { rule: [expiring("", 30)] },
      { rule: [expiring("", 90), { ...expiring("a", 1), status: "Disabled" }] },
    ),
    undefined,
  ],
  [
    "a rule that deletes objects of a Google bucket",
    update(
      "google_storage_bucket",
      { lifecycle_rule: [] },
      { lifecycle_rule: [{ action: { type: "Delete" }, condition: { age: 1 } }] },
    ),
    ["protection_removed", "medium", "high", [["lifecycle_rule", 0]]],
  ],
  [
    "a rule that moves Google objects to cheaper storage",
    update(
      "google_storage_bucket",
      { lifecycle_rule: [] },
      { lifecycle_rule: [{ action: [{ type: "SetStorageClass" }], condition: [{ age: 1 }] }] },
    ),
    undefined,
  ],
  [
    "logs that were kept forever",
    update("aws_cloudwatch_log_group", { retention_in_days: 0 }, { retention_in_days: 7 }),
    ["protection_removed", "medium", "high", [["retention_in_days"]]],
  ],
  [
    "logs that are kept for a shorter time",
    update("azurerm_log_analytics_workspace", { retention_in_days: 365 }, { retention_in_days: 30 }),
    ["protection_removed", "medium", "high", [["retention_in_days"]]],
  ],
  [
    "logs that are kept for longer",
    update("aws_cloudwatch_log_group", { retention_in_days: 7 }, { retention_in_days: 0 }),
    undefined,
  ],
  [
    "suspended versioning of a separate resource",
    update(
      "aws_s3_bucket_versioning",
      { versioning_configuration: [{ status: "Enabled" }] },
      { versioning_configuration: [{ status: "Suspended" }] },
    ),
    ["protection_removed", "medium", "high", [["versioning_configuration", 0, "status"]]],
  ],
  [
    "deleted versioning of a separate resource",
    remove("aws_s3_bucket_versioning", { versioning_configuration: [{ status: "Enabled" }] }),
    ["protection_removed", "medium", "high", []],
  ],
  [
    "deleted versioning that was already suspended",
    remove("aws_s3_bucket_versioning", { versioning_configuration: [{ status: "Suspended" }] }),
    undefined,
  ],
  [
    "a deleted backup lock",
    remove("aws_backup_vault_lock_configuration"),
    ["protection_removed", "medium", "high", []],
  ],
  [
    "deletion protection as an enum",
    update("aws_cognito_user_pool", { deletion_protection: "ACTIVE" }, { deletion_protection: "INACTIVE" }),
    ["protection_removed", "medium", "high", [["deletion_protection"]]],
  ],
  [
    "deletion protection as another enum",
    update(
      "google_bigtable_table",
      { deletion_protection: "PROTECTED" },
      { deletion_protection: "UNPROTECTED" },
    ),
    ["protection_removed", "medium", "high", [["deletion_protection"]]],
  ],
  [
    "deletion protection of a Google database",
    update("google_sql_database_instance", { deletion_protection: true }, { deletion_protection: false }),
    ["protection_removed", "medium", "high", [["deletion_protection"]]],
  ],
  [
    "purge protection of a vault",
    update("azurerm_key_vault", { purge_protection_enabled: true }, { purge_protection_enabled: false }),
    ["protection_removed", "medium", "high", [["purge_protection_enabled"]]],
  ],
  [
    "enabled deletion protection",
    update("aws_db_instance", { deletion_protection: false }, { deletion_protection: true }),
    undefined,
  ],
  [
    "unknown deletion protection",
    update(
      "aws_db_instance",
      { deletion_protection: true },
      {},
      { after_unknown: { deletion_protection: true } },
    ),
    undefined,
  ],
  [
    "deletion protection of a resource without data",
    update("aws_lb", { deletion_protection: true }, { deletion_protection: false }),
    ["protection_reduced", "low", "medium", [["deletion_protection"]]],
  ],
  [
    "a new database without a final snapshot",
    create("aws_db_instance", { skip_final_snapshot: true }),
    undefined,
  ],
])("R02: %s", (_name, given, expected) => {
  expect(findingBy("R02", given)).toEqual(expected);
});

test("removed protection beside a destroyed database is critical in standard", () => {
  const given = update("aws_db_instance", { deletion_protection: true }, { deletion_protection: false });
  expect(findingBy("R02", given, [remove("aws_s3_bucket")])).toEqual([
    "protection_removed",
    "medium",
    "critical",
    [["deletion_protection"]],
  ]);
});
