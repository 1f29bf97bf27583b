import { expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/json";

import { findings, update } from "../change.fixture.ts";

/** A resource with an attribute of blocks, as `block.attribute`. */
function resourceWith(attribute: string, value: Json): JsonObject {
  const [name = "", ...inner] = attribute.split(".");
  return { [name]: inner.length === 0 ? value : [resourceWith(inner.join("."), value)] };
}

test.each<[type: string, attribute: string, before: Json, after: Json, rule: string]>([
  ["aws_ecr_repository", "image_tag_mutability", "IMMUTABLE", "MUTABLE", "R02"],
  ["aws_ecr_repository", "image_scanning_configuration.scan_on_push", true, false, "R14"],
  ["aws_ecs_service", "network_configuration.assign_public_ip", false, true, "R10"],
  ["aws_ecs_service", "enable_execute_command", false, true, "R12"],
  ["aws_db_proxy", "require_tls", true, false, "R13"],
  ["aws_msk_cluster", "encryption_info.encryption_in_transit.client_broker", "TLS", "PLAINTEXT", "R13"],
  ["azurerm_linux_virtual_machine", "disable_password_authentication", true, false, "R12"],
  ["azurerm_linux_web_app", "client_certificate_enabled", true, false, "R12"],
  ["azurerm_linux_web_app", "site_config.remote_debugging_enabled", false, true, "R12"],
  ["azurerm_linux_web_app", "site_config.ftps_state", "Disabled", "AllAllowed", "R13"],
  ["azurerm_storage_account", "sftp_enabled", false, true, "R12"],
  ["azurerm_redis_cache", "access_keys_authentication_enabled", false, true, "R12"],
  ["azurerm_kubernetes_cluster", "network_profile.network_policy", "calico", "", "R08"],
  ["google_container_cluster", "network_policy.enabled", true, false, "R08"],
  ["google_container_cluster", "workload_identity_config.workload_pool", "p.svc.id.goog", "", "R12"],
  ["google_redis_instance", "auth_enabled", true, false, "R12"],
])("%s with %s: from %j to %j isn't any update", (type, attribute, ...[before, after, rule]) => {
  const [to, back] = [
    update(type, resourceWith(attribute, before), resourceWith(attribute, after)),
    update(type, resourceWith(attribute, after), resourceWith(attribute, before)),
  ];
  expect(findings([to]).map((finding) => [finding.rule, finding.risk_level])).toEqual([[rule, "medium"]]);
  expect(findings([back]).map((finding) => finding.rule)).toEqual(["R23"]);
});
