import { describe, expect, test } from "bun:test";

import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import { create, findings, policy, remove, update, type Given } from "../change.fixture.ts";

/** Returns the rules that a change triggers in the standard profile, with their levels. */
function judged(given: Given): [rule: string, level: RiskLevel][] {
  return findings([given], "standard").map(({ rule, risk_level }) => [rule, risk_level]);
}

/** Builds an update of one attribute; `attribute` is its path joined by dots. */
function turned(type: string, attribute: string, before: Json, after: Json): Given {
  return update(type, nested(attribute, before), nested(attribute, after));
}

function nested(attribute: string, value: Json): JsonObject {
  const [last = "", ...blocks] = attribute.split(".").toReversed();
  return blocks.reduce<JsonObject>((inner, name) => ({ [name]: [inner] }), { [last]: value });
}

const effect = (value: string): JsonObject => ({ parameters: JSON.stringify({ effect: { value } }) });

const action = (name: string): JsonObject => ({
  default_action: [{ allow: [], block: [], [name]: [{}] }],
});

const rule = (enabled: boolean): JsonObject => ({ custom_rule: [{ action: "Allow", enabled }] });

const settings = (value: string): JsonObject => ({ environment: [{ variables: { SSL_MODE: value } }] });

describe("a guard that no longer blocks", () => {
  test.each<[type: string, attribute: string, before: Json, after: Json]>([
    ["azurerm_application_gateway", "waf_configuration.firewall_mode", "Prevention", "Detection"],
    ["azurerm_firewall_policy", "threat_intelligence_mode", "Deny", "Off"],
    ["azuread_conditional_access_policy", "state", "enabled", "enabledForReportingButNotEnforced"],
    ["azurerm_subscription_policy_assignment", "enforce", true, false],
    [
      "google_binary_authorization_policy",
      "default_admission_rule.evaluation_mode",
      "REQUIRE_ATTESTATION",
      "ALWAYS_ALLOW",
    ],
    ["google_compute_security_policy", "rule.preview", false, true],
    ["kubernetes_validating_webhook_configuration_v1", "webhook.failure_policy", "Fail", "Ignore"],
    ["unknowncloud_gate", "on_violation", "BLOCK", "LOG_ONLY"],
    ["aws_cloudfront_distribution", "web_acl_id", "arn:waf", ""],
    ["google_compute_backend_service", "security_policy", "armor", ""],
  ])("%s with %s: from %j to %j is a high finding of R02", (type, attribute, before, after) => {
    expect(judged(turned(type, attribute, before, after))).toEqual([["R02", "high"]]);
    expect(judged(turned(type, attribute, after, before)).map(([, level]) => level)).not.toContain("high");
  });

  test("is found in a policy's parameters and named with its values", () => {
    const [finding] = findings(
      [update("azurerm_subscription_policy_assignment", effect("Deny"), effect("Audit"))],
      "standard",
    );
    expect(finding?.message).toBe("Removes a guard: parameters: effect.value Deny → Audit");
  });

  test("is found in a block named after its action", () => {
    const [finding] = findings([update("aws_wafv2_web_acl", action("block"), action("allow"))], "standard");
    expect(finding?.message).toBe("Removes a guard: default_action block → allow");
  });

  test("isn't a rule that allowed access", () => {
    expect(judged(update("azurerm_cdn_frontdoor_firewall_policy", rule(true), rule(false)))).toEqual([
      ["R08", "medium"],
    ]);
  });
});

