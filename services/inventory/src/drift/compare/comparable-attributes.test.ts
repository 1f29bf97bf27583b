import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { cloudOfType } from "../../clouds/clouds.ts";
import { comparableAttributes } from "./comparable-attributes.ts";

const SECRET = "Xk29canaryQz7Lm4";

/** What is kept of a state whose attributes nothing marks as sensitive, as older versions of Terraform write it. */
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
])("of %s what isn't compared isn't kept, whatever it is called", (type, attributes) => {
  expect(JSON.stringify(kept(type, attributes))).not.toContain("canary");
});

test("what is compared is kept, with its tags, in Pulumi's words too", () => {
  const group = [{ all_supported: true }];
  const tags = { team: "web" };
  expect(kept("aws_config_configuration_recorder", { id: "x", recording_group: group, tags })).toEqual({
    recording_group: group,
    tags,
  });
  expect(kept("aws:ssm/parameter:Parameter", { dataType: "text", tagsAll: tags, value: SECRET })).toEqual({
    dataType: "text",
    tagsAll: tags,
  });
});
