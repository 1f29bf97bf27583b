import { expect, test } from "bun:test";

import { create, remove, said, update, type Given, type Seen } from "../change.fixture.ts";

const expiring = (prefix: string, days: number) => ({
  status: "Enabled",
  filter: [{ prefix, and: [] }],
  expiration: [{ days, date: null, expired_object_delete_marker: false }],
});
test.each<[string, Given, Seen | undefined]>([
  [
    "deletion protection that is turned off",
    update("aws_db_instance", { deletion_protection: true }, { deletion_protection: false }),
    ["protection_removed", "medium", "high", [["deletion_protection"]]],
  ],
  [
    "backups that are no longer kept",
    update("aws_db_instance", { backup_retention_period: 7 }, { backup_retention_period: 0 }),
    ["protection_removed", "medium", "high", [["backup_retention_period"]]],
  ],
  [
    "backups that are kept for less time",
    update("aws_db_instance", { backup_retention_period: 7 }, { backup_retention_period: 3 }),
    undefined,
  ],
  [
    "backups that never were kept",
    update("aws_db_instance", { backup_retention_period: null }, { backup_retention_period: 0 }),
    undefined,
  ],
  [
    "a final snapshot that is skipped from now on",
    update("aws_db_instance", { skip_final_snapshot: false }, { skip_final_snapshot: true }),
    ["protection_removed", "medium", "high", [["skip_final_snapshot"]]],
  ],
  [
    "force_destroy that is set",
    update("aws_s3_bucket", { force_destroy: null }, { force_destroy: true }),
    ["protection_removed", "medium", "high", [["force_destroy"]]],
  ],
  [
    "point-in-time recovery that is turned off",
    update(
      "aws_dynamodb_table",
      { point_in_time_recovery: [{ enabled: true }] },
      { point_in_time_recovery: [{ enabled: false }] },
    ),
    ["protection_removed", "medium", "high", [["point_in_time_recovery", 0, "enabled"]]],
  ],
  [
    "versioning whose block goes",
    update("aws_s3_bucket", { versioning: [{ enabled: true, mfa_delete: false }] }, { versioning: [] }),
    ["protection_removed", "medium", "high", [["versioning", 0, "enabled"]]],
  ],
  [
    "a rule that deletes a bucket's objects from now on",
    update(
      "aws_s3_bucket_lifecycle_configuration",
      { rule: [expiring("logs/", 365)] },
      { rule: [expiring("", 1), expiring("logs/", 365)] },
    ),
    ["protection_removed", "medium", "high", [["rule", 0, "expiration"]]],
  ],
  [
    "a rule that deletes a bucket's objects sooner",
    update("aws_s3_bucket", { lifecycle_rule: [expiring("", 90)] }, { lifecycle_rule: [expiring("", 30)] }),
    ["protection_removed", "medium", "high", [["lifecycle_rule", 0, "expiration"]]],
  ],
  [
    "a rule that only moves to another place",
    update(
      "aws_s3_bucket_lifecycle_configuration",
      { rule: [expiring("a", 365), expiring("b", 30)] },
      { rule: [expiring("b", 30)] },
    ),
    undefined,
  ],
  [
    "a rule that deletes a bucket's objects later, or isn't in force",
    update(
      "aws_s3_bucket_lifecycle_configuration",
      { rule: [expiring("", 30)] },
      { rule: [expiring("", 90), { ...expiring("a", 1), status: "Disabled" }] },
    ),
    undefined,
  ],
  [
    "a rule that deletes the objects of a bucket at Google",
    update(
      "google_storage_bucket",
      { lifecycle_rule: [] },
      { lifecycle_rule: [{ action: { type: "Delete" }, condition: { age: 1 } }] },
    ),
    ["protection_removed", "medium", "high", [["lifecycle_rule", 0]]],
  ],
  [
    "a rule that moves objects at Google to cheaper storage",
    update(
      "google_storage_bucket",
      { lifecycle_rule: [] },
      { lifecycle_rule: [{ action: [{ type: "SetStorageClass" }], condition: [{ age: 1 }] }] },
    ),
    undefined,
  ],
  [
    "logs that were kept without end",
    update("aws_cloudwatch_log_group", { retention_in_days: 0 }, { retention_in_days: 7 }),
    ["protection_removed", "medium", "high", [["retention_in_days"]]],
  ],
  [
    "logs that are kept for less time",
    update("azurerm_log_analytics_workspace", { retention_in_days: 365 }, { retention_in_days: 30 }),
    ["protection_removed", "medium", "high", [["retention_in_days"]]],
  ],
  [
    "logs that are kept for longer",
    update("aws_cloudwatch_log_group", { retention_in_days: 7 }, { retention_in_days: 0 }),
    undefined,
  ],
  [
    "versioning that is suspended beside its bucket",
    update(
      "aws_s3_bucket_versioning",
      { versioning_configuration: [{ status: "Enabled" }] },
      { versioning_configuration: [{ status: "Suspended" }] },
    ),
    ["protection_removed", "medium", "high", [["versioning_configuration", 0, "status"]]],
  ],
  [
    "versioning that goes with its resource",
    remove("aws_s3_bucket_versioning", { versioning_configuration: [{ status: "Enabled" }] }),
    ["protection_removed", "medium", "high", []],
  ],
  [
    "versioning that was suspended",
    remove("aws_s3_bucket_versioning", { versioning_configuration: [{ status: "Suspended" }] }),
    undefined,
  ],
  [
    "a lock of backups that goes",
    remove("aws_backup_vault_lock_configuration"),
    ["protection_removed", "medium", "high", []],
  ],
  [
    "deletion protection that is a word",
    update("aws_cognito_user_pool", { deletion_protection: "ACTIVE" }, { deletion_protection: "INACTIVE" }),
    ["protection_removed", "medium", "high", [["deletion_protection"]]],
  ],
  [
    "deletion protection that is another word",
    update(
      "google_bigtable_table",
      { deletion_protection: "PROTECTED" },
      { deletion_protection: "UNPROTECTED" },
    ),
    ["protection_removed", "medium", "high", [["deletion_protection"]]],
  ],
  [
    "protection of a Google database",
    update("google_sql_database_instance", { deletion_protection: true }, { deletion_protection: false }),
    ["protection_removed", "medium", "high", [["deletion_protection"]]],
  ],
  [
    "purge protection of a vault",
    update("azurerm_key_vault", { purge_protection_enabled: true }, { purge_protection_enabled: false }),
    ["protection_removed", "medium", "high", [["purge_protection_enabled"]]],
  ],
  [
    "protection that is turned on",
    update("aws_db_instance", { deletion_protection: false }, { deletion_protection: true }),
    undefined,
  ],
  [
    "protection that nobody knows yet",
    update(
      "aws_db_instance",
      { deletion_protection: true },
      {},
      { after_unknown: { deletion_protection: true } },
    ),
    undefined,
  ],
  [
    "protection of what holds no data",
    update("aws_lb", { deletion_protection: true }, { deletion_protection: false }),
    undefined,
  ],
  ["a new database that skips it", create("aws_db_instance", { skip_final_snapshot: true }), undefined],
])("R02 and %s", (_name, given, expected) => {
  expect(said("R02", given)).toEqual(expected);
});

