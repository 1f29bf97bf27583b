import { type JsonObject, text } from "@leeway/shared/values/json";

import type { ExclusionRule, ListedResource } from "../cloud.ts";
import { lastSegment } from "./resource-name.ts";

/** Services that are enabled in every new project by default. */
const DEFAULT_SERVICES = new Set([
  "analyticshub",
  "bigquery",
  "bigqueryconnection",
  "bigquerydatapolicy",
  "bigquerymigration",
  "bigqueryreservation",
  "bigquerystorage",
  "cloudapis",
  "cloudtrace",
  "dataform",
  "dataplex",
  "datastore",
  "logging",
  "monitoring",
  "servicemanagement",
  "serviceusage",
  "sql-component",
  "storage",
  "storage-api",
  "storage-component",
]);

/** Buckets in which services keep sources, uploads, build logs and images, named after the project. */
const SERVICE_BUCKET = [
  /^gcf-(?:v2-)?(?:sources|uploads)-\d+-[a-z\d-]+(?:\.cloudfunctions\.appspot\.com)?$/,
  /^run-sources-.+-[a-z]+-[a-z]+\d+$/,
  /^[a-z\d-]+(?:_[a-z]+-[a-z]+\d+)?_cloudbuild$/,
  /^(?:(?:asia|eu|us)\.)?artifacts\..+\.appspot\.com$/,
  /^staging\..+\.appspot\.com$/,
  /^dataproc-(?:staging|temp)-[a-z]+-[a-z]+\d+-\d+-[a-z\d]+$/,
  /^dataflow-staging-[a-z]+-[a-z]+\d+-\d+$/,
];
const SERVICE_REPOSITORIES = new Set(["gcf-artifacts", "cloud-run-source-deploy"]);

const SERVICE_ADDRESSES = new Set(["DNS_RESOLVER", "NAT_AUTO", "SERVERLESS"]);
const AUTOMATIC_ADDRESS = /^(?:nat-auto-ip|serverless-ipv[46])-\d/;

/** Rules for resources that services create for their own use, in every project or along with a declared resource. */
export const serviceMade: readonly ExclusionRule[] = [
  {
    id: "gcp.default_service",
    title: "Services enabled by default in new projects.",
    applies: ({ provider_type, provider_resource_id }) =>
      provider_type === "serviceusage.googleapis.com/Service" &&
      DEFAULT_SERVICES.has(lastSegment(provider_resource_id).replace(/\.googleapis\.com$/, "")),
  },
  {
    id: "gcp.service_storage",
    title: "Buckets and repositories that Cloud Functions, Cloud Run, Cloud Build and others use internally.",
    applies: ({ provider_type, name = "" }) =>
      provider_type === "storage.googleapis.com/Bucket"
        ? SERVICE_BUCKET.some((pattern) => pattern.test(name))
        : provider_type === "artifactregistry.googleapis.com/Repository" && SERVICE_REPOSITORIES.has(name),
  },
  {
    id: "gcp.service_address",
    title: "Addresses that Cloud NAT, Cloud DNS and serverless services reserve on demand.",
    applies: ({ provider_type, properties, name = "" }) =>
      provider_type === "compute.googleapis.com/Address" &&
      (SERVICE_ADDRESSES.has(text(properties, "purpose") ?? "") || AUTOMATIC_ADDRESS.test(name)),
  },
  {
    id: "gcp.automatic_backup",
    title: "Snapshots and backups created automatically by a schedule or database.",
    applies: isAutomaticBackup,
  },
  {
    id: "gcp.firebase_made",
    title: "The service account and API keys that Firebase creates in a project.",
    applies: ({ provider_type, properties, name = "" }) =>
      provider_type === "iam.googleapis.com/ServiceAccount"
        ? /^firebase-adminsdk-[a-z\d]+@/.test(name)
        : provider_type === "apikeys.googleapis.com/Key" &&
          (text(properties, "displayName")?.endsWith("(auto created by Firebase)") ?? false),
  },
];

const AUTOMATIC: ReadonlyMap<string, (backup: JsonObject) => boolean> = new Map([
  ["compute.googleapis.com/Snapshot", (snapshot) => snapshot["autoCreated"] === true],
  ["alloydb.googleapis.com/Backup", isOwnBackup],
  ["sqladmin.googleapis.com/Backup", isOwnBackup],
]);

function isAutomaticBackup({ provider_type, properties }: ListedResource): boolean {
  return (properties && AUTOMATIC.get(provider_type)?.(properties)) ?? false;
}

function isOwnBackup(backup: JsonObject): boolean {
  return ["AUTOMATED", "CONTINUOUS"].includes(text(backup, "type") ?? "");
}
