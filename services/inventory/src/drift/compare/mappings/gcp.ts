import { isObject, text, type Json } from "@leeway/shared/json";

import { googleBlocks, googleValue } from "../google-values.ts";
import type { MappingTable, Row, Shape } from "../mapping.ts";
import { anyCase, reference, row, same } from "../shapes.ts";

/** The API leaves out what is false, so that an absent switch is off. */
const off = (live: string): Row => ({ live, shape: googleValue, absent: false });

/** Rules have no order, and the API calls a rule's protocol otherwise than Terraform. */
const firewallRules: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const rules = live.map((rule) =>
    isObject(rule) ? { protocol: rule["IPProtocol"] ?? null, ports: rule["ports"] ?? [] } : rule,
  );
  return googleBlocks(rules, declared);
};
const FIREWALL_RULES = { shape: firewallRules, absent: [] };

/** An attribute of this name that isn't the API's member of that name. */
function skip(): Row {
  return { live: "", shape: () => undefined };
}

/** What a state has by its name and the API by its URL. */
const named: Shape = (live, declared) => {
  const found = reference(live, declared);
  const isName = typeof declared === "string" && !declared.includes("/");
  return isName && typeof found === "string" ? found.slice(found.lastIndexOf("/") + 1) : found;
};

/** Cloud Asset Inventory writes it in capitals. */
const lowerCase: Shape = (live, declared) =>
  anyCase(typeof live === "string" ? live.toLowerCase() : live, declared);

/** A word of which none, or this one, means that nothing was asked for. */
const word = (live: string, standard = ""): Row =>
  row(live, (value, declared) => {
    const isNothing =
      value === standard || (typeof value === "string" && /^(?:|NONE|\w+_UNSPECIFIED)$/.test(value));
    return isNothing && (declared === null || declared === "") ? declared : value;
  });

/** The API lists what Terraform has as a map. */
const metadata: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const entries = live
    .filter(isObject)
    .map((item): [string, Json] => [text(item, "key") ?? "", item["value"] ?? null]);
  return googleBlocks(Object.fromEntries(entries), declared ?? {});
};

const NODES = "node_config.";
const SETTINGS = "settings.";

function settings(rows: Readonly<Record<string, string>>): Record<string, Row> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, live]) => [`${SETTINGS}${name}`, row(`settings.${live}`, googleValue)]),
  );
}