test.each<[type: string, attribute: string, before: Json, after: Json]>([
  ["azurerm_kubernetes_cluster", "local_account_disabled", true, false],
  ["azurerm_postgresql_flexible_server", "authentication.password_auth_enabled", false, true],
  ["aws_cognito_identity_pool", "allow_unauthenticated_identities", false, true],
  ["aws_msk_cluster", "client_authentication.unauthenticated", false, true],
  ["aws_opensearch_domain", "advanced_security_options.enabled", true, false],
  ["azurerm_linux_web_app", "auth_settings_v2.require_authentication", true, false],
  ["aws_appsync_graphql_api", "authentication_type", "AMAZON_COGNITO_USER_POOLS", "API_KEY"],
  ["aws_elasticache_user", "no_password_required", false, true],
  ["aws_cloudfront_distribution", "default_cache_behavior.trusted_key_groups", ["group"], []],
  ["vault_kubernetes_auth_backend_role", "bound_service_account_names", ["checkout"], ["*"]],
])("%s with %s: from %j to %j weakens authentication", (type, attribute, before, after) => {
  const [finding] = findings([turned(type, attribute, before, after)], "standard");
  expect([finding?.rule, finding?.risk_level]).toEqual(["R02", "high"]);
  expect(finding?.message).toStartWith("Weakens authentication: ");
  expect(judged(turned(type, attribute, after, before)).map(([, level]) => level)).not.toContain("high");
});

test.each<[type: string, attribute: string, before: Json, after: Json, rule: string, level: RiskLevel]>([
  ["aws_dms_endpoint", "ssl_mode", "verify-full", "none", "R13", "high"],
  ["aws_glue_connection", "connection_properties.JDBC_ENFORCE_SSL", "true", "false", "R13", "high"],
  [
    "google_cloudfunctions_function",
    "https_trigger_security_level",
    "SECURE_ALWAYS",
    "SECURE_OPTIONAL",
    "R13",
    "high",
  ],
  ["azurerm_sentinel_alert_rule_scheduled", "enabled", true, false, "R14", "high"],
  ["datadog_security_monitoring_rule", "enabled", true, false, "R14", "high"],
  ["aws_dlm_lifecycle_policy", "state", "ENABLED", "DISABLED", "R02", "high"],
  ["azurerm_cosmosdb_sql_container", "default_ttl", -1, 2_592_000, "R02", "high"],
  ["google_secret_manager_secret", "expire_time", "", "2027-01-01T00:00:00Z", "R02", "high"],
  ["google_bigquery_dataset", "default_table_expiration_ms", 0, 604_800_000, "R02", "medium"],
  ["aws_ecr_repository", "image_tag_mutability", "IMMUTABLE", "MUTABLE", "R02", "medium"],
  ["google_artifact_registry_repository", "docker_config.immutable_tags", true, false, "R02", "medium"],
  ["aws_api_gateway_rest_api", "endpoint_configuration.types", ["PRIVATE"], ["REGIONAL"], "R10", "high"],
  ["azurerm_servicebus_queue", "status", "Active", "Disabled", "R16", "high"],
  ["google_secret_manager_secret_version", "enabled", true, false, "R03", "high"],
  ["aws_lambda_event_source_mapping", "enabled", true, false, "R16", "medium"],
  ["aws_route53_health_check", "disabled", false, true, "R16", "medium"],
  ["azurerm_servicebus_queue", "default_message_ttl", "P14D", "PT1M", "R02", "high"],
  ["elasticstack_elasticsearch_index_lifecycle", "delete.min_age", "90d", "1d", "R02", "high"],
  ["google_spanner_database", "version_retention_period", "7d", "1h", "R02", "medium"],
  ["kubernetes_storage_class", "reclaim_policy", "Retain", "Delete", "R02", "medium"],
  ["hcloud_server", "delete_protection", true, false, "R02", "medium"],
  ["aws_instance", "disable_api_termination", true, false, "R02", "medium"],
  ["hcloud_server", "backups", true, false, "R02", "medium"],
  ["linode_instance", "backups_enabled", true, false, "R02", "medium"],
  ["google_compute_instance", "shielded_instance_config.enable_secure_boot", true, false, "R02", "medium"],
  ["azurerm_linux_virtual_machine", "secure_boot_enabled", true, false, "R02", "medium"],
  ["tfe_workspace", "auto_apply", false, true, "R02", "high"],
  ["spacelift_stack", "autodeploy", false, true, "R02", "high"],
  ["auth0_guardian", "policy", "all-applications", "never", "R02", "high"],
  ["cloudflare_access_policy", "include.everyone", false, true, "R10", "high"],
  ["aws_instance", "associate_public_ip_address", false, true, "R10", "high"],
  ["azurerm_data_factory", "public_network_enabled", false, true, "R10", "high"],
  ["google_compute_subnetwork", "private_ip_google_access", true, false, "R15", "medium"],
  ["azurerm_storage_account", "account_replication_type", "GRS", "LRS", "R16", "medium"],
  ["azurerm_cosmosdb_account", "geo_location.location", "westeurope", null, "R16", "medium"],
  ["aws_dynamodb_table", "replica.region_name", "eu-west-1", null, "R16", "medium"],
  [
    "google_cloud_run_v2_service",
    "ingress",
    "INGRESS_TRAFFIC_INTERNAL_ONLY",
    "INGRESS_TRAFFIC_ALL",
    "R08",
    "medium",
  ],
])("%s with %s: from %j to %j is a finding of %s at %s", (...given) => {
  const [type, attribute, before, after, rule, level] = given;
  expect(judged(turned(type, attribute, before, after))).toEqual([[rule, level]]);
});

