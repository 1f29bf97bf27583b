import {
  cloudRunService,
  cryptoKey,
  kubernetes,
  labelled,
  ledgerDatabase,
  ledgerWith,
  nodePool,
  PROJECT,
  pubsubTopic,
  salesDataset,
  storageBucket,
} from "./estate/google.ts";
import { alloy, redis } from "./holdout-estate/google-data.ts";
import { backend, images } from "./holdout-estate/google-serving.ts";
import { cosmetic, routine } from "./holdout-routine.ts";
import { changedBlock, created, type ReviewedPlan, updated } from "./plan.ts";

const backoffice = cloudRunService("backoffice", "europe-docker.pkg.dev/lumen/apps/backoffice:1.4.0");

/** Google Cloud: routine changes. */
export const HOLDOUT_ROUTINE_GOOGLE: readonly ReviewedPlan[] = [
  cosmetic(
    "labels of a dataset and a cluster",
    updated(
      "google_bigquery_dataset.sales",
      salesDataset,
      labelled({ team: "shop", env: "prod", tier: "1" }),
    ),
    updated("google_container_cluster.production", kubernetes, { resource_labels: { team: "platform" } }),
  ),
  cosmetic(
    "the description of a repository of images",
    updated("google_artifact_registry_repository.apps", images, { description: "Images of the shop" }),
  ),
  routine(
    "a transfer runs later",
    "The same transfer at another time.",
    updated(
      "google_bigquery_data_transfer_config.ads",
      {
        id: `projects/481920384756/locations/europe/transferConfigs/6f1d2c3b`,
        name: `projects/481920384756/locations/europe/transferConfigs/6f1d2c3b`,
        data_source_id: "google_ads",
        destination_dataset_id: "ads",
        disabled: false,
        display_name: "ads",
        location: "europe",
        params: { customer_id: "123-456-7890" },
        project: PROJECT,
        schedule: "every day 02:00",
      },
      { schedule: "every day 04:00" },
    ),
  ),
  routine(
    "a routine of BigQuery changes",
    "An application change.",
    updated(
      "google_bigquery_routine.net",
      {
        id: `projects/${PROJECT}/datasets/sales/routines/net`,
        dataset_id: "sales",
        routine_id: "net",
        project: PROJECT,
        routine_type: "SCALAR_FUNCTION",
        language: "SQL",
        definition_body: "total / 1.19",
        arguments: [{ name: "total", data_type: '{"typeKind":"NUMERIC"}', mode: "" }],
      },
      { definition_body: "round(total / 1.19, 2)" },
    ),
  ),
  routine(
    "a Bigtable cluster grows",
    "More capacity, online.",
    updated(
      "google_bigtable_instance.events",
      {
        id: `projects/${PROJECT}/instances/events`,
        name: "events",
        project: PROJECT,
        cluster: [{ cluster_id: "events-b", zone: "europe-west3-b", num_nodes: 3, storage_type: "SSD" }],
        deletion_protection: true,
        force_destroy: false,
        ...labelled(),
      },
      { cluster: [{ cluster_id: "events-b", zone: "europe-west3-b", num_nodes: 5, storage_type: "SSD" }] },
    ),
  ),
  routine(
    "a bucket moves cold objects by itself",
    "Objects stay readable.",
    updated("google_storage_bucket.exports", storageBucket("lumen-exports", { autoclass: [] }), {
      autoclass: [{ enabled: true, terminal_storage_class: "NEARLINE" }],
    }),
  ),
  routine(
    "a database's maintenance moves",
    "Another window.",
    updated(
      "google_sql_database_instance.ledger",
      ledgerDatabase,
      ledgerWith({ maintenance_window: [{ day: 7, hour: 3, update_track: "stable" }] }),
    ),
  ),
  routine(
    "AlloyDB can be restored to earlier points",
    "Longer recovery window.",
    updated(
      "google_alloydb_cluster.orders",
      alloy,
      changedBlock(alloy, "continuous_backup_config", { recovery_window_days: 30 }),
    ),
  ),
  routine(
    "maintenance of Redis gets a window",
    "A window for updates.",
    updated("google_redis_instance.sessions", redis, {
      maintenance_policy: [
        { weekly_maintenance_window: [{ day: "SUNDAY", start_time: [{ hours: 3, minutes: 0 }] }] },
      ],
    }),
  ),
  routine(
    "an index of Firestore",
    "Built in the background.",
    created("google_firestore_index.orders", {
      project: PROJECT,
      database: "(default)",
      collection: "orders",
      api_scope: "ANY_API",
      query_scope: "COLLECTION",
      fields: [
        { field_path: "owner", order: "ASCENDING" },
        { field_path: "day", order: "DESCENDING" },
      ],
    }),
  ),
  routine(
    "a topic keeps messages for longer",
    "Longer retention.",
    updated("google_pubsub_topic.invoices", pubsubTopic("invoices"), {
      message_retention_duration: "2678400s",
    }),
  ),
  routine(
    "a release of a Cloud Run service",
    "A deployment.",
    updated(
      "google_cloud_run_v2_service.backoffice",
      backoffice,
      changedBlock(backoffice, "template", {
        containers: [
          {
            image: "europe-docker.pkg.dev/lumen/apps/backoffice:1.5.0",
            resources: [{ limits: { cpu: "1", memory: "512Mi" } }],
          },
        ],
      }),
    ),
  ),
  routine(
    "a backend drains connections for longer",
    "Gentler deployments.",
    updated(
      "google_compute_backend_service.shop",
      { ...backend, connection_draining_timeout_sec: 30 },
      { connection_draining_timeout_sec: 120 },
    ),
  ),
  routine(
    "a health check asks more often",
    "Tuning.",
    updated(
      "google_compute_health_check.shop",
      {
        id: `projects/${PROJECT}/global/healthChecks/shop`,
        name: "shop",
        project: PROJECT,
        check_interval_sec: 10,
        healthy_threshold: 2,
        https_health_check: [{ port: 8443, request_path: "/healthz" }],
        timeout_sec: 5,
        unhealthy_threshold: 3,
      },
      { check_interval_sec: 5 },
    ),
  ),
  routine(
    "nodes are replaced in larger steps",
    "Faster upgrades with extra nodes.",
    updated(
      "google_container_node_pool.general",
      nodePool,
      changedBlock(nodePool, "upgrade_settings", { max_surge: 3 }),
    ),
  ),
  routine(
    "a key rotates more often",
    "Safer; old versions stay.",
    updated("google_kms_crypto_key.ledger", cryptoKey, { rotation_period: "2592000s" }),
  ),
  routine(
    "an API is enabled in a project",
    "A service becomes available; it grants nothing.",
    created("google_project_service.vision", {
      project: PROJECT,
      service: "vision.googleapis.com",
      disable_on_destroy: false,
      disable_dependent_services: null,
    }),
  ),
  routine(
    "a job runs later",
    "The same job at another time.",
    updated(
      "google_cloud_scheduler_job.report",
      {
        id: `projects/${PROJECT}/locations/europe-west3/jobs/report`,
        name: "report",
        project: PROJECT,
        region: "europe-west3",
        attempt_deadline: "180s",
        http_target: [{ http_method: "POST", uri: "https://reports.internal.lumen-shop.example/run" }],
        paused: false,
        schedule: "0 2 * * *",
        time_zone: "Europe/Berlin",
      },
      { schedule: "0 4 * * *" },
    ),
  ),
  routine(
    "a check of the shop from outside",
    "Monitoring only.",
    created("google_monitoring_uptime_check_config.shop", {
      display_name: "shop",
      project: PROJECT,
      period: "60s",
      timeout: "10s",
      http_check: [{ path: "/healthz", port: 443, use_ssl: true, validate_ssl: true }],
      monitored_resource: [{ type: "uptime_url", labels: { host: "www.lumen-shop.example" } }],
    }),
  ),
];
