import {
  cloudRunService,
  cryptoKey,
  kubernetes,
  labelled,
  ledgerDatabase,
  nodePool,
  PROJECT,
  pubsubSubscription,
  pubsubTopic,
  salesDataset,
  storageBucket,
  worker,
} from "./estate/google.ts";
import { created, planOf, type ReviewedPlan, updated } from "./plan.ts";

const IMAGES = "europe-west3-docker.pkg.dev/lumen-shop-prod/shop";
const serviceAccount = {
  id: `projects/${PROJECT}/serviceAccounts/checkout@${PROJECT}.iam.gserviceaccount.com`,
  account_id: "checkout",
  display_name: "Checkout",
  description: "",
  disabled: false,
  email: `checkout@${PROJECT}.iam.gserviceaccount.com`,
  project: PROJECT,
  unique_id: "108592438577779299646",
};
const metric = {
  id: "checkout-errors",
  name: "checkout-errors",
  project: PROJECT,
  filter: 'resource.type="cloud_run_revision" severity>=ERROR',
  metric_descriptor: [{ metric_kind: "DELTA", value_type: "INT64", unit: "1" }],
};
const subnetwork = {
  id: `projects/${PROJECT}/regions/europe-west3/subnetworks/jobs`,
  name: "jobs",
  project: PROJECT,
  region: "europe-west3",
  ip_cidr_range: "10.40.24.0/22",
  private_ip_google_access: true,
  log_config: [{ aggregation_interval: "INTERVAL_5_SEC", flow_sampling: 0.5 }],
};
const images = {
  id: `projects/${PROJECT}/locations/europe-west3/repositories/shop`,
  repository_id: "shop",
  project: PROJECT,
  location: "europe-west3",
  format: "DOCKER",
  mode: "STANDARD_REPOSITORY",
  docker_config: [{ immutable_tags: true }],
};
const secret = {
  id: `projects/${PROJECT}/secrets/stripe-key`,
  secret_id: "stripe-key",
  project: PROJECT,
  replication: [{ auto: [{}] }],
  ...labelled(),
};

/** Google Cloud: changes without risk. */
export const HARMLESS_GOOGLE: readonly ReviewedPlan[] = [
  {
    name: "Google: a new private bucket",
    level: "low",
    why: "Public access is prevented.",
    plan: planOf(created("google_storage_bucket.reports", storageBucket("lumen-reports"))),
  },
  {
    name: "Google: a bucket's labels",
    level: "none",
    why: "Labels only.",
    plan: planOf(
      updated(
        "google_storage_bucket.reports",
        storageBucket("lumen-reports"),
        labelled({ team: "finance", env: "prod" }),
      ),
    ),
  },
  {
    name: "Google: a new topic with a subscription",
    level: "low",
    why: "Internal only.",
    plan: planOf(
      created("google_pubsub_topic.invoices", pubsubTopic("invoices")),
      created("google_pubsub_subscription.printer", pubsubSubscription),
    ),
  },
  {
    name: "Google: a new internal service",
    level: "medium",
    why: "A new service account; check which roles it gets later.",
    plan: planOf(
      created("google_service_account.checkout", serviceAccount),
      created(
        "google_cloud_run_v2_service.checkout",
        cloudRunService("checkout", `${IMAGES}/checkout:3.4.1`),
      ),
    ),
  },
  {
    name: "Google: a new image for a service",
    level: "low",
    why: "A release.",
    plan: planOf(
      updated(
        "google_cloud_run_v2_service.checkout",
        cloudRunService("checkout", `${IMAGES}/checkout:3.4.1`),
        cloudRunService("checkout", `${IMAGES}/checkout:3.5.0`),
      ),
    ),
  },
  {
    name: "Google: a new private database and its key",
    level: "low",
    why: "Private, encrypted, backed up and protected.",
    plan: planOf(
      created("google_kms_crypto_key.ledger", cryptoKey),
      created("google_sql_database_instance.ledger", ledgerDatabase),
    ),
  },
  {
    name: "Google: a new private cluster",
    level: "low",
    why: "Private nodes and a private endpoint.",
    plan: planOf(
      created("google_container_cluster.production", kubernetes),
      created("google_container_node_pool.general", nodePool),
    ),
  },
  {
    name: "Google: a new dataset, a metric and a secret",
    level: "low",
    why: "Only our own analysts have access.",
    plan: planOf(
      created("google_bigquery_dataset.sales", salesDataset),
      created("google_logging_metric.errors", metric),
      created("google_secret_manager_secret.stripe", secret),
    ),
  },
  {
    name: "Google: a new machine, subnetwork and registry",
    level: "low",
    why: "No public address.",
    plan: planOf(
      created("google_compute_subnetwork.jobs", subnetwork),
      created("google_compute_instance.worker", worker),
      created("google_artifact_registry_repository.shop", images),
    ),
  },
  {
    name: "Google: more nodes",
    level: "low",
    why: "6 become 9.",
    plan: planOf(updated("google_container_node_pool.general", nodePool, { node_count: 9 })),
  },
];