test("settings of a program are ignored", () => {
  expect(judged(update("aws_lambda_function", settings("require"), settings("none")))).toEqual([
    ["R23", "low"],
  ]);
});

test.each<[given: Given, rule: string, level: RiskLevel]>([
  [remove("google_spanner_backup_schedule"), "R02", "high"],
  [remove("aws_s3_bucket_replication_configuration"), "R02", "high"],
  [remove("google_iam_deny_policy"), "R02", "high"],
  [remove("azurerm_sentinel_alert_rule_scheduled"), "R14", "high"],
  [remove("google_project_service", { disable_on_destroy: false }), "R22", "low"],
  [create("aws_guardduty_filter", { action: "ARCHIVE" }), "R14", "medium"],
  [create("aws_snapshot_create_volume_permission", { account_id: "222222222222" }), "R10", "high"],
  [
    create("azuread_app_role_assignment", { app_role_id: "9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8" }),
    "R11",
    "critical",
  ],
  [
    create("snowflake_grant_account_role", { role_name: "ACCOUNTADMIN", user_name: "JANE" }),
    "R11",
    "critical",
  ],
  [create("github_repository_collaborator", { permission: "admin", username: "consultant" }), "R11", "high"],
  [
    create("oci_identity_policy", { statements: ["Allow group Ops to manage all-resources in tenancy"] }),
    "R11",
    "high",
  ],
  [
    create("oci_identity_policy", {
      statements: ["Allow group Ops to manage all-resources in tenancy where request.region = 'fra'"],
    }),
    "R12",
    "medium",
  ],
  [create("confluent_kafka_acl", { principal: "User:*", permission: "ALLOW" }), "R12", "medium"],
  [update("consul_acl_policy", { rules: "a" }, { rules: "b" }), "R12", "medium"],
  [update("grafana_folder_permission", { role: "Viewer" }, { role: "Admin" }), "R12", "medium"],
  [remove("fastly_service_vcl"), "R17", "high"],
  [remove("auth0_connection"), "R01", "high"],
  [create("vault_policy", { policy: 'path "*" { capabilities = ["update", "sudo"] }' }), "R11", "critical"],
  [create("vault_policy", { policy: 'path "secret/data/*" { capabilities = ["update"] }' }), "R12", "medium"],
  [
    update(
      "google_bigtable_table",
      { column_family: [{ family: "a" }, { family: "b" }] },
      { column_family: [{ family: "b" }] },
    ),
    "R01",
    "critical",
  ],
])("%j is a finding of %s at %s", (given, rule, level) => {
  expect(judged(given)[0]).toEqual([rule, level]);
});

const REDIS = { port: [{ port: 6379 }] };
const service = (type: string, more: JsonObject = {}, annotations: JsonObject = {}): JsonObject => ({
  metadata: [{ annotations }],
  spec: [{ ...REDIS, type, ...more }],
});
const INTERNAL = { "service.beta.kubernetes.io/aws-load-balancer-scheme": "internal" };

