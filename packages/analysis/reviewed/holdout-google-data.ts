import {
  labelled,
  ledgerDatabase,
  ledgerSettings,
  ledgerWith,
  PROJECT,
  pubsubSubscription,
  pubsubTopic,
} from "./estate/google.ts";
import {
  alloy,
  backups,
  coldAfter,
  deleteAfter,
  flags,
  invoices,
  PGAUDIT,
  redis,
  releaseOfRules,
  rules,
} from "./holdout-estate/google-data.ts";
import { changedBlock, created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Google Cloud: buckets, databases and topics. */
export const HOLDOUT_GOOGLE_DATA: readonly ReviewedPlan[] = [
  {
    name: "objects of a bucket are deleted after 30 days",
    level: "high",
    why: "Every invoice older than 30 days is deleted.",
    plan: planOf(updated("google_storage_bucket.invoices", invoices, { lifecycle_rule: [deleteAfter(30)] })),
  },
  {
    name: "objects of a bucket become cold after 90 days",
    level: "low",
    why: "The objects stay readable; only cost changes.",
    plan: planOf(updated("google_storage_bucket.invoices", invoices, { lifecycle_rule: [coldAfter(90)] })),
  },
  {
    name: "soft delete of a bucket is turned off",
    level: "high",
    why: "Deleted objects can no longer be restored.",
    plan: planOf(
      updated(
        "google_storage_bucket.invoices",
        invoices,
        changedBlock(invoices, "soft_delete_policy", { retention_duration_seconds: 0 }),
      ),
    ),
  },
  {
    name: "a Redis instance needs no password",
    level: "high",
    why: "Any host in the network reads the sessions.",
    plan: planOf(updated("google_redis_instance.sessions", redis, { auth_enabled: false })),
  },
  {
    name: "automated backups of AlloyDB are turned off",
    level: "high",
    why: "No more daily backups.",
    plan: planOf(
      updated(
        "google_alloydb_cluster.orders",
        alloy,
        changedBlock(alloy, "automated_backup_policy", { enabled: false }),
      ),
    ),
  },
  {
    name: "a Filestore backup is deleted",
    level: "critical",
    why: "The backup is lost.",
    plan: planOf(
      destroyed("google_filestore_backup.homes", {
        id: `projects/${PROJECT}/locations/europe-west3/backups/homes`,
        name: "homes",
        project: PROJECT,
        location: "europe-west3",
        source_instance: `projects/${PROJECT}/locations/europe-west3-b/instances/homes`,
        source_file_share: "homes",
        state: "READY",
        storage_bytes: "182536110080",
        ...labelled(),
      }),
    ),
  },
  {
    name: "backups of a cluster are deactivated",
    level: "high",
    why: "Namespaces and volumes are no longer backed up.",
    plan: planOf(updated("google_gke_backup_backup_plan.production", backups, { deactivated: true })),
  },
  {
    name: "Firestore rules let everyone write",
    level: "critical",
    why: "Anyone on the internet may read and write every document.",
    plan: planOf(created("google_firebaserules_ruleset.firestore", rules("if true")), releaseOfRules),
  },
  {
    name: "Firestore rules let users read their own documents",
    level: "medium",
    why: "Access rules; a person should read them.",
    plan: planOf(
      created("google_firebaserules_ruleset.firestore", rules("if request.auth.uid == resource.data.owner")),
      releaseOfRules,
    ),
  },
  {
    name: "a subscription waits longer for acknowledgements",
    level: "low",
    why: "Tuning.",
    plan: planOf(
      updated("google_pubsub_subscription.printer", pubsubSubscription, { ack_deadline_seconds: 120 }),
    ),
  },
  {
    name: "a subscription pushes to another place",
    level: "medium",
    why: "Messages go to a new receiver.",
    plan: planOf(
      updated(
        "google_pubsub_subscription.printer",
        { ...pubsubSubscription, push_config: [{ push_endpoint: "https://print.lumen-shop.example/v1" }] },
        { push_config: [{ push_endpoint: "https://print.lumen-shop.example/v2" }] },
      ),
    ),
  },
  {
    name: "a topic with a schema",
    level: "low",
    why: "New and private.",
    plan: planOf(
      created("google_pubsub_topic.refunds", {
        ...pubsubTopic("refunds"),
        schema_settings: [{ schema: `projects/${PROJECT}/schemas/refund`, encoding: "JSON" }],
      }),
    ),
  },
  {
    name: "auditing of a database is turned off",
    level: "high",
    why: "pgAudit no longer records who read what.",
    plan: planOf(
      updated(
        "google_sql_database_instance.ledger",
        { ...ledgerDatabase, settings: [{ ...ledgerSettings, database_flags: [PGAUDIT] }] },
        flags({ ...PGAUDIT, value: "off" }),
      ),
    ),
  },
  {
    name: "a database records query statistics",
    level: "low",
    why: "Query insights only, without a restart.",
    plan: planOf(
      updated(
        "google_sql_database_instance.ledger",
        ledgerDatabase,
        ledgerWith({ insights_config: [{ query_insights_enabled: true, query_string_length: 1024 }] }),
      ),
    ),
  },
];
