import type { JsonObject } from "@leeway/shared/values/json";

import { kubernetes, labelled, ledgerWith, NETWORK, PROJECT, storageBucket } from "../estate/google.ts";
import { updated } from "../plan.ts";

export const datasetAccess = (more: JsonObject): JsonObject => ({
  project: PROJECT,
  dataset_id: "sales",
  role: null,
  special_group: null,
  view: [],
  ...more,
});
export const COLUMNS = [
  { name: "day", type: "DATE", mode: "REQUIRED" },
  { name: "total", type: "NUMERIC", mode: "NULLABLE" },
];
export const salesTable: JsonObject = {
  id: `projects/${PROJECT}/datasets/sales/tables/daily`,
  project: PROJECT,
  dataset_id: "sales",
  table_id: "daily",
  deletion_protection: true,
  expiration_time: 0,
  require_partition_filter: false,
  schema: JSON.stringify(COLUMNS),
  time_partitioning: [{ type: "DAY", field: "day", expiration_ms: 0 }],
  type: "TABLE",
  ...labelled(),
};
export const spanner: JsonObject = {
  id: `${PROJECT}/accounts`,
  name: "accounts",
  project: PROJECT,
  config: `projects/${PROJECT}/instanceConfigs/regional-europe-west3`,
  display_name: "Accounts",
  edition: "ENTERPRISE",
  force_destroy: false,
  num_nodes: 3,
  processing_units: 3000,
  ...labelled(),
};
export const spannerDatabase: JsonObject = {
  id: "accounts/accounts",
  name: "accounts",
  instance: "accounts",
  project: PROJECT,
  database_dialect: "GOOGLE_STANDARD_SQL",
  ddl: ["CREATE TABLE accounts (id STRING(36) NOT NULL) PRIMARY KEY (id)"],
  deletion_protection: true,
  enable_drop_protection: true,
  version_retention_period: "7d",
};
export const bigtable: JsonObject = {
  id: `projects/${PROJECT}/instances/events/tables/clicks`,
  name: "clicks",
  instance_name: "events",
  project: PROJECT,
  change_stream_retention: "",
  deletion_protection: "PROTECTED",
  column_family: [
    { family: "page", type: "" },
    { family: "session", type: "" },
  ],
};
export const redis: JsonObject = {
  id: `projects/${PROJECT}/locations/europe-west3/instances/sessions`,
  name: "sessions",
  project: PROJECT,
  region: "europe-west3",
  auth_enabled: true,
  authorized_network: NETWORK,
  connect_mode: "PRIVATE_SERVICE_ACCESS",
  memory_size_gb: 5,
  redis_version: "REDIS_7_2",
  tier: "STANDARD_HA",
  transit_encryption_mode: "SERVER_AUTHENTICATION",
  ...labelled(),
};
export const alloy: JsonObject = {
  id: `projects/${PROJECT}/locations/europe-west3/clusters/orders`,
  cluster_id: "orders",
  project: PROJECT,
  location: "europe-west3",
  database_version: "POSTGRES_16",
  deletion_policy: "DEFAULT",
  automated_backup_policy: [{ enabled: true, backup_window: "3600s", time_based_retention: [] }],
  continuous_backup_config: [{ enabled: true, recovery_window_days: 14 }],
  network_config: [{ network: NETWORK }],
  ...labelled(),
};
export const rules = (condition: string): JsonObject => ({
  project: PROJECT,
  source: [
    {
      language: "",
      files: [
        {
          name: "firestore.rules",
          fingerprint: "",
          content: `service cloud.firestore { match /databases/{d}/documents { match /{doc=**} { allow read, write: ${condition}; } } }`,
        },
      ],
    },
  ],
});
export const releaseOfRules = updated(
  "google_firebaserules_release.firestore",
  {
    id: `projects/${PROJECT}/releases/cloud.firestore`,
    name: "cloud.firestore",
    project: PROJECT,
    ruleset_name: `projects/${PROJECT}/rulesets/3f1c7a64-30be`,
  },
  {},
  ["ruleset_name"],
);
export const deleteAfter = (age: number): JsonObject => ({
  action: [{ type: "Delete", storage_class: "" }],
  condition: [{ age, matches_prefix: [], with_state: "ANY" }],
});
export const coldAfter = (age: number): JsonObject => ({
  action: [{ type: "SetStorageClass", storage_class: "NEARLINE" }],
  condition: [{ age, matches_prefix: [], with_state: "ANY" }],
});
export const invoices = storageBucket("lumen-invoices", { lifecycle_rule: [] });
export const backups: JsonObject = {
  id: `projects/${PROJECT}/locations/europe-west3/backupPlans/production`,
  name: "production",
  project: PROJECT,
  location: "europe-west3",
  cluster: kubernetes["id"] ?? null,
  deactivated: false,
  backup_schedule: [{ cron_schedule: "0 3 * * *", paused: false }],
  backup_config: [{ all_namespaces: true, include_secrets: true, include_volume_data: true }],
  retention_policy: [{ backup_retain_days: 30, backup_delete_lock_days: 7, locked: false }],
  ...labelled(),
};
export const flags = (...database_flags: JsonObject[]): JsonObject => ledgerWith({ database_flags });
export const PGAUDIT = { name: "cloudsql.enable_pgaudit", value: "on" };