/** Attributes that the API calls otherwise; the rest is compared under its own name (see `googleMember`). */
export const GCP: MappingTable = {
  google_compute_instance: {
    machine_type: row("machineType", named),
    deletion_protection: off("deletionProtection"),
    can_ip_forward: off("canIpForward"),
    tags: "tags.items",
    metadata: row("metadata.items", metadata),
    "scheduling.preemptible": off("scheduling.preemptible"),
    "shielded_instance_config.enable_secure_boot": off("shieldedInstanceConfig.enableSecureBoot"),
  },
  google_compute_firewall: {
    allow: { live: "allowed", ...FIREWALL_RULES },
    deny: { live: "denied", ...FIREWALL_RULES },
    disabled: off("disabled"),
  },
  google_compute_disk: { type: row("type", named), size: "sizeGb", image: row("sourceImage", reference) },
  google_compute_network: {
    routing_mode: "routingConfig.routingMode",
    delete_default_routes_on_create: skip(),
  },
  google_compute_subnetwork: { private_ip_google_access: off("privateIpGoogleAccess") },
  google_compute_address: {
    network_tier: word("networkTier", "PREMIUM"),
    address_type: word("addressType", "EXTERNAL"),
  },
  google_compute_global_address: { address_type: word("addressType", "EXTERNAL") },
  google_compute_ssl_policy: { profile: "profile", min_tls_version: "minTlsVersion" },
  google_compute_backend_service: { timeout_sec: "timeoutSec", enable_cdn: off("enableCDN") },
  google_storage_bucket: {
    uniform_bucket_level_access: off("iamConfiguration.uniformBucketLevelAccess.enabled"),
    public_access_prevention: "iamConfiguration.publicAccessPrevention",
    requester_pays: off("billing.requesterPays"),
    "versioning.enabled": off("versioning.enabled"),
    "retention_policy.retention_period": "retentionPolicy.retentionPeriod",
    "encryption.default_kms_key_name": "encryption.defaultKmsKeyName",
  },
  google_sql_database_instance: {
    database_version: "databaseVersion",
    "settings.disk_size": row("settings.dataDiskSizeGb", googleValue),
    "settings.disk_type": row("settings.dataDiskType", googleValue),
    "settings.disk_autoresize": row("settings.storageAutoResize", googleValue),
    ...settings({
      tier: "tier",
      activation_policy: "activationPolicy",
      availability_type: "availabilityType",
      backup_configuration: "backupConfiguration",
      ip_configuration: "ipConfiguration",
      database_flags: "databaseFlags",
      deletion_protection_enabled: "deletionProtectionEnabled",
    }),
    deletion_protection: skip(),
  },
  google_container_cluster: {
    min_master_version: skip(),
    // Their names alone are beside.
    network: "networkConfig.network | network",
    subnetwork: "networkConfig.subnetwork | subnetwork",
    enable_legacy_abac: off("legacyAbac.enabled"),
    default_max_pods_per_node: "defaultMaxPodsConstraint.maxPodsPerNode",
    enable_shielded_nodes: "shieldedNodes.enabled",
    "release_channel.channel": "releaseChannel.channel",
    "private_cluster_config.enable_private_nodes": off("privateClusterConfig.enablePrivateNodes"),
    "private_cluster_config.enable_private_endpoint": off("privateClusterConfig.enablePrivateEndpoint"),
    master_authorized_networks_config: "masterAuthorizedNetworksConfig",
    deletion_protection: skip(),
    node_config: skip(),
    // They are listed by themselves.
    node_pool: skip(),
    node_locations: skip(),
    maintenance_policy: skip(),
  },
  google_container_node_pool: {
    node_count: skip(),
    "autoscaling.min_node_count": "autoscaling.minNodeCount",
    "autoscaling.max_node_count": "autoscaling.maxNodeCount",
    ...Object.fromEntries(
      ["machine_type", "disk_size_gb", "disk_type", "service_account", "oauth_scopes"].map((name) => [
        `${NODES}${name}`,
        `config.${name}`,
      ]),
    ),
    "node_config.image_type": row("config.imageType", anyCase),
    "node_config.preemptible": off("config.preemptible"),
  },
  google_service_account: { account_id: skip(), disabled: off("disabled") },
  google_kms_crypto_key: { rotation_period: "rotationPeriod" },
  google_pubsub_topic: { kms_key_name: "kmsKeyName" },
  google_pubsub_subscription: {
    enable_message_ordering: off("enableMessageOrdering"),
    retain_acked_messages: off("retainAckedMessages"),
  },
  google_bigquery_dataset: { access: skip(), delete_contents_on_destroy: skip() },
  google_bigquery_table: { schema: skip(), deletion_protection: skip() },
  google_cloudfunctions_function: { ...same("runtime timeout"), available_memory_mb: "availableMemoryMb" },
  google_dns_managed_zone: { dnssec_config: skip(), visibility: row("visibility", lowerCase) },
  google_dns_record_set: { ...same("type ttl"), rrdatas: "rrdatas" },
  google_redis_instance: { memory_size_gb: "memorySizeGb", auth_enabled: off("authEnabled") },
  google_spanner_instance: { config: row("config", named), num_nodes: "nodeCount" },
  google_secret_manager_secret: { replication: skip() },
  google_logging_project_sink: { destination: "destination", filter: "filter", disabled: off("disabled") },
  google_project: { name: "name", billing_account: skip() },
  google_filestore_instance: { tier: "tier" },
};
