import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { googleBlocks } from "../../google-values.ts";
import { mirroredMember } from "../../live-path.ts";
import { snakeCase } from "../../names.ts";
import type { MappingTable, Row, Shape, ShapeWithin } from "../../mapping.ts";
import { reference, row } from "../../shapes.ts";
import { itemsOf, leavingOut, listed, named, off, skip, unset, whileOn, word } from "./rows.ts";

/** Compares firewall rules, which have no order. The API names the protocol differently from Terraform. */
const firewallRules: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const rules = live.map((rule) =>
    isObject(rule)
      ? { protocol: mirroredMember(rule, "ip_protocol") ?? null, ports: rule["ports"] ?? [] }
      : rule,
  );
  return googleBlocks(rules, declared);
};

const STARTUP = "startup-script";

/**
 * Compares metadata, which the API lists and Terraform writes as a map. A startup script may be a separate attribute.
 */
const metadata: ShapeWithin = (live, declared, whole) => {
  const isApart = Boolean(text(whole.declared, "metadata_startup_script"));
  const entries = itemsOf(live).filter(([key]) => !(isApart && key === STARTUP));
  return declared === null && entries.length === 0
    ? null
    : googleBlocks(Object.fromEntries(entries), declared ?? {});
};

const itemOf = (items: Json, name: Json | undefined): Json =>
  itemsOf(items).find(([key]) => key === name)?.[1] ?? "";

const startupScript: Shape = (live, declared) => (declared ? itemOf(live, STARTUP) : undefined);

const POWER: ReadonlySet<Json> = new Set(["RUNNING", "TERMINATED", "SUSPENDED"]);

/** Returns the power state if one is declared; transitional states are ignored. */
const power = (live: Json, declared: Json): Json | undefined =>
  declared && POWER.has(live) ? live : undefined;

