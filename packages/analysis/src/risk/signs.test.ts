import { expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";

import { findings, update } from "./change.fixture.ts";

/** Builds a resource with an attribute in blocks, given as `block.attribute`. */
function resourceWith(attribute: string, value: Json): JsonObject {
  const [name = "", ...inner] = attribute.split(".");
  return { [name]: inner.length === 0 ? value : [resourceWith(inner.join("."), value)] };
}

test.each<[type: string, attribute: string, before: Json, after: Json, rule: string]>([
  ["aws_s3_bucket_object_lock_configuration", "rule.default_retention.days", 365, 1, "R02"],
  [
    "aws_s3_bucket_object_lock_configuration",
    "rule.default_retention.mode",
    "COMPLIANCE",
    "GOVERNANCE",
    "R02",
  ],
  ["kubernetes_persistent_volume", "spec.persistent_volume_reclaim_policy", "Retain", "Delete", "R02"],
  [
    "aws_lb_listener",
    "ssl_policy",
    "ELBSecurityPolicy-TLS13-1-2-2021-06",
    "ELBSecurityPolicy-FS-2018-06",
    "R13",
  ],
  ["aws_ecr_repository", "image_scanning_configuration.scan_on_push", true, false, "R14"],
  ["aws_ecs_service", "network_configuration.assign_public_ip", false, true, "R10"],
  ["aws_ecs_service", "enable_execute_command", false, true, "R12"],
  ["aws_db_proxy", "require_tls", true, false, "R13"],
  ["aws_msk_cluster", "encryption_info.encryption_in_transit.client_broker", "TLS", "PLAINTEXT", "R13"],
  ["aws_sfn_state_machine", "logging_configuration.level", "ALL", "OFF", "R14"],
  ["azurerm_linux_virtual_machine", "disable_password_authentication", true, false, "R12"],
  ["azurerm_linux_web_app", "client_certificate_enabled", true, false, "R02"],
  ["azurerm_linux_web_app", "site_config.remote_debugging_enabled", false, true, "R10"],
  ["azurerm_linux_web_app", "site_config.ftps_state", "Disabled", "AllAllowed", "R13"],
  ["azurerm_storage_account", "sftp_enabled", false, true, "R12"],
  ["azurerm_redis_cache", "access_keys_authentication_enabled", false, true, "R12"],
  ["azurerm_kubernetes_cluster", "network_profile.network_policy", "calico", "", "R08"],
  ["google_container_cluster", "network_policy.enabled", true, false, "R02"],
  ["google_container_cluster", "workload_identity_config.workload_pool", "p.svc.id.goog", "", "R12"],
  ["google_redis_instance", "auth_enabled", true, false, "R02"],
  ["google_compute_instance", "metadata.serial-port-enable", "FALSE", "TRUE", "R12"],
  [
    "google_container_node_pool",
    "node_config.workload_metadata_config.mode",
    "GKE_METADATA",
    "GCE_METADATA",
    "R12",
  ],
  [
    "google_container_cluster",
    "binary_authorization.evaluation_mode",
    "PROJECT_SINGLETON_POLICY_ENFORCE",
    "DISABLED",
    "R02",
  ],
  [
    "google_sql_database_instance",
    "settings.password_validation_policy.enable_password_policy",
    true,
    false,
    "R12",
  ],
  ["google_container_cluster", "private_cluster_config.enable_private_nodes", true, false, "R10"],
  ["google_container_node_pool", "network_config.enable_private_nodes", true, false, "R10"],
  ["google_compute_target_https_proxy", "ssl_policy", "projects/p/global/sslPolicies/a", "", "R13"],
  ["google_compute_region_target_https_proxy", "ssl_policy", "modern", null, "R13"],
  [
    "google_alloydb_instance",
    "client_connection_config.ssl_config.ssl_mode",
    "ENCRYPTED_ONLY",
    "ALLOW_UNENCRYPTED_AND_ENCRYPTED",
    "R13",
  ],
  ["google_container_cluster", "security_posture_config.mode", "BASIC", "DISABLED", "R14"],
  ["azurerm_cosmosdb_account", "minimal_tls_version", "Tls12", "Tls", "R13"],
  ["azurerm_cosmosdb_account", "minimal_tls_version", "Tls12", "Tls11", "R13"],
  ["azurerm_kubernetes_cluster", "default_node_pool.node_public_ip_enabled", false, true, "R10"],
  ["azurerm_kubernetes_cluster_node_pool", "node_public_ip_enabled", false, true, "R10"],
  ["azurerm_kubernetes_cluster", "workload_identity_enabled", true, false, "R12"],
  ["azurerm_kubernetes_cluster", "azure_policy_enabled", true, false, "R12"],
  ["azurerm_kubernetes_cluster", "run_command_enabled", false, true, "R12"],
  ["azurerm_bastion_host", "shareable_link_enabled", false, true, "R12"],
])("%s with %s: from %j to %j is a finding of its own rule", (type, attribute, ...[before, after, rule]) => {
  const [to, back] = [
    update(type, resourceWith(attribute, before), resourceWith(attribute, after)),
    update(type, resourceWith(attribute, after), resourceWith(attribute, before)),
  ];
  expect(findings([to]).map((finding) => [finding.rule, finding.risk_level])).toEqual([[rule, "medium"]]);
  expect(findings([back]).map((finding) => finding.rule)).toEqual(["R23"]);
});
