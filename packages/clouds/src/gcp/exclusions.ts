import { text } from "@leeway/shared/values/json";

import type { ExclusionRule, ListedResource } from "../cloud.ts";
import { catalog } from "./catalog.ts";
import { isMadeByGke } from "./gke.ts";
import { lastSegment } from "./resource-name.ts";
import { serviceMade } from "./service-made.ts";

/**
 * Firewall rules that Google creates in the default network. The console's checkboxes create other ones, on request.
 */
const DEFAULT_FIREWALL_RULES = new Set([
  "default-allow-icmp",
  "default-allow-internal",
  "default-allow-rdp",
  "default-allow-ssh",
]);

const DEFAULT_LOG_NAMES = new Set(["_Default", "_Required", "_AllLogs"]);

const SERVICE_AGENT =
  /^serviceaccount:(?:service-\d+@[a-z\d-]+\.iam|\d+@cloud(?:services|build))\.gserviceaccount\.com(?:\/|$)/;
const DEFAULT_SERVICE_ACCOUNT = /(?:-compute@developer|@appspot)\.gserviceaccount\.com$/;
const LEGACY_ROLE = /\/roles\/storage\.legacy\w+\/project(?:owner|editor|viewer):/i;
const GOOGLE_NAME_SERVER = /^ns-(?:cloud-[a-z]\d|gcp-private)\.googledomains\.com\.$/;
const KUBERNETES = /(?:^|\.)k8s\.io\//;

const NETWORK = spellings("google_compute_network");
const SUBNETWORK = spellings("google_compute_subnetwork");
const FIREWALL = spellings("google_compute_firewall");
const ROUTE = spellings("google_compute_route");
const SERVICE_ACCOUNT = spellings("google_service_account");
const SERVICE_ACCOUNT_KEY = spellings("google_service_account_key");
const RECORD_SET = spellings("google_dns_record_set");
const BUCKET_GRANT = spellings("google_storage_bucket_iam_member");
const LOG_STORAGE = spellings(
  "google_logging_project_bucket_config",
  "google_logging_project_sink",
  "google_logging_log_view",
);

/** Types of which every project has exactly one, even if it was never configured. */
const SETTINGS = assetTypes({
  cloudbilling: ["ProjectBillingInfo"],
  cloudbuild: ["GlobalTriggerSettings"],
  cloudkms: ["EkmConfig"],
  compute: ["InstanceSettings", "Project"],
  dataplex: ["EncryptionConfigs"],
  logging: ["Settings"],
  securitycentermanagement: ["SecurityCenterService"],
});

/** Types that services create as records of their work. */
const RECORDS = assetTypes({
  aiplatform: ["BatchPredictionJob", "CustomJob", "HyperparameterTuningJob", "NasJob", "PipelineJob"],
  artifactregistry: ["DockerImage", "MavenArtifact", "NpmPackage", "PythonPackage"],
  batch: ["Job"],
  cloudbuild: ["Build"],
  clouddeploy: ["AutomationRun", "JobRun", "Release", "Rollout"],
  containerregistry: ["Image"],
  dataform: ["CompilationResult", "WorkflowInvocation"],
  datalineage: ["Process"],
  dlp: ["DlpJob"],
  firestore: ["Backup"],
  gkebackup: ["Backup", "Restore", "VolumeBackup", "VolumeRestore"],
  integrations: ["Execution"],
  logging: ["RecentQuery"],
  osconfig: ["OSPolicyAssignmentReport", "VulnerabilityReport"],
  privateca: ["CertificateRevocationList"],
  privilegedaccessmanager: ["Grant"],
  run: ["Execution", "Revision"],
  sqladmin: ["BackupRun"],
  storageinsights: ["ReportDetail"],
  vmmigration: ["CloneJob", "CutoverJob", "UtilizationReport"],
});