/** Compares instances by zone and name. */
const inZones: Shape = (live, declared) =>
  Array.isArray(live)
    ? googleBlocks(
        live.map((url) =>
          typeof url === "string" ? url.replace(/^.*\/zones\/(.+)\/instances\//, "$1/") : url,
        ),
        declared ?? [],
      )
    : undefined;

/** Flow logs are off if the API omits the block or it is disabled. */
const LOG_CONFIG: Row = { ...whileOn("logConfig", "enable"), absent: {} };

/** Compares disks that an instance declares. Separate resources may attach others. */
const attachedDisks: Shape = (live, declared) => {
  if (!Array.isArray(live) || !Array.isArray(declared)) return undefined;
  const disks = live.filter(isObject);
  const isThere = (block: JsonObject): boolean =>
    disks.some(
      ({ deviceName = "", source = "" }) =>
        (deviceName !== "" && deviceName === block["device_name"]) ||
        (source !== "" && reference(source, block["source"] ?? "") === block["source"]),
    );
  return declared.map((block) => (isObject(block) && !isThere(block) ? null : block));
};

/** Compares the disk that an instance starts from. */
const bootDisk: Shape = (live, declared) => {
  const disk = Array.isArray(live) ? live.filter(isObject).find(({ boot }) => boot === true) : undefined;
  const [block] = [declared].flat();
  if (disk === undefined || !isObject(block)) return undefined;
  const { autoDelete, deviceName, mode, source, diskEncryptionKey } = disk;
  const key = isObject(diskEncryptionKey) ? diskEncryptionKey["kmsKeyName"] : undefined;
  const found = { autoDelete, deviceName, mode, source, kmsKeySelfLink: key };
  const stated = Object.entries(found).flatMap(([name, value]): [string, Json][] => {
    const isStated = (block[snakeCase(name)] ?? "") !== "";
    return value !== undefined && isStated ? [[name, value]] : [];
  });
  return googleBlocks(Object.fromEntries(stated), declared);
};

const EPHEMERAL: ReadonlySet<string> = new Set(["nat_ip", "external_ipv6"]);

/**
 * Keeps declared external addresses. An unreserved address changes with
 * every restart, and answers don't show which are reserved.
 */
function asDeclared(live: Json, declared: Json | undefined): Json {
  if (Array.isArray(live)) {
    return live.map((item, index) => asDeclared(item, Array.isArray(declared) ? declared[index] : undefined));
  }
  if (!isObject(live) || !isObject(declared)) return live;
  return Object.fromEntries(
    Object.entries(live).map(([name, value]) => {
      const known = declared[name];
      return [name, EPHEMERAL.has(name) && value && known ? known : asDeclared(value, known)];
    }),
  );
}

/** Compares interfaces. Without access config, an interface isn't public. */
const interfaceBlocks = leavingOut("access_config", "ipv6_access_config", "alias_ip_range");

const interfaces: ShapeWithin = (live, declared, whole) => {
  const found = interfaceBlocks(live, declared, whole);
  return found === undefined ? undefined : asDeclared(found, declared);
};

const INSTANCE = {
  network_interface: row("networkInterfaces", interfaces),
  machine_type: row("machineType", named),
  deletion_protection: off("deletionProtection"),
  can_ip_forward: off("canIpForward"),
  tags: listed("tags.items"),
  attached_disk: row("disks", attachedDisks),
  boot_disk: row("disks", bootDisk),
  metadata: { live: "metadata.items", shape: metadata, absent: [] },
  metadata_startup_script: { live: "metadata.items", shape: startupScript, absent: [] },
  service_account: listed("serviceAccounts"),
  desired_status: row("status", power),
  // Cloud Asset Inventory uses different words.
  key_revocation_action_type: skip(),
  "scheduling.preemptible": off("scheduling.preemptible"),
  ...Object.fromEntries(
    ["enable_secure_boot", "enable_vtpm", "enable_integrity_monitoring"].map((name) => [
      `shielded_instance_config.${name}`,
      off(`shieldedInstanceConfig.${name}`),
    ]),
  ),
};

const DISK = {
  type: row("type", named),
  size: "sizeGb",
  image: row("sourceImage", reference),
  snapshot: "sourceSnapshot",
};

const BACKEND_SERVICE = {
  timeout_sec: "timeoutSec",
  enable_cdn: off("enableCDN"),
  connection_draining_timeout_sec: "connectionDraining.drainingTimeoutSec",
  security_policy: unset("securityPolicy"),
  edge_security_policy: unset("edgeSecurityPolicy"),
  "iap.enabled": off("iap.enabled"),
  // The provider doesn't read it, and Google has default clients.
  "iap.oauth2_client_id": skip(),
  "log_config.enable": off("logConfig.enable"),
};

const FORWARDING_RULE = {
  all_ports: off("allPorts"),
  allow_global_access: off("allowGlobalAccess"),
  network_tier: word("networkTier", "PREMIUM"),
};

const AUTOSCALER = {
  "autoscaling_policy.max_replicas": "autoscalingPolicy.maxNumReplicas",
  "autoscaling_policy.min_replicas": "autoscalingPolicy.minNumReplicas",
  "autoscaling_policy.cooldown_period": "autoscalingPolicy.coolDownPeriodSec",
  "autoscaling_policy.cpu_utilization.target": "autoscalingPolicy.cpuUtilization.utilizationTarget",
};

const TLS_PROXY = { ssl_policy: unset("sslPolicy"), certificate_map: unset("certificateMap") };

const INSTANCE_TEMPLATE = {
  machine_type: row("properties.machineType", named),
  metadata: row("properties.metadata.items", metadata),
  metadata_startup_script: row("properties.metadata.items", startupScript),
  tags: row("properties.tags.items", googleBlocks),
};

export const GCP_COMPUTE: MappingTable = {
  google_compute_instance: INSTANCE,
  google_compute_instance_from_template: INSTANCE,
  google_compute_instance_from_machine_image: INSTANCE,
  google_compute_instance_template: INSTANCE_TEMPLATE,
  google_compute_region_instance_template: INSTANCE_TEMPLATE,
  google_compute_project_metadata: { metadata: row("commonInstanceMetadata.items", metadata) },
  google_compute_project_metadata_item: {
    value: row("commonInstanceMetadata.items", (live, _, { declared }) => itemOf(live, declared["key"])),
  },
  google_compute_firewall: {
    allow: listed("allowed", firewallRules),
    deny: listed("denied", firewallRules),
    disabled: off("disabled"),
    // Removing an entry makes the rule apply to more traffic.
    source_ranges: listed("sourceRanges"),
    source_tags: listed("sourceTags"),
    source_service_accounts: listed("sourceServiceAccounts"),
    destination_ranges: listed("destinationRanges"),
    target_tags: listed("targetTags"),
    target_service_accounts: listed("targetServiceAccounts"),
    log_config: LOG_CONFIG,
  },
  google_compute_disk: {
    ...DISK,
    "disk_encryption_key.kms_key_self_link": "diskEncryptionKey.kmsKeyName",
    // The provider doesn't read it.
    architecture: skip(),
  },
  google_compute_region_disk: DISK,
  google_compute_image: { raw_disk: skip() },
  google_compute_instance_group: { size: skip() },
  google_compute_target_pool: { instances: row("instances", inZones) },
  google_compute_network: {
    routing_mode: "routingConfig.routingMode",
    delete_default_routes_on_create: skip(),
  },
  google_compute_subnetwork: {
    private_ip_google_access: off("privateIpGoogleAccess"),
    secondary_ip_range: listed("secondaryIpRanges"),
    log_config: LOG_CONFIG,
  },
  google_compute_address: {
    network_tier: word("networkTier", "PREMIUM"),
    address_type: word("addressType", "EXTERNAL"),
    ip_version: word("ipVersion", "IPV4"),
  },
  google_compute_global_address: {
    address_type: word("addressType", "EXTERNAL"),
    ip_version: word("ipVersion", "IPV4"),
  },
  google_compute_ssl_policy: { profile: "profile", min_tls_version: "minTlsVersion" },
  google_compute_managed_ssl_certificate: { expire_time: skip(), subject_alternative_names: skip() },
  google_compute_backend_service: BACKEND_SERVICE,
  google_compute_region_backend_service: BACKEND_SERVICE,
  google_compute_forwarding_rule: FORWARDING_RULE,
  google_compute_global_forwarding_rule: { network_tier: word("networkTier", "PREMIUM") },
  google_compute_target_https_proxy: TLS_PROXY,
  google_compute_region_target_https_proxy: TLS_PROXY,
  google_compute_target_ssl_proxy: TLS_PROXY,
  google_compute_backend_bucket: { edge_security_policy: unset("edgeSecurityPolicy") },
  google_compute_security_policy: {
    "adaptive_protection_config.layer_7_ddos_defense_config.enable": off(
      "adaptiveProtectionConfig.layer_7_ddos_defense_config.enable",
    ),
  },
  google_compute_router_nat: {
    "log_config.enable": off("logConfig.enable"),
    // The provider doesn't read it.
    auto_network_tier: skip(),
  },
  google_compute_autoscaler: AUTOSCALER,
  google_compute_region_autoscaler: AUTOSCALER,
};
