import { expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";

import { create, findings, update, type Given } from "../change.fixture.ts";

/** Builds an update of one attribute; `attribute` is its path joined by dots. */
function turned(type: string, attribute: string, before: Json, after: Json): Given {
  return update(type, nested(attribute, before), nested(attribute, after));
}

function nested(attribute: string, value: Json): JsonObject {
  const [last = "", ...blocks] = attribute.split(".").toReversed();
  return blocks.reduce<JsonObject>((inner, name) => ({ [name]: [inner] }), { [last]: value });
}

test.each<[type: string, attribute: string, before: Json, after: Json]>([
  ["azurerm_redis_cache", "non_ssl_port_enabled", true, false],
  ["azurerm_virtual_wan", "disable_vpn_encryption", true, false],
  ["azurerm_storage_account", "cross_tenant_replication_enabled", true, false],
  ["azurerm_servicebus_queue", "dead_lettering_on_message_expiration", false, true],
  ["azurerm_network_watcher_flow_log", "retention_policy.enabled", true, false],
  ["azurerm_private_dns_zone", "soa_record.minimum_ttl", 300, 60],
  ["aws_db_instance", "delete_automated_backups", true, false],
  ["aws_kinesis_stream", "enforce_consumer_deletion", true, false],
  ["aws_appsync_graphql_api", "log_config.exclude_verbose_content", true, false],
  ["aws_db_proxy", "debug_logging", true, false],
  ["aws_wafv2_web_acl", "visibility_config.sampled_requests_enabled", true, false],
  ["aws_backup_vault_lock_configuration", "max_retention_days", 365, 30],
  ["aws_kms_key", "bypass_policy_lockout_safety_check", false, true],
  ["github_branch_protection", "required_status_checks.strict", true, false],
  ["google_artifact_registry_repository", "cleanup_policy_dry_run", false, true],
  ["google_bigquery_dataset", "default_table_expiration_ms", 604_800_000, 86_400_000],
  ["github_actions_variable", "value", "enforce", "dry-run"],
  ["aws_ssm_parameter", "value", "required", "none"],
])("%s with %s: from %j to %j removes no guard", (type, attribute, before, after) => {
  const levels = findings([turned(type, attribute, before, after)], "standard").map((one) => one.risk_level);
  expect(levels).not.toContain("high");
  expect(levels).not.toContain("critical");
});

test.each<[rule: string, type: string, attribute: string, values: [before: Json, after: Json]]>([
  ["R13", "aws_transfer_server", "protocols", [["SFTP"], ["SFTP", "FTP"]]],
  ["R13", "cloudflare_zone_dnssec", "status", ["active", "disabled"]],
  ["R13", "kubernetes_manifest", "manifest.spec.mtls.mode", ["STRICT", "PERMISSIVE"]],
  ["R14", "aws_inspector2_organization_configuration", "auto_enable.ec2", [true, false]],
  ["R14", "google_scc_source_config", "enablement_state", ["ENABLED", "DISABLED"]],
  ["R02", "aws_lb_listener", "default_action.type", ["authenticate-oidc", "forward"]],
  ["R02", "azurerm_mssql_server", "azuread_administrator.azuread_authentication_only", [true, false]],
  ["R02", "aws_fms_policy", "remediation_enabled", [true, false]],
  [
    "R02",
    "google_container_cluster",
    "binary_authorization.evaluation_mode",
    ["PROJECT_SINGLETON_POLICY_ENFORCE", "DISABLED"],
  ],
])("is a high finding of %s: %s with %s", (rule, type, attribute, [before, after]) => {
  const [finding] = findings([turned(type, attribute, before, after)], "standard");
  expect([finding?.rule, finding?.risk_level]).toEqual([rule, "high"]);
});

test.each([
  ["R11", "critical", create("google_project_iam_custom_role", { permissions: ["iam.roles.update"] })],
  ["R11", "high", create("gitlab_group_membership", { user_id: 4, access_level: "owner" })],
])("%s and %s: a role that controls a project or a group", (rule, level, given) => {
  const [finding] = findings([given], "standard");
  expect([finding?.rule, finding?.risk_level]).toEqual([rule, level]);
});
