import { text } from "@leeway/shared/values/json";
import { once } from "@leeway/shared/values/once";

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

const isNetwork = typeTest("google_compute_network");
const isSubnetwork = typeTest("google_compute_subnetwork");
const isFirewall = typeTest("google_compute_firewall");
const isRoute = typeTest("google_compute_route");
const isServiceAccount = typeTest("google_service_account");
const isServiceAccountKey = typeTest("google_service_account_key");
const isRecordSet = typeTest("google_dns_record_set");
const isBucketGrant = typeTest("google_storage_bucket_iam_member");
const isLogStorage = typeTest(
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
      (isNetwork(resource) && resource.name === "default") ||
      (isSubnetwork(resource) && resource.name === "default" && isInDefaultNetwork(resource)),
  },
  {
    id: "gcp.default_firewall_rule",
    title: "The four default firewall rules of the default network.",
    applies: (resource) =>
      isFirewall(resource) && DEFAULT_FIREWALL_RULES.has(resource.name ?? "") && isInDefaultNetwork(resource),
  },
  {
    id: "gcp.automatic_route",
    title: "Routes created with networks, subnetworks and peerings.",
    applies: (resource) => isRoute(resource) && isAutomaticRoute(resource),
  },
  {
    id: "gcp.default_service_account",
    title:
      "The default service accounts of Compute Engine and App Engine, created when the service is enabled.",
    applies: (resource) => isServiceAccount(resource) && DEFAULT_SERVICE_ACCOUNT.test(resource.name ?? ""),
  },
  {
    id: "gcp.service_agent_grant",
    title: "Roles that Google grants to its own service agents.",
    applies: (resource) => isGrant(resource) && SERVICE_AGENT.test(granteeOf(resource)),
  },
  {
    id: "gcp.legacy_bucket_grant",
    title: "Legacy roles that new buckets grant to the project's owners, editors and viewers.",
    applies: (resource) => isBucketGrant(resource) && LEGACY_ROLE.test(resource.provider_resource_id),
  },
  {
    id: "gcp.default_log_storage",
    title: "The log buckets, sinks and views of every project (_Default, _Required).",
    applies: (resource) => isLogStorage(resource) && DEFAULT_LOG_NAMES.has(resource.name ?? ""),
  },
  {
    id: "gcp.gke_made",
    title: "Instances, disks, firewall rules and load balancing that GKE and its controllers create.",
    applies: isMadeByGke,
  },
  {
    id: "gcp.automatic_dns_record",
    title: "The NS and SOA records created with each DNS zone.",
    applies: (resource) => isRecordSet(resource) && isAutomaticRecord(resource),
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
      isServiceAccountKey(resource) && text(resource.properties, "keyType") === "SYSTEM_MANAGED",
  },
  {
    id: "gcp.project_settings",
    title: "Settings of the project that are listed as if they were resources.",
    applies: ({ provider_type }) => SETTINGS.has(provider_type),
  },
  ...serviceMade,
];

/** Returns a test of whether a resource has one of these Terraform types, or an asset type that they declare. */
function typeTest(...terraform: string[]): (resource: ListedResource) => boolean {
  const spellings = once(() => {
    const entries = catalog.entries.filter((entry) =>
      terraform.some((type) => entry.terraform.includes(type)),
    );
    return new Set(entries.flatMap((entry) => entry.terraform.concat(entry.type)));
  });
  return ({ terraform_type, provider_type }) => spellings().has(terraform_type ?? provider_type);
}

function assetTypes(kinds: Record<string, readonly string[]>): ReadonlySet<string> {
  return new Set(
    Object.entries(kinds).flatMap(([service, names]) =>
      names.map((name) => `${service}.googleapis.com/${name}`),
    ),
  );
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
