import type { JsonObject } from "@leeway/shared/values/json";

import { dataKeyring, iamMember, labelled, NETWORK, PROJECT } from "../estate/google.ts";
import { knownWhenNew } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const PRINTER = `serviceAccount:printer@${PROJECT}.iam.gserviceaccount.com`;
const inRegion = { project: PROJECT, location: "europe-west3" };
const grants = (role: string, member: string) => ({ iamPolicy: { bindings: [{ role, members: [member] }] } });

/** Builds a grant on a resource, to one service account or to everyone. */
function grantRow(
  type: string,
  resource: Record<string, string>,
  { role, everyone, level, why }: { role: string; everyone: string; level: "high" | "critical"; why: string },
): CommonType {
  return {
    type: `${type}_iam_member`,
    harmless: knownWhenNew(iamMember(resource, role, PRINTER)),
    medium: "access",
    exposed: { after: knownWhenNew(iamMember(resource, role, everyone)), level, why },
    live: { part_of: type },
  };
}

const liveImages: JsonObject = {
  name: `projects/${PROJECT}/locations/europe-west3/repositories/shop`,
  format: "DOCKER",
  mode: "STANDARD_REPOSITORY",
};
const liveFunction: JsonObject = {
  name: `projects/${PROJECT}/locations/europe-west3/functions/emails`,
  environment: "GEN_2",
  state: "ACTIVE",
  buildConfig: { runtime: "nodejs20", entryPoint: "handler" },
  serviceConfig: { ingressSettings: "ALLOW_INTERNAL_ONLY" },
};
const liveSecret: JsonObject = {
  name: `projects/318402957114/secrets/stripe-key`,
  replication: { automatic: {} },
};

/** Google Cloud: services and access to them. */
export const GOOGLE_SERVICES: readonly CommonType[] = [
  grantRow(
    "google_pubsub_topic",
    { project: PROJECT, topic: "orders" },
    {
      role: "roles/pubsub.publisher",
      everyone: "allUsers",
      level: "high",
      why: "Anyone can publish false orders.",
    },
  ),
  grantRow(
    "google_kms_crypto_key",
    { crypto_key_id: `${dataKeyring}/cryptoKeys/ledger` },
    {
      role: "roles/cloudkms.cryptoKeyDecrypter",
      everyone: "allUsers",
      level: "critical",
      why: "Anyone can decrypt the ledger.",
    },
  ),
  grantRow(
    "google_cloud_run_v2_service",
    { ...inRegion, name: "checkout" },
    {
      role: "roles/run.invoker",
      everyone: "allUsers",
      level: "high",
      why: "Anyone on the internet can call the service.",
    },
  ),
  {
    type: "google_cloudfunctions2_function",
    harmless: {
      name: "emails",
      ...inRegion,
      description: "",
      build_config: [{ runtime: "nodejs20", entry_point: "handler" }],
      service_config: [
        { ingress_settings: "ALLOW_INTERNAL_ONLY", available_memory: "256M", timeout_seconds: 30 },
      ],
      ...labelled(),
    },
    live: {
      provider_type: "cloudfunctions.googleapis.com/Function",
      harmless: liveFunction,
      exposed_by: {
        google_cloudfunctions2_function_iam_member: {
          ...liveFunction,
          serviceConfig: { ingressSettings: "ALLOW_ALL" },
          ...grants("roles/cloudfunctions.invoker", "allUsers"),
        },
      },
    },
  },
  grantRow(
    "google_cloudfunctions2_function",
    { ...inRegion, cloud_function: "emails" },
    {
      role: "roles/cloudfunctions.invoker",
      everyone: "allUsers",
      level: "high",
      why: "Anyone on the internet can call the function.",
    },
  ),
  {
    type: "google_artifact_registry_repository",
    harmless: {
      repository_id: "shop",
      ...inRegion,
      format: "DOCKER",
      mode: "STANDARD_REPOSITORY",
      docker_config: [{ immutable_tags: true }],
      ...labelled(),
    },
    live: {
      provider_type: "artifactregistry.googleapis.com/Repository",
      harmless: liveImages,
      exposed_by: {
        google_artifact_registry_repository_iam_member: {
          ...liveImages,
          ...grants("roles/artifactregistry.reader", "allUsers"),
        },
      },
    },
  },
  grantRow(
    "google_artifact_registry_repository",
    { ...inRegion, repository: "shop" },
    {
      role: "roles/artifactregistry.reader",
      everyone: "allUsers",
      level: "high",
      why: "Anyone can pull the images.",
    },
  ),
  {
    type: "google_secret_manager_secret",
    harmless: { secret_id: "stripe-key", project: PROJECT, replication: [{ auto: [{}] }], ...labelled() },
    live: {
      provider_type: "secretmanager.googleapis.com/Secret",
      harmless: liveSecret,
      exposed_by: {
        google_secret_manager_secret_iam_member: {
          ...liveSecret,
          ...grants("roles/secretmanager.secretAccessor", "allAuthenticatedUsers"),
        },
      },
    },
  },
  grantRow(
    "google_secret_manager_secret",
    { project: PROJECT, secret_id: "stripe-key" },
    {
      role: "roles/secretmanager.secretAccessor",
      everyone: "allAuthenticatedUsers",
      level: "critical",
      why: "Anyone with a Google account can read the secret.",
    },
  ),
  {
    type: "google_compute_network",
    harmless: {
      name: "production",
      project: PROJECT,
      auto_create_subnetworks: false,
      delete_default_routes_on_create: false,
      routing_mode: "REGIONAL",
    },
    live: {
      provider_type: "compute.googleapis.com/Network",
      harmless: {
        name: "production",
        selfLink: `https://www.googleapis.com/compute/v1/${NETWORK}`,
        autoCreateSubnetworks: false,
        routingConfig: { routingMode: "REGIONAL" },
      },
    },
  },
];
