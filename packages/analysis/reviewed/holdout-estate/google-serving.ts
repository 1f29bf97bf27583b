import type { JsonObject } from "@leeway/shared/values/json";

import { cloudRunService, labelled, NETWORK, PROJECT } from "../estate/google.ts";

const COMPUTE = `https://www.googleapis.com/compute/v1/projects/${PROJECT}`;
export const backoffice = cloudRunService("backoffice", "europe-docker.pkg.dev/lumen/apps/backoffice:1.4.0");
export const exportsFunction: JsonObject = {
  id: `projects/${PROJECT}/locations/europe-west3/functions/exports`,
  name: "exports",
  project: PROJECT,
  region: "europe-west3",
  available_memory_mb: 256,
  entry_point: "main",
  https_trigger_security_level: "SECURE_ALWAYS",
  https_trigger_url: `https://europe-west3-${PROJECT}.cloudfunctions.net/exports`,
  ingress_settings: "ALLOW_INTERNAL_AND_GCLB",
  runtime: "nodejs20",
  trigger_http: true,
  ...labelled(),
};
const armorRule = (priority: number, action: string, ranges: string[], preview = false): JsonObject => ({
  priority,
  action,
  description: "",
  preview,
  match: [{ versioned_expr: "SRC_IPS_V1", expr: [], config: [{ src_ip_ranges: ranges }] }],
});
export const armor = (...rule: JsonObject[]): JsonObject => ({
  id: `projects/${PROJECT}/global/securityPolicies/shop`,
  name: "shop",
  project: PROJECT,
  type: "CLOUD_ARMOR",
  adaptive_protection_config: [{ layer_7_ddos_defense_config: [{ enable: true }] }],
  rule,
});
export const DEFAULT_DENY = armorRule(2147483647, "deny(403)", ["*"]);
export const DEFAULT_ALLOW = armorRule(2147483647, "allow", ["*"]);
export const PARTNERS = armorRule(1000, "allow", ["198.51.100.0/28"]);
export const BAD = armorRule(900, "deny(403)", ["192.0.2.0/24"]);
export const backend: JsonObject = {
  id: `projects/${PROJECT}/global/backendServices/shop`,
  self_link: `${COMPUTE}/global/backendServices/shop`,
  name: "shop",
  project: PROJECT,
  backend: [{ group: `${COMPUTE}/zones/europe-west3-b/instanceGroups/shop`, balancing_mode: "UTILIZATION" }],
  enable_cdn: false,
  iap: [{ enabled: true, oauth2_client_id: "81920-a1b2.apps.googleusercontent.com" }],
  load_balancing_scheme: "EXTERNAL_MANAGED",
  log_config: [{ enable: true, sample_rate: 1 }],
  protocol: "HTTPS",
  security_policy: `${COMPUTE}/global/securityPolicies/shop`,
  timeout_sec: 30,
};
export const hierarchicalRule = (ranges: string[]): JsonObject => ({
  firewall_policy: "locations/global/firewallPolicies/482910472810",
  priority: 100,
  action: "allow",
  direction: "INGRESS",
  disabled: false,
  description: "",
  enable_logging: true,
  match: [
    { src_ip_ranges: ranges, dest_ip_ranges: [], layer4_configs: [{ ip_protocol: "tcp", ports: ["22"] }] },
  ],
  target_resources: [],
  target_service_accounts: [],
});
export const nat: JsonObject = {
  id: `${PROJECT}/europe-west3/production/production`,
  name: "production",
  project: PROJECT,
  region: "europe-west3",
  router: "production",
  min_ports_per_vm: 64,
  nat_ip_allocate_option: "AUTO_ONLY",
  source_subnetwork_ip_ranges_to_nat: "ALL_SUBNETWORKS_ALL_IP_RANGES",
  log_config: [{ enable: true, filter: "ERRORS_ONLY" }],
};
export const subnetwork: JsonObject = {
  id: `projects/${PROJECT}/regions/europe-west3/subnetworks/production-ew3`,
  name: "production-ew3",
  project: PROJECT,
  region: "europe-west3",
  network: NETWORK,
  ip_cidr_range: "10.40.8.0/22",
  private_ip_google_access: true,
  log_config: [
    { aggregation_interval: "INTERVAL_5_SEC", flow_sampling: 0.5, metadata: "INCLUDE_ALL_METADATA" },
  ],
  secondary_ip_range: [{ range_name: "pods", ip_cidr_range: "10.44.0.0/16" }],
};
export const admission = (evaluation_mode: string): JsonObject => ({
  id: `projects/${PROJECT}`,
  project: PROJECT,
  description: "",
  global_policy_evaluation_mode: "ENABLE",
  admission_whitelist_patterns: [],
  default_admission_rule: [
    { evaluation_mode, enforcement_mode: "ENFORCED_BLOCK_AND_AUDIT_LOG", require_attestations_by: [] },
  ],
});
export const images: JsonObject = {
  id: `projects/${PROJECT}/locations/europe/repositories/apps`,
  name: "apps",
  repository_id: "apps",
  project: PROJECT,
  location: "europe",
  format: "DOCKER",
  mode: "STANDARD_REPOSITORY",
  cleanup_policy_dry_run: true,
  cleanup_policies: [
    { id: "old", action: "DELETE", condition: [{ older_than: "2592000s", tag_state: "ANY" }] },
  ],
  docker_config: [{ immutable_tags: true }],
  ...labelled(),
};
