import type { JsonObject } from "@leeway/shared/values/json";

import { logWorkspace } from "../estate/azure-services.ts";
import { azure, GROUP, SUBSCRIPTION } from "../estate/azure.ts";

export const VAULT = `${GROUP}/providers/Microsoft.KeyVault/vaults/lumen-shop`;
export const PRINCIPAL = "b7d3e1f0-58c2-4a9b-86e4-0c1f2a3d4e5b";
const MICROSOFT_GRAPH = "4d0f2c6b-9e3a-4e1b-8a57-2c6d1f0b9e84";
const ROLE_DEFINITIONS = `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions`;
export const key: JsonObject = {
  id: `${VAULT}/keys/ledger`,
  name: "ledger",
  key_vault_id: VAULT,
  key_type: "RSA",
  key_size: 3072,
  key_opts: ["decrypt", "encrypt", "unwrapKey", "wrapKey"],
  expiration_date: null,
  rotation_policy: [],
  tags: {},
};
export const assignment = (more: JsonObject): JsonObject => ({
  id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/policyAssignments/no-public-ip`,
  name: "no-public-ip",
  subscription_id: SUBSCRIPTION,
  display_name: "No public addresses",
  description: "",
  enforce: true,
  identity: [],
  location: "",
  metadata: "{}",
  not_scopes: [],
  parameters: JSON.stringify({ effect: { value: "Deny" } }),
  policy_definition_id:
    "/providers/Microsoft.Authorization/policyDefinitions/83a86a26-fd1f-447c-b59d-e51f44264114",
  ...more,
});
export const eligible = (role: string): JsonObject => ({
  principal_id: PRINCIPAL,
  role_definition_id: `${ROLE_DEFINITIONS}/${role}`,
  scope: SUBSCRIPTION,
  justification: "",
  schedule: [{ start_date_time: "2026-10-01T00:00:00Z", expiration: [] }],
  ticket: [],
});
export const OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";
export const READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
export const operators = (...actions: string[]): JsonObject => ({
  id: `${ROLE_DEFINITIONS}/0b1c2d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e|${SUBSCRIPTION}`,
  name: "Shop operators",
  description: "",
  role_definition_id: "0b1c2d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
  scope: SUBSCRIPTION,
  assignable_scopes: [SUBSCRIPTION],
  permissions: [{ actions, data_actions: [], not_actions: [], not_data_actions: [] }],
});
export const RESTART = "Microsoft.Web/sites/restart/action";
export const conditionalAccess: JsonObject = {
  id: "/identity/conditionalAccess/policies/0f1e2d3c-4b5a-4697-8877-665544332211",
  display_name: "Require MFA",
  state: "enabled",
  conditions: [{ client_app_types: ["all"], users: [{ included_users: ["All"], excluded_users: [] }] }],
  grant_controls: [{ operator: "OR", built_in_controls: ["mfa"] }],
};
export const appRole = (app_role_id: string): JsonObject => ({
  app_role_id,
  principal_object_id: PRINCIPAL,
  resource_object_id: MICROSOFT_GRAPH,
  principal_display_name: "deploy",
  resource_display_name: "Microsoft Graph",
});
export const flowLog: JsonObject = {
  id: `${GROUP}/providers/Microsoft.Network/networkWatchers/westeurope/flowLogs/shop`,
  name: "shop",
  network_watcher_name: "westeurope",
  resource_group_name: "shop-prod",
  enabled: true,
  retention_policy: [{ enabled: true, days: 90 }],
  storage_account_id: `${GROUP}/providers/Microsoft.Storage/storageAccounts/lumenaudit`,
  target_resource_id: `${GROUP}/providers/Microsoft.Network/virtualNetworks/shop`,
  traffic_analytics: [],
};
export const alertRule: JsonObject = {
  id: `${GROUP}/providers/Microsoft.OperationalInsights/workspaces/lumen-logs/providers/Microsoft.SecurityInsights/alertRules/exfiltration`,
  name: "exfiltration",
  log_analytics_workspace_id: logWorkspace["id"] ?? null,
  display_name: "Large downloads",
  enabled: true,
  query: "StorageBlobLogs | summarize sum(ResponseBodySize) by CallerIpAddress",
  query_frequency: "PT1H",
  query_period: "PT1H",
  severity: "High",
  tactics: ["Exfiltration"],
  trigger_operator: "GreaterThan",
  trigger_threshold: 0,
};
export const metricAlert: JsonObject = azure("Microsoft.Insights/metricAlerts", "errors", {
  action: [{ action_group_id: `${GROUP}/providers/Microsoft.Insights/actionGroups/on-call` }],
  criteria: [{ metric_name: "Http5xx", aggregation: "Total", operator: "GreaterThan", threshold: 10 }],
  enabled: true,
  frequency: "PT1M",
  scopes: [`${GROUP}/providers/Microsoft.Web/sites/lumen-shop`],
  severity: 1,
  window_size: "PT5M",
});
