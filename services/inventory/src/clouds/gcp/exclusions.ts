import { text } from "@leeway/shared/json";

import type { ExclusionRule, ListedResource } from "../cloud.ts";
import { catalog } from "./catalog.ts";
import { isMadeByGke } from "./gke.ts";
import { lastSegment } from "./resource-name.ts";
import { serviceMade } from "./service-made.ts";

/** The network as Google fills it in; the check boxes of the console make other rules, which someone chose. */
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

/** What every project has exactly one of, whether or not someone ever set something in it. */
const SETTINGS = assetTypes({
  cloudbilling: ["ProjectBillingInfo"],
  cloudbuild: ["GlobalTriggerSettings"],
  cloudkms: ["EkmConfig"],
  compute: ["InstanceSettings", "Project"],
  dataplex: ["EncryptionConfigs"],
  logging: ["Settings"],
  securitycentermanagement: ["SecurityCenterService"],
});

/** What services write down of their work. */
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
    title: "The default network and its subnetworks, which Google makes in each new project.",
    applies: (resource) =>
      (is(resource, NETWORK) && resource.name === "default") ||
      (is(resource, SUBNETWORK) && resource.name === "default" && isInDefaultNetwork(resource)),
  },
  {
    id: "gcp.default_firewall_rule",
    title: "The four firewall rules that the default network comes with.",
    applies: (resource) =>
      is(resource, FIREWALL) &&
      DEFAULT_FIREWALL_RULES.has(resource.name ?? "") &&
      isInDefaultNetwork(resource),
  },
  {
    id: "gcp.automatic_route",
    title: "Routes that networks, subnetworks and peerings bring with them.",
    applies: (resource) => is(resource, ROUTE) && isAutomaticRoute(resource),
  },
  {
    id: "gcp.default_service_account",
    title: "The default service accounts of Compute Engine and App Engine, made when the service is enabled.",
    applies: (resource) => is(resource, SERVICE_ACCOUNT) && DEFAULT_SERVICE_ACCOUNT.test(resource.name ?? ""),
  },
  {
    id: "gcp.service_agent_grant",
    title: "Roles that Google grants to its own service agents.",
    applies: (resource) => isGrant(resource) && SERVICE_AGENT.test(granteeOf(resource)),
  },
  {
    id: "gcp.legacy_bucket_grant",
    title: "The legacy roles that each new bucket grants to the project's owners, editors and viewers.",
    applies: (resource) => is(resource, BUCKET_GRANT) && LEGACY_ROLE.test(resource.provider_resource_id),
  },
  {
    id: "gcp.default_log_storage",
    title: "The log buckets, sinks and views that every project has (_Default, _Required).",
    applies: (resource) => is(resource, LOG_STORAGE) && DEFAULT_LOG_NAMES.has(resource.name ?? ""),
  },
  {
    id: "gcp.gke_made",
    title: "Instances, disks, firewall rules and load balancing that GKE and its controllers make.",
    applies: isMadeByGke,
  },
  {
    id: "gcp.automatic_dns_record",
    title: "The NS and SOA records that each DNS zone has from the start.",
    applies: (resource) => is(resource, RECORD_SET) && isAutomaticRecord(resource),
  },
  {
    id: "gcp.kubernetes_object",
    title: "Objects inside Kubernetes clusters, which are deployed, not provisioned.",
    applies: ({ provider_type }) => KUBERNETES.test(provider_type),
  },
  {
    id: "gcp.run_record",
    title: "Builds, revisions, executions, images and reports: what services write down of their work.",
    applies: ({ provider_type }) => RECORDS.has(provider_type),
  },
  {
    id: "gcp.system_managed_key",
    title: "Service account keys that Google makes and rotates by itself.",
    applies: (resource) =>
      is(resource, SERVICE_ACCOUNT_KEY) && text(resource.properties, "keyType") === "SYSTEM_MANAGED",
  },
  {
    id: "gcp.project_settings",
    title: "Settings that every project has one set of, listed as if they were resources.",
    applies: ({ provider_type }) => SETTINGS.has(provider_type),
  },
  ...serviceMade,
];

/** Every asset type and Terraform type of the rows that have one of these Terraform types. */
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

/** Also true when the row doesn't say which network it is. */
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

/** Delegations are NS records too, and someone's to declare: those Google makes live six hours. */
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
