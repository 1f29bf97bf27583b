import { expect, test } from "bun:test";

import { cloudOfType } from "@leeway/clouds/clouds";
import type { JsonObject } from "@leeway/shared/values/json";

import { comparableAttributes } from "./comparable-attributes.ts";

const SECRET = "Xk29canaryQz7Lm4";

/** Returns the stored attributes of a state that marks nothing as sensitive, as older Terraform versions write it. */
function kept(type: string, attributes: JsonObject): JsonObject {
  const text = comparableAttributes({ address: "x", type, attributes }, cloudOfType(type));
  return JSON.parse(text ?? "{}");
}

test.each<[string, JsonObject]>([
  ["aws_api_gateway_api_key", { name: "x", value: SECRET }],
  ["aws_apprunner_service", { source_configuration: [{ runtime_environment_variables: { FOO: SECRET } }] }],
  ["aws_codepipeline", { role_arn: "x", stage: [{ action: [{ configuration: { Token: SECRET } }] }] }],
  ["aws_cognito_identity_pool", { supported_login_providers: { "graph.facebook.com": SECRET } }],
  ["aws_glue_catalog_table", { parameters: { x: SECRET } }],
  ["aws_ssm_association", { parameters: { commands: `login ${SECRET}` } }],
  ["aws_ssm_parameter", { type: "String", value: SECRET, insecure_value: SECRET }],
  ["aws_vpn_connection", { type: "ipsec.1", customer_gateway_configuration: `<key>${SECRET}</key>` }],
  ["aws:ssm/parameter:Parameter", { type: "String", insecureValue: SECRET }],
  ["azurerm_automation_runbook", { content: `$p = "${SECRET}"` }],
  ["azurerm_container_group", { container: [{ secure_environment_variables: { B: SECRET } }] }],
  ["azurerm_express_route_circuit", { service_key: SECRET }],
  ["azurerm_logic_app_workflow", { workflow_parameters: { p: SECRET }, parameters: { p: SECRET } }],
  ["azurerm_monitor_action_group", { webhook_receiver: [{ service_uri: `https://h/${SECRET}` }] }],
  ["azurerm_portal_dashboard", { dashboard_properties: `{"k":"${SECRET}"}` }],
  ["azurerm_static_web_app", { app_settings: { X: SECRET } }],
  ["azurerm_virtual_network_gateway_connection", { authorization_key: SECRET }],
  ["google_kms_secret_ciphertext", { plaintext: SECRET }],
  ["google_storage_bucket_object", { content: SECRET }],
])("attributes of %s that aren't compared aren't stored", (type, attributes) => {
  expect(JSON.stringify(kept(type, attributes))).not.toContain("canary");
});

test("compared attributes, ids and tags are stored, also under Pulumi's names", () => {
  const group = [{ all_supported: true }];
  const tags = { team: "web" };
  expect(kept("aws_config_configuration_recorder", { id: "x", recording_group: group, tags })).toEqual({
    id: "x",
    recording_group: group,
    tags,
  });
  expect(kept("aws:ssm/parameter:Parameter", { dataType: "text", tagsAll: tags, value: SECRET })).toEqual({
    dataType: "text",
    tagsAll: tags,
  });
});

test("a block is stored without the members that nothing compares", () => {
  const secret = { name: "web", secure_environment_variables: { B: SECRET } };
  expect(kept("azurerm_container_group", { container: [secret] })).toEqual({ container: [{ name: "web" }] });
});
