import { detailsOf } from "@leeway/clouds/azure/details";
import { isObject, type Json } from "@leeway/shared/values/json";

import { words } from "../../azure-shapes.ts";
import { derivedRows } from "../../derived/rows.ts";
import { valueAtPath } from "../../live-path.ts";
import type { Row, ShapeWithin, Whole } from "../../mapping.ts";
import { mirroredAzure } from "../../mirrored.ts";
import { anyCase, row, same } from "../../shapes.ts";

/** Compares a number of nodes, unless an autoscaler sets it. */
const counted: ShapeWithin = (count, declared, { live }) =>
  valueAtPath(live, "enableAutoScaling") === true ? undefined : mirroredAzure(count, declared);

/** Compares the version, unless the cluster upgrades automatically. */
export const versionAsked: ShapeWithin = (version, declared, { live }) => {
  const channel = valueAtPath(detailsOf(live), "autoUpgradeProfile.upgradeChannel");
  const isByItself = typeof channel === "string" && /^(?:patch|stable|rapid)$/i.test(channel);
  return isByItself ? undefined : mirroredAzure(version, declared);
};

/** Rows of a node pool, under both names if the provider renamed an attribute. */
const POOL: Readonly<Record<string, string | Row>> = {
  ...words({
    vm_size: "vmSize",
    mode: "mode",
    priority: "scaleSetPriority",
    os_type: "osType",
    os_sku: "osSKU",
    os_disk_type: "osDiskType",
    kubelet_disk_type: "kubeletDiskType",
    scale_down_mode: "scaleDownMode",
    vnet_subnet_id: "vnetSubnetID",
    pod_subnet_id: "podSubnetID",
  }),
  node_count: row("count", counted),
  min_count: "minCount",
  max_count: "maxCount",
  ...same("max_pods node_labels"),
  os_disk_size_gb: "osDiskSizeGB",
  zones: "availabilityZones",
  auto_scaling_enabled: "enableAutoScaling",
  enable_auto_scaling: "enableAutoScaling",
  host_encryption_enabled: "enableEncryptionAtHost",
  enable_host_encryption: "enableEncryptionAtHost",
  node_public_ip_enabled: "enableNodePublicIP",
  enable_node_public_ip: "enableNodePublicIP",
  fips_enabled: "enableFIPS",
  ultra_ssd_enabled: "enableUltraSSD",
};

/** Rows of a node pool that is declared separately and live inside its cluster. */
export const NODE_POOL = { ...POOL, ...same("node_taints") };

/** Derived rows of a node pool. The default pool has the cluster's version. */
const { orchestrator_version: _, ...DERIVED } = derivedRows(
  "azurerm_kubernetes_cluster_node_pool",
  NODE_POOL,
);

/** Rows of the default pool that a cluster declares inline. Taints are left out: there, one of them is a switch. */
export const DEFAULT_POOL: Readonly<Record<string, Row>> = Object.fromEntries(
  Object.entries({ ...DERIVED, ...POOL }).map(([name, member]) => [
    `default_node_pool.${name}`,
    inDefaultPool(member),
  ]),
);

function inDefaultPool(member: string | Row): Row {
  const { live, shape } = typeof member === "string" ? row(member, mirroredAzure) : member;
  const within: ShapeWithin = (pools, declared, whole) => {
    const pool = Array.isArray(pools) ? pools.find(isDefaultOf(whole)) : undefined;
    const found = pool === undefined ? undefined : valueAtPath(pool, live);
    return found === undefined || !isObject(pool)
      ? undefined
      : shape(found, declared, { ...whole, live: pool });
  };
  return row("agentPoolProfiles", within);
}

function isDefaultOf({ declared }: Whole): (pool: Json) => boolean {
  const [block] = [declared["default_node_pool"] ?? null].flat();
  return (pool) => isObject(pool) && isObject(block) && pool["name"] === block["name"];
}

/** Returns a row for an id in a cluster's profile; it counts as empty while the profile is off. */
function whileOn(profile: string, isOn: string, id: string): Row {
  return row(profile, (found, declared) => {
    const live = valueAtPath(found, isOn) === false ? "" : valueAtPath(found, id);
    return live === undefined ? undefined : anyCase(live, declared);
  });
}

/** Monitoring of a cluster, and the key for its secrets. */
export const CLUSTER_WATCH: Readonly<Record<string, Row>> = {
  "oms_agent.log_analytics_workspace_id": whileOn(
    "addonProfiles.omsagent | addonProfiles.omsAgent",
    "enabled",
    "config.logAnalyticsWorkspaceResourceID",
  ),
  "microsoft_defender.log_analytics_workspace_id": whileOn(
    "securityProfile.defender",
    "securityMonitoring.enabled",
    "logAnalyticsWorkspaceResourceId",
  ),
  "key_management_service.key_vault_key_id": whileOn("securityProfile.azureKeyVaultKms", "enabled", "keyId"),
};