export const exclusions: readonly ExclusionRule[] = [
  {
    id: "gcp.default_network",
    title: "The default network and its subnetworks, which Google creates in new projects.",
    applies: (resource) =>
      (is(resource, NETWORK) && resource.name === "default") ||
      (is(resource, SUBNETWORK) && resource.name === "default" && isInDefaultNetwork(resource)),
  },
  {
    id: "gcp.default_firewall_rule",
    title: "The four default firewall rules of the default network.",
    applies: (resource) =>
      is(resource, FIREWALL) &&
      DEFAULT_FIREWALL_RULES.has(resource.name ?? "") &&
      isInDefaultNetwork(resource),
  },
  {
    id: "gcp.automatic_route",
    title: "Routes created with networks, subnetworks and peerings.",
    applies: (resource) => is(resource, ROUTE) && isAutomaticRoute(resource),
  },
  {
    id: "gcp.default_service_account",
    title:
      "The default service accounts of Compute Engine and App Engine, created when the service is enabled.",
    applies: (resource) => is(resource, SERVICE_ACCOUNT) && DEFAULT_SERVICE_ACCOUNT.test(resource.name ?? ""),
  },
  {
    id: "gcp.service_agent_grant",
    title: "Roles that Google grants to its own service agents.",
    applies: (resource) => isGrant(resource) && SERVICE_AGENT.test(granteeOf(resource)),
  },
  {
    id: "gcp.legacy_bucket_grant",
    title: "Legacy roles that new buckets grant to the project's owners, editors and viewers.",
    applies: (resource) => is(resource, BUCKET_GRANT) && LEGACY_ROLE.test(resource.provider_resource_id),
  },
  {
    id: "gcp.default_log_storage",
    title: "The log buckets, sinks and views of every project (_Default, _Required).",
    applies: (resource) => is(resource, LOG_STORAGE) && DEFAULT_LOG_NAMES.has(resource.name ?? ""),
  },
  {
    id: "gcp.gke_made",
    title: "Instances, disks, firewall rules and load balancing that GKE and its controllers create.",
    applies: isMadeByGke,
  },
  {
    id: "gcp.automatic_dns_record",
    title: "The NS and SOA records created with each DNS zone.",
    applies: (resource) => is(resource, RECORD_SET) && isAutomaticRecord(resource),
  },
  {
    id: "gcp.kubernetes_object",
    title: "Objects in Kubernetes clusters, which are deployed, not provisioned.",
    applies: ({ provider_type }) => KUBERNETES.test(provider_type),
  },
  {
    id: "gcp.run_record",
    title:
      "Builds, revisions, executions, images and reports, which services write as a record of their work.",
    applies: ({ provider_type }) => RECORDS.has(provider_type),
  },
  {
    id: "gcp.system_managed_key",
    title: "Service account keys that Google creates and rotates.",
    applies: (resource) =>
      is(resource, SERVICE_ACCOUNT_KEY) && text(resource.properties, "keyType") === "SYSTEM_MANAGED",
  },
  {
    id: "gcp.project_settings",
    title: "Settings of the project that are listed as if they were resources.",
    applies: ({ provider_type }) => SETTINGS.has(provider_type),
  },
  ...serviceMade,
];

/** Returns every asset type and Terraform type of the entries with one of these Terraform types. */
function spellings(...terraform: string[]): ReadonlySet<string> {
  const entries = catalog.entries.filter((entry) => terraform.some((type) => entry.terraform.includes(type)));
  return new Set(entries.flatMap((entry) => entry.terraform.concat(entry.type)));
}

function assetTypes(kinds: Record<string, readonly string[]>): ReadonlySet<string> {
  return new Set(
    Object.entries(kinds).flatMap(([service, names]) =>
      names.map((name) => `${service}.googleapis.com/${name}`),
    ),
  );
}

function is({ terraform_type, provider_type }: ListedResource, types: ReadonlySet<string>): boolean {
  return types.has(terraform_type ?? provider_type);
}

/** Reports whether the network is the default one; also true if the row names no network. */
function isInDefaultNetwork({ properties }: ListedResource): boolean {
  return lastSegment(text(properties, "network") ?? "default") === "default";
}

function isAutomaticRoute({ name, properties }: ListedResource): boolean {
  const isNextHopAutomatic = ["nextHopNetwork", "nextHopPeering"].some((hop) => text(properties, hop));
  return isNextHopAutomatic || (name?.startsWith("default-route-") ?? false);
}

function isGrant({ terraform_type, provider_type }: ListedResource): boolean {
  return (terraform_type ?? provider_type).endsWith("_iam_member");
}

function granteeOf({ provider_resource_id }: ListedResource): string {
  const id = provider_resource_id.toLowerCase();
  return id.slice(Math.max(id.indexOf("serviceaccount:"), 0));
}

/**
 * Reports whether Google created the record. Delegations are NS records,
 * too, but have to be declared. Google's have a TTL of six hours.
 */
function isAutomaticRecord({ provider_resource_id, properties }: ListedResource): boolean {
  const type = text(properties, "type") ?? lastSegment(provider_resource_id);
  if (type !== "NS") return type === "SOA";
  const servers = properties?.["rrdatas"];
  return (
    properties?.["ttl"] === 21_600 &&
    Array.isArray(servers) &&
    servers.every((server) => typeof server === "string" && GOOGLE_NAME_SERVER.test(server))
  );
}