test.each<[name: string, after: JsonObject, rule: string, level: RiskLevel]>([
  ["the internet", service("LoadBalancer"), "R09", "critical"],
  ["an internal network", service("LoadBalancer", {}, INTERNAL), "R15", "medium"],
  [
    "a list of networks",
    service("LoadBalancer", { load_balancer_source_ranges: ["10.20.0.0/16"] }),
    "R15",
    "medium",
  ],
])("a load balancer that opens Redis to %s is a finding", (_name, after, rule, level) => {
  expect(judged(update("kubernetes_service_v1", service("ClusterIP"), after))[0]).toEqual([rule, level]);
});

const statements = (...Statement: JsonObject[]): JsonObject => ({
  content: JSON.stringify({ Version: "2012-10-17", Statement }),
});
const KEEP_TRAILS = { Effect: "Deny", Action: ["cloudtrail:StopLogging"], Resource: "*" };

test("a policy that no longer denies an action removes a guard and names the action", () => {
  const [finding] = findings(
    [update("aws_organizations_policy", statements(KEEP_TRAILS), statements())],
    "standard",
  );
  expect([finding?.rule, finding?.risk_level]).toEqual(["R02", "high"]);
  expect(finding?.message).toBe("Policy no longer denies cloudtrail:StopLogging");
});

test("a policy that denies more names the action", () => {
  const [finding] = findings(
    [update("aws_organizations_policy", statements(), statements(KEEP_TRAILS))],
    "standard",
  );
  expect([finding?.risk_level, finding?.message]).toEqual(["medium", "Policy denies cloudtrail:StopLogging"]);
});

test("a secret's policy for another account names the account", () => {
  const [finding] = findings(
    [
      create("aws_secretsmanager_secret_policy", {
        secret_arn: "arn:aws:secretsmanager:eu-central-1:111111111111:secret:stripe",
        ...policy({ Principal: { AWS: "arn:aws:iam::222222222222:root" }, Action: "*", Resource: "*" }),
      }),
    ],
    "standard",
  );
  expect([finding?.risk_level, finding?.message]).toEqual(["high", "Shares it with account 222222222222"]);
});

const rules = (...actions: string[]): JsonObject => ({ rule: actions.map((action) => ({ action })) });

test("reordered blocks of a list remove no guard", () => {
  const given = update("google_compute_security_policy", rules("deny", "allow"), rules("allow", "deny"));
  expect(judged(given)).toEqual([["R08", "medium"]]);
});

test.each<[given: Given, message: string]>([
  [
    create("azuread_group_member", { group_object_id: "g", member_object_id: "m" }),
    "Creates an access setting: group_object_id g and member_object_id m",
  ],
  [
    create("google_compute_firewall", { direction: "INGRESS", deny: [{ protocol: "tcp", ports: ["22"] }] }),
    "Creates network rules: direction INGRESS, deny.protocol tcp and deny.ports 22",
  ],
  [
    update(
      "vault_policy",
      { policy: 'path "a/*" {\n  capabilities = ["read"]\n}' },
      { policy: 'path "a/*" {\n  capabilities = ["list"]\n}' },
    ),
    'Changes an access setting: policy adds capabilities = ["list"] and removes capabilities = ["read"]',
  ],
])("a message includes the values: %j", (given, message) => {
  expect(findings([given])[0]?.message).toBe(message);
});

test.each<[type: string, attribute: string, before: Json, after: Json]>([
  ["aws_cloudfront_distribution", "logging_config.include_cookies", true, false],
  ["aws_efs_file_system", "backup.copy_tags_to_backups", true, false],
  ["azurerm_key_vault_secret", "expiration_date", "", "2027-01-01T00:00:00Z"],
  ["azurerm_servicebus_queue", "default_message_ttl", "PT1H", "P14D"],
  ["azurerm_servicebus_queue", "default_message_ttl", "P14D", "P1M"],
  ["azurerm_storage_account", "account_replication_type", "LRS", "GRS"],
  ["google_spanner_database", "version_retention_period", "7d", "5d"],
  ["tfe_workspace", "auto_apply", true, false],
  ["aws_s3_bucket_replication_configuration", "rule.delete_marker_replication.status", "Enabled", "Disabled"],
])("%s with %s: from %j to %j is a low finding", (...[type, attribute, before, after]) => {
  expect(judged(turned(type, attribute, before, after))).toEqual([["R23", "low"]]);
});
