import {
  cloudRunService,
  cryptoKey,
  dataKeyring,
  kubernetes,
  ledgerDatabase,
  ledgerSettings,
  ledgerWith,
  PROJECT,
  pubsubTopic,
  salesDataset,
} from "../estate/google.ts";
import { changedBlock, knownWhenNew } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

/** Returns a row's `iamPolicy` with one binding. */
const grants = (role: string, member: string) => ({ iamPolicy: { bindings: [{ role, members: [member] }] } });
const liveDatabase = (ipConfiguration: object) => ({
  name: "ledger",
  project: PROJECT,
  region: "europe-west3",
  databaseVersion: "POSTGRES_15",
  state: "RUNNABLE",
  settings: {
    activationPolicy: "ALWAYS",
    availabilityType: "REGIONAL",
    backupConfiguration: { enabled: true, pointInTimeRecoveryEnabled: true, startTime: "02:00" },
    deletionProtectionEnabled: true,
    tier: "db-custom-4-15360",
    ipConfiguration: { sslMode: "ENCRYPTED_ONLY", ...ipConfiguration },
  },
});
const ANYWHERE_NETWORK = { name: "all", value: "0.0.0.0/0", expiration_time: "" };
const liveCluster = {
  name: "production",
  selfLink: `https://container.googleapis.com/v1/projects/${PROJECT}/locations/europe-west3/clusters/production`,
  location: "europe-west3",
  network: "production",
  legacyAbac: {},
  shieldedNodes: { enabled: true },
  status: "RUNNING",
  workloadIdentityConfig: { workloadPool: `${PROJECT}.svc.id.goog` },
};
const openControlPlane = {
  ...changedBlock(kubernetes, "private_cluster_config", { enable_private_endpoint: false }),
  ...changedBlock(kubernetes, "master_authorized_networks_config", {
    cidr_blocks: [{ cidr_block: "0.0.0.0/0", display_name: "all" }],
  }),
};
const liveDataset = (...access: object[]) => ({
  id: `${PROJECT}:sales`,
  datasetReference: { projectId: PROJECT, datasetId: "sales" },
  location: "EU",
  friendlyName: "Sales",
  access: [{ role: "OWNER", specialGroup: "projectOwners" }, ...access].map((one) => ({ ...one })),
});

/** Google Cloud: databases, keys, clusters and services. */
export const GOOGLE_DATA: readonly CommonType[] = [
  {
    type: "google_sql_database_instance",
    harmless: knownWhenNew(ledgerDatabase),
    exposed: {
      after: knownWhenNew({
        ...ledgerDatabase,
        ...ledgerWith(
          changedBlock(ledgerSettings, "ip_configuration", {
            ipv4_enabled: true,
            authorized_networks: [ANYWHERE_NETWORK],
          }),
        ),
      }),
      level: "critical",
      why: "The database accepts connections from the whole internet.",
    },
    live: {
      provider_type: "sqladmin.googleapis.com/Instance",
      harmless: liveDatabase({ ipv4Enabled: false, authorizedNetworks: [] }),
      exposed: liveDatabase({ ipv4Enabled: true, authorizedNetworks: [{ name: "all", value: "0.0.0.0/0" }] }),
    },
  },
  {
    type: "google_container_cluster",
    harmless: knownWhenNew(kubernetes),
    exposed: {
      after: knownWhenNew({ ...kubernetes, ...openControlPlane }),
      level: "high",
      why: "The control plane is reachable from the whole internet.",
    },
    live: {
      provider_type: "container.googleapis.com/Cluster",
      harmless: {
        ...liveCluster,
        privateClusterConfig: { enablePrivateEndpoint: true, enablePrivateNodes: true },
        masterAuthorizedNetworksConfig: { enabled: true, cidrBlocks: [{ cidrBlock: "10.0.0.0/8" }] },
      },
      exposed: {
        ...liveCluster,
        privateClusterConfig: { enablePrivateEndpoint: false, enablePrivateNodes: true },
        masterAuthorizedNetworksConfig: { enabled: true, cidrBlocks: [{ cidrBlock: "0.0.0.0/0" }] },
      },
    },
  },
  {
    type: "google_bigquery_dataset",
    harmless: knownWhenNew(salesDataset),
    exposed: {
      after: knownWhenNew({
        ...salesDataset,
        access: [{ role: "READER", special_group: "allAuthenticatedUsers" }],
      }),
      level: "critical",
      why: "Anyone with a Google account can query the data.",
    },
    live: {
      provider_type: "bigquery.googleapis.com/Dataset",
      harmless: liveDataset({ role: "READER", groupByEmail: "analysts@lumen-shop.example" }),
      exposed: liveDataset({ role: "READER", specialGroup: "allAuthenticatedUsers" }),
    },
  },
  {
    type: "google_pubsub_topic",
    harmless: knownWhenNew(pubsubTopic("orders")),
    live: {
      provider_type: "pubsub.googleapis.com/Topic",
      harmless: { name: `projects/${PROJECT}/topics/orders`, messageRetentionDuration: "604800s" },
      exposed_by: {
        google_pubsub_topic_iam_member: {
          name: `projects/${PROJECT}/topics/orders`,
          ...grants("roles/pubsub.publisher", "allUsers"),
        },
      },
    },
  },
  {
    type: "google_kms_crypto_key",
    harmless: knownWhenNew(cryptoKey),
    live: {
      provider_type: "cloudkms.googleapis.com/CryptoKey",
      harmless: {
        name: `${dataKeyring}/cryptoKeys/ledger`,
        purpose: "ENCRYPT_DECRYPT",
        rotationPeriod: "7776000s",
        versionTemplate: { algorithm: "GOOGLE_SYMMETRIC_ENCRYPTION", protectionLevel: "HSM" },
      },
      exposed_by: {
        google_kms_crypto_key_iam_member: {
          name: `${dataKeyring}/cryptoKeys/ledger`,
          purpose: "ENCRYPT_DECRYPT",
          ...grants("roles/cloudkms.cryptoKeyDecrypter", "allUsers"),
        },
      },
    },
  },
  {
    type: "google_cloud_run_v2_service",
    harmless: knownWhenNew(cloudRunService("checkout", "checkout:3.4.1")),
    live: {
      provider_type: "run.googleapis.com/Service",
      harmless: {
        name: `projects/${PROJECT}/locations/europe-west3/services/checkout`,
        ingress: "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER",
        template: { containers: [{ image: "checkout:3.4.1" }] },
      },
      exposed_by: {
        google_cloud_run_v2_service_iam_member: {
          name: `projects/${PROJECT}/locations/europe-west3/services/checkout`,
          ingress: "INGRESS_TRAFFIC_ALL",
          ...grants("roles/run.invoker", "allUsers"),
        },
      },
    },
  },
];
