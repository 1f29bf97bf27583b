import { isObject, text, type Json } from "@leeway/shared/values/json";

import { googleNamesIn } from "../../derived/google-names.ts";
import { googleBlocks, googleScalar, googleValue } from "../../google-values.ts";
import { declaredAt, valueAtPath } from "../../live-path.ts";
import type { MappingTable, Row, Shape, ShapeWithin } from "../../mapping.ts";
import { mirroredBy } from "../../mirrored.ts";
import { anyCase, row } from "../../shapes.ts";
import { inside, listed, off, ownKeys, skip, unless, unset, whileOn } from "./rows.ts";

const NODES = "node_config.";
/** Attributes of nodes to which GKE adds values of its own. */
const ADDED_TO: ReadonlySet<string> = new Set(
  "effective_taints labels metadata oauth_scopes resource_labels resource_manager_tags taint".split(" "),
);

/** Compares the settings of nodes. Rows for some of them know more. */
const { member, inside: shapeInside } = googleNamesIn("google_container_node_pool", "node_config");
const nodeSettings: Shape = mirroredBy({
  scalar: googleScalar,
  inside: shapeInside,
  member: (live, name, declared) => (ADDED_TO.has(name) ? undefined : member(live, name, declared)),
});

/** Returns whether the endpoint is private. Newer clusters report only whether it is public. */
const privateEndpoint: ShapeWithin = (_live, _declared, { live }) => {
  const endpoints = valueAtPath(live, "controlPlaneEndpointsConfig.ipEndpointsConfig");
  if (isObject(endpoints)) return endpoints["enablePublicEndpoint"] !== true;
  const cluster = valueAtPath(live, "privateClusterConfig");
  return isObject(cluster) ? (cluster["enablePrivateEndpoint"] ?? false) : undefined;
};

/** Compares node zones, without the cluster's own zone. */
const otherZones: ShapeWithin = (live, declared, whole) =>
  Array.isArray(live)
    ? googleValue(
        live.filter((zone) => zone !== whole.declared["location"]),
        declared ?? [],
      )
    : undefined;

/** Values that Google assigns to a cluster, and changes automatically or when keys are rotated. */
const GIVEN = `endpoint master_auth.cluster_ca_certificate master_auth.client_certificate
private_cluster_config.private_endpoint private_cluster_config.public_endpoint private_cluster_config.peering_name
control_plane_endpoints_config.dns_endpoint_config.endpoint`;

const keyOf = (taint: Json): string => (isObject(taint) ? text(taint, "key") : undefined) ?? "";

/** Compares taints. Google adds taints with its own or vendors' domains, such as `nvidia.com/gpu`. */
const taints: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const known = new Set([declared].flat().map(keyOf));
  const own = live.filter((taint) => known.has(keyOf(taint)) || !keyOf(taint).includes("/"));
  return googleBlocks(own, declared ?? []);
};

const components = (live: string): Row => inside(`${live}.componentConfig`, "enableComponents", []);

export const GCP_GKE: MappingTable = {
  google_container_cluster: {
    min_master_version: skip(),
    // The second path contains only the name.
    network: "networkConfig.network | network",
    subnetwork: "networkConfig.subnetwork | subnetwork",
    datapath_provider: "networkConfig.datapathProvider",
    enable_intranode_visibility: off("networkConfig.enableIntraNodeVisibility"),
    "default_snat_status.disabled": off("networkConfig.defaultSnatStatus.disabled"),
    "network_policy.enabled": off("networkPolicy.enabled"),
    enable_legacy_abac: off("legacyAbac.enabled"),
    default_max_pods_per_node: "defaultMaxPodsConstraint.maxPodsPerNode",
    enable_shielded_nodes: inside("shieldedNodes", "enabled", false),
    "release_channel.channel": inside("releaseChannel", "channel", "UNSPECIFIED"),
    "private_cluster_config.enable_private_nodes": off(
      "networkConfig.defaultEnablePrivateNodes | privateClusterConfig.enablePrivateNodes",
    ),
    "private_cluster_config.enable_private_endpoint": row("", privateEndpoint),
    master_authorized_networks_config: {
      ...whileOn(
        "controlPlaneEndpointsConfig.ipEndpointsConfig.authorizedNetworksConfig | masterAuthorizedNetworksConfig",
        "enabled",
      ),
      absent: {},
    },
    "workload_identity_config.workload_pool": unset("workloadIdentityConfig.workloadPool"),
    "vertical_pod_autoscaling.enabled": off("verticalPodAutoscaling.enabled"),
    "cluster_autoscaling.enabled": off("autoscaling.enableNodeAutoprovisioning"),
    "cluster_autoscaling.autoscaling_profile": "autoscaling.autoscalingProfile",
    "cluster_autoscaling.resource_limits": "autoscaling.resourceLimits",
    "logging_config.enable_components": components("loggingConfig"),
    "monitoring_config.enable_components": components("monitoringConfig"),
    "monitoring_config.managed_prometheus.enabled": off("monitoringConfig.managedPrometheusConfig.enabled"),
    deletion_protection: skip(),
    node_config: skip(),
    node_locations: row("locations", otherZones),
    // Node pools are listed separately.
    node_pool: skip(),
    maintenance_policy: skip(),
    ...Object.fromEntries(GIVEN.split(/\s+/).map((name) => [name, skip()])),
  },
  google_container_node_pool: {
    node_count: skip(),
    // Grows with the pool.
    instance_group_urls: skip(),
    node_locations: "locations",
    max_pods_per_node: "maxPodsConstraint.maxPodsPerNode",
    version: row(
      "version",
      unless((pool) => declaredAt(pool, ["management", "auto_upgrade"]) !== false),
    ),
    autoscaling: whileOn("autoscaling", "enabled", "maxNodeCount"),
    "autoscaling.min_node_count": "autoscaling.minNodeCount",
    "autoscaling.max_node_count": "autoscaling.maxNodeCount",
    "management.auto_repair": off("management.autoRepair"),
    "management.auto_upgrade": off("management.autoUpgrade"),
    node_config: row("config", nodeSettings),
    ...Object.fromEntries(
      `machine_type disk_size_gb disk_type service_account oauth_scopes min_cpu_platform local_ssd_count
      boot_disk_kms_key workload_metadata_config metadata`
        .split(/\s+/)
        .map((name) => [`${NODES}${name}`, `config.${name}`]),
    ),
    "node_config.image_type": row("config.imageType", anyCase),
    "node_config.preemptible": off("config.preemptible"),
    "node_config.spot": off("config.spot"),
    "node_config.tags": listed("config.tags"),
    "node_config.taint": { ...row("config.taints", taints), absent: [] },
    "node_config.labels": { ...row("config.labels", ownKeys()), absent: {} },
    "node_config.shielded_instance_config.enable_secure_boot": off(
      "config.shieldedInstanceConfig.enableSecureBoot",
    ),
    "node_config.shielded_instance_config.enable_integrity_monitoring": off(
      "config.shieldedInstanceConfig.enableIntegrityMonitoring",
    ),
    "node_config.confidential_nodes.enabled": off("config.confidentialNodes.enabled"),
  },
};
