import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { azureExclusions } from "./exclusions.ts";
import { readPage } from "./page.fixture.ts";

const SUBSCRIPTION = "/subscriptions/1";
const IN = (group: string, path: string): string =>
  `${SUBSCRIPTION}/resourceGroups/${group}/providers/${path}`;

/** Returns the rules that exclude the row. */
function excludedBy(row: JsonObject): string[] {
  const [resource] = readPage({ value: [row] }) ?? [];
  return azureExclusions
    .filter((rule) => resource !== undefined && rule.applies(resource))
    .map(({ id }) => id);
}

test.each([
  [
    "azure.managed_resource_group",
    "an AKS node's disk",
    { id: IN("MC_shop_aks_westeurope", "Microsoft.Compute/disks/d") },
  ],
  [
    "azure.managed_resource_group",
    "an AKS node in a custom node resource group",
    { id: IN("nodes", "Microsoft.Compute/disks/d"), tags: { "aks-managed-cluster-name": "c" } },
  ],
  [
    "azure.managed_resource_group",
    "a group managed by a service",
    {
      id: `${SUBSCRIPTION}/resourceGroups/shop-managed`,
      managedBy: IN("shop", "Microsoft.Solutions/applications/a"),
    },
  ],
  [
    "azure.managed_resource_group",
    "Databricks' storage",
    { id: IN("databricks-rg-lake-x1", "Microsoft.Storage/storageAccounts/dbstorage") },
  ],
  [
    "azure.default_resource_group",
    "the default workspace",
    { id: IN("DefaultResourceGroup-WEU", "Microsoft.OperationalInsights/workspaces/w") },
  ],
  [
    "azure.network_watcher",
    "the resource group of network watchers",
    { id: `${SUBSCRIPTION}/resourceGroups/NetworkWatcherRG` },
  ],
  [
    "azure.network_watcher",
    "a network watcher",
    { id: IN("networkwatcherrg", "Microsoft.Network/networkWatchers/NetworkWatcher_westeurope") },
  ],
  [
    "azure.cloud_shell",
    "Cloud Shell's group",
    { id: `${SUBSCRIPTION}/resourceGroups/cloud-shell-storage-westeurope` },
  ],
  [
    "azure.cloud_shell",
    "Cloud Shell's storage in another group",
    {
      id: IN("me", "Microsoft.Storage/storageAccounts/s"),
      tags: { "ms-resource-usage": "azure-cloud-shell" },
    },
  ],
  [
    "azure.master_database",
    "a master database",
    { id: IN("shop", "Microsoft.Sql/servers/s/databases/master") },
  ],
  [
    "azure.builtin_role_definition",
    "the role Owner",
    {
      id: "/providers/Microsoft.Authorization/RoleDefinitions/8e3af657",
      properties: { type: "BuiltInRole" },
    },
  ],
  [
    "azure.builtin_role_definition",
    "the role Owner in az output",
    {
      id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/8e3af657`,
      roleType: "BuiltInRole",
    },
  ],
  [
    "azure.builtin_policy_definition",
    "a built-in policy",
    {
      id: "/providers/Microsoft.Authorization/policyDefinitions/06a78e20",
      properties: { policyType: "BuiltIn" },
    },
  ],
  [
    "azure.builtin_policy_definition",
    "a built-in initiative",
    { id: "/providers/Microsoft.Authorization/policySetDefinitions/9cb3cc7a", policyType: "Static" },
  ],
  [
    "azure.service_network",
    "a network intent policy of a delegated subnet",
    { id: IN("shop", "Microsoft.Network/networkIntentPolicies/mi_default_0f") },
  ],
  [
    "azure.service_network",
    "the virtual cluster of managed instances",
    { id: IN("shop", "Microsoft.Sql/virtualClusters/VirtualCluster0f") },
  ],
  [
    "azure.tutorial_runbook",
    "a tutorial",
    {
      id: IN(
        "shop",
        "Microsoft.Automation/automationAccounts/a/runbooks/AzureAutomationTutorialWithIdentity",
      ),
    },
  ],
  [
    "azure.smart_detector_rule",
    "a failure-anomalies rule",
    { id: IN("shop", "microsoft.alertsmanagement/smartdetectoralertrules/Failure Anomalies - front") },
  ],
  [
    "azure.smart_detector_rule",
    "the action group of smart detection",
    { id: IN("shop", "microsoft.insights/actiongroups/Application Insights Smart Detection") },
  ],
  [
    "azure.default_security_rule",
    "a default rule",
    { id: IN("shop", "Microsoft.Network/networkSecurityGroups/n/defaultSecurityRules/DenyAllInBound") },
  ],
  [
    "azure.service_rule",
    "a rule of Databricks",
    {
      id: IN(
        "shop",
        "Microsoft.Network/networkSecurityGroups/n/securityRules/Microsoft.Databricks-workspaces_UseOnly_worker-to-sql",
      ),
    },
  ],
  [
    "azure.dns_apex",
    "a zone's name servers",
    { id: IN("shop", "Microsoft.Network/dnszones/example.com/NS/@") },
  ],
  [
    "azure.defender",
    "Defender's default policy",
    { id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/policyAssignments/SecurityCenterBuiltIn` },
  ],
  [
    "azure.defender",
    "another of Defender's policies",
    {
      id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/policyAssignments/d`,
      properties: { metadata: { assignedBy: "Security Center" } },
    },
  ],
  [
    "azure.defender",
    "Defender's extension",
    { id: IN("shop", "Microsoft.Compute/virtualMachines/v/extensions/MDE.Linux") },
  ],
])("%s excludes %s", (rule, _, row) => {
  expect(excludedBy(row)).toEqual([rule]);
});

test.each([
  [
    "a flow log in NetworkWatcherRG",
    { id: IN("NetworkWatcherRG", "Microsoft.Network/networkWatchers/w/flowLogs/f") },
  ],
  ["a database beside master", { id: IN("shop", "Microsoft.Sql/servers/s/databases/orders") }],
  [
    "a custom role",
    {
      id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/1`,
      properties: { type: "CustomRole" },
    },
  ],
  [
    "a custom policy",
    {
      id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/policyDefinitions/p`,
      properties: { policyType: "Custom" },
    },
  ],
  [
    "a disk attached to a VM",
    {
      id: IN("shop", "Microsoft.Compute/disks/d"),
      managedBy: IN("shop", "Microsoft.Compute/virtualMachines/v"),
    },
  ],
  ["a group with a name like AKS's", { id: `${SUBSCRIPTION}/resourceGroups/MC_backups` }],
  [
    "a custom smart detector rule",
    { id: IN("shop", "microsoft.alertsmanagement/smartdetectoralertrules/Latency") },
  ],
  ["a subdomain's name servers", { id: IN("shop", "Microsoft.Network/dnszones/example.com/NS/eu") }],
  [
    "a custom security rule",
    { id: IN("shop", "Microsoft.Network/networkSecurityGroups/n/securityRules/ssh") },
  ],
  [
    "a custom policy assignment",
    { id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/policyAssignments/tags` },
  ],
])("%s isn't excluded", (_, row) => {
  expect(excludedBy(row)).toEqual([]);
});

test("rules have unique, stable ids and a title", () => {
  const ids = azureExclusions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, title } of azureExclusions) {
    expect(id).toMatch(/^azure\.[a-z_]+$/);
    expect(title).toEndWith(".");
  }
});
