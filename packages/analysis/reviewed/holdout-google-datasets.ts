import { PROJECT, salesDataset } from "./estate/google.ts";
import {
  bigtable,
  COLUMNS,
  datasetAccess,
  salesTable,
  spanner,
  spannerDatabase,
} from "./holdout-estate/google-data.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Google Cloud: datasets, Spanner and Bigtable. */
export const HOLDOUT_GOOGLE_DATASETS: readonly ReviewedPlan[] = [
  {
    name: "everyone with a Google account reads a dataset",
    level: "critical",
    why: "The sales are readable by anyone who signs in to Google.",
    plan: planOf(
      created(
        "google_bigquery_dataset_access.everyone",
        datasetAccess({ role: "READER", special_group: "allAuthenticatedUsers" }),
      ),
    ),
  },
  {
    name: "a view may read a dataset",
    level: "medium",
    why: "Readers of the view see data they couldn't read before.",
    plan: planOf(
      created(
        "google_bigquery_dataset_access.report",
        datasetAccess({ view: [{ project_id: PROJECT, dataset_id: "reports", table_id: "revenue" }] }),
      ),
    ),
  },
  {
    name: "new tables of a dataset expire after a week",
    level: "medium",
    why: "Tables created from now on are deleted after seven days.",
    plan: planOf(
      updated("google_bigquery_dataset.sales", salesDataset, { default_table_expiration_ms: 604800000 }),
    ),
  },
  {
    name: "a table gets an expiration",
    level: "high",
    why: "BigQuery deletes the table at that time.",
    plan: planOf(updated("google_bigquery_table.daily", salesTable, { expiration_time: 1798761600000 })),
  },
  {
    name: "a table gets a column",
    level: "low",
    why: "A nullable column, added in place.",
    plan: planOf(
      updated("google_bigquery_table.daily", salesTable, {
        schema: JSON.stringify([...COLUMNS, { name: "currency", type: "STRING", mode: "NULLABLE" }]),
      }),
    ),
  },
  {
    name: "a reservation loses most of its slots",
    level: "medium",
    why: "Reports may run five times longer.",
    plan: planOf(
      updated(
        "google_bigquery_reservation.reports",
        {
          id: `projects/${PROJECT}/locations/EU/reservations/reports`,
          name: "reports",
          project: PROJECT,
          location: "EU",
          edition: "ENTERPRISE",
          ignore_idle_slots: false,
          slot_capacity: 500,
        },
        { slot_capacity: 100 },
      ),
    ),
  },
  {
    name: "a Spanner instance shrinks to one node",
    level: "medium",
    why: "Two thirds of the capacity are removed.",
    plan: planOf(
      updated("google_spanner_instance.accounts", spanner, { num_nodes: 1, processing_units: 1000 }),
    ),
  },
  {
    name: "a Spanner instance grows",
    level: "low",
    why: "More capacity, online.",
    plan: planOf(
      updated("google_spanner_instance.accounts", spanner, { num_nodes: 5, processing_units: 5000 }),
    ),
  },
  {
    name: "a Spanner database may be dropped",
    level: "high",
    why: "The protection against dropping the database is off.",
    plan: planOf(
      updated("google_spanner_database.accounts", spannerDatabase, { enable_drop_protection: false }),
    ),
  },
  {
    name: "a Spanner database gets an index",
    level: "low",
    why: "Appended DDL runs online.",
    plan: planOf(
      updated("google_spanner_database.accounts", spannerDatabase, {
        ddl: [
          "CREATE TABLE accounts (id STRING(36) NOT NULL) PRIMARY KEY (id)",
          "CREATE INDEX accounts_by_id ON accounts(id DESC)",
        ],
      }),
    ),
  },
  {
    name: "the backup schedule of a Spanner database is deleted",
    level: "high",
    why: "No more backups.",
    plan: planOf(
      destroyed("google_spanner_backup_schedule.daily", {
        id: `projects/${PROJECT}/instances/accounts/databases/accounts/backupSchedules/daily`,
        name: "daily",
        instance: "accounts",
        database: "accounts",
        project: PROJECT,
        retention_duration: "2592000s",
        full_backup_spec: [{}],
        spec: [{ cron_spec: [{ text: "0 2 * * *" }] }],
      }),
    ),
  },
  {
    name: "a column family of Bigtable is dropped",
    level: "critical",
    why: "Every cell of the family is deleted, in place.",
    plan: planOf(
      updated("google_bigtable_table.clicks", bigtable, { column_family: [{ family: "page", type: "" }] }),
    ),
  },
  {
    name: "a column family of Bigtable is added",
    level: "low",
    why: "New and empty.",
    plan: planOf(
      updated("google_bigtable_table.clicks", bigtable, {
        column_family: [
          { family: "page", type: "" },
          { family: "session", type: "" },
          { family: "campaign", type: "" },
        ],
      }),
    ),
  },
  {
    name: "old cells of Bigtable are collected",
    level: "high",
    why: "Bigtable deletes cells older than a week.",
    plan: planOf(
      created("google_bigtable_gc_policy.session", {
        table: "clicks",
        instance_name: "events",
        project: PROJECT,
        column_family: "session",
        deletion_policy: null,
        gc_rules: null,
        mode: "",
        max_age: [{ days: 7, duration: "168h0m0s" }],
        max_version: [],
      }),
    ),
  },
];