test("protection that goes beside a destroyed database is critical in strict", () => {
  const given = update("aws_db_instance", { deletion_protection: true }, { deletion_protection: false });
  expect(said("R02", given, [remove("aws_s3_bucket")])).toEqual([
    "protection_removed",
    "medium",
    "critical",
    [["deletion_protection"]],
  ]);
});

test.each<[string, Given, Seen | undefined]>([
  [
    "another class",
    update("aws_db_instance", { instance_class: "db.t3.small" }, { instance_class: "db.t3.large" }),
    ["stateful_disruptive_update", "medium", "high", [["instance_class"]]],
  ],
  [
    "another major version",
    update("aws_db_instance", { engine_version: "14.3" }, { engine_version: "15.1" }),
    ["stateful_disruptive_update", "medium", "high", [["engine_version"]]],
  ],
  [
    "another minor version",
    update("aws_db_instance", { engine_version: "14.3" }, { engine_version: "14.7" }),
    undefined,
  ],
  ...(
    [
      ["MySQL", "8.0.35", "8.4.3", true],
      ["MySQL by two numbers", "8.0", "8.4", true],
      ["MySQL's patches", "8.0.35", "8.0.36", false],
      ["MySQL without its patch", "8.0.35", "8.0", false],
      ["an old PostgreSQL", "9.5.2", "9.6.1", true],
      ["MariaDB", "10.4.13", "10.11.3", true],
      ["Aurora's patches", "8.0.mysql_aurora.3.04.0", "8.0.mysql_aurora.3.05.2", false],
    ] as const
  ).map(([what, from, to, isMajor]): [string, Given, Seen | undefined] => [
    `a version of ${what}`,
    update("aws_db_instance", { engine_version: from }, { engine_version: to }),
    isMajor ? ["stateful_disruptive_update", "medium", "high", [["engine_version"]]] : undefined,
  ]),
  [
    "what is applied at once",
    update("aws_db_instance", { apply_immediately: false }, { apply_immediately: true }),
    ["stateful_disruptive_update", "medium", "high", [["apply_immediately"]]],
  ],
  [
    "a parameter group known after apply",
    update(
      "aws_rds_cluster",
      { db_cluster_parameter_group_name: "a" },
      {},
      { after_unknown: { db_cluster_parameter_group_name: true } },
    ),
    ["stateful_disruptive_update", "medium", "high", [["db_cluster_parameter_group_name"]]],
  ],
  [
    "another tier of a Google database",
    update("google_sql_database_instance", { settings: [{ tier: "a" }] }, { settings: [{ tier: "b" }] }),
    ["stateful_disruptive_update", "medium", "high", [["settings", 0, "tier"]]],
  ],
  [
    "another size of an Azure database",
    update("azurerm_postgresql_flexible_server", { sku_name: "a" }, { sku_name: "b" }),
    ["stateful_disruptive_update", "medium", "high", [["sku_name"]]],
  ],
  [
    "another backup window",
    update("aws_db_instance", { backup_window: "1" }, { backup_window: "2" }),
    undefined,
  ],
  [
    "another class of what holds no data",
    update("aws_instance", { instance_type: "a" }, { instance_type: "b" }),
    undefined,
  ],
  ...[
    ["aws_eks_cluster", "version", "1.29", "1.30"],
    ["azurerm_kubernetes_cluster", "kubernetes_version", "1.29.4", "1.30.0"],
    ["google_container_cluster", "min_master_version", "1.29.4-gke.1043002", "1.30.1-gke.1156000"],
  ].map(([type = "", attribute = "", before = "", after = ""]): [string, Given, Seen] => [
    `another version of ${type}`,
    update(type, { [attribute]: before }, { [attribute]: after }),
    ["stateful_disruptive_update", "medium", "high", [[attribute]]],
  ]),
  [
    "a newer patch of a cluster's version",
    update("azurerm_kubernetes_cluster", { kubernetes_version: "1.29.2" }, { kubernetes_version: "1.29.4" }),
    undefined,
  ],
])("R07 and %s", (_name, given, expected) => {
  expect(said("R07", given)).toEqual(expected);
});
