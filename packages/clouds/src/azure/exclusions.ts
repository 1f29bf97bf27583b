import { member, text } from "@leeway/shared/values/json";

import type { ExclusionRule, ListedResource } from "../cloud.ts";
import { detailsOf } from "./details.ts";
import { isInManagedGroup } from "./managed-group.ts";
import { parseResourceId } from "./resource-id.ts";

const GROUP = "Microsoft.Resources/subscriptions/resourceGroups";

/** Rules for resources that Azure creates on its own and that don't need a declaration. */
export const azureExclusions: readonly ExclusionRule[] = [
  {
    id: "azure.managed_resource_group",
    title:
      "Resource groups that a service creates for itself (AKS nodes, Databricks, Synapse), with their resources.",
    applies: (resource) =>
      isInManagedGroup(resource) ||
      (resource.provider_type === GROUP && text(resource.properties, "managedBy") !== undefined),
  },
  {
    id: "azure.default_resource_group",
    title: "DefaultResourceGroup-*, created by Azure Monitor and Defender for their default workspaces.",
    applies: (resource) => groupOf(resource).startsWith("defaultresourcegroup-"),
  },
  {
    id: "azure.network_watcher",
    title: "NetworkWatcherRG and the network watchers that Azure creates in it, one per region.",
    applies: (resource) =>
      groupOf(resource) === "networkwatcherrg" &&
      (resource.provider_type === GROUP || resource.provider_type === "Microsoft.Network/networkWatchers"),
  },
  {
    id: "azure.cloud_shell",
    title: "Storage that Cloud Shell creates for its users.",
    applies: (resource) =>
      groupOf(resource).startsWith("cloud-shell-storage-") ||
      resource.tags?.["ms-resource-usage"] === "azure-cloud-shell",
  },
  {
    id: "azure.master_database",
    title: "The master database of every SQL server.",
    applies: ({ provider_type, name }) =>
      provider_type === "Microsoft.Sql/servers/databases" && name?.toLowerCase() === "master",
  },
  {
    id: "azure.builtin_role_definition",
    title: "Built-in role definitions of Azure.",
    applies: ({ provider_type, properties }) =>
      provider_type === "Microsoft.Authorization/roleDefinitions" &&
      (text(properties, "roleType") ?? text(member(properties, "properties"), "type")) === "BuiltInRole",
  },
  {
    id: "azure.builtin_policy_definition",
    title: "Built-in policy and initiative definitions of Azure.",
    applies: isBuiltinPolicy,
  },
  {
    id: "azure.smart_detector_rule",
    title: "The failure-anomalies rule of every Application Insights resource, and its action group.",
    applies: isSmartDetection,
  },
  {
    id: "azure.default_security_rule",
    title: "The default rules of every network security group, which nobody can change.",
    applies: ({ provider_type }) =>
      provider_type === "Microsoft.Network/networkSecurityGroups/defaultSecurityRules",
  },
  {
    id: "azure.service_rule",
    title: "Security rules and routes that a service manages in its delegated subnets.",
    applies: ({ provider_type, name }) =>
      (provider_type === "Microsoft.Network/networkSecurityGroups/securityRules" ||
        provider_type === "Microsoft.Network/routeTables/routes") &&
      name !== undefined &&
      /^Microsoft\.[\w-]+_UseOnly_/i.test(name),
  },
  {
    id: "azure.service_network",
    title: "Network intent policies and virtual clusters of SQL managed instances and similar services.",
    applies: ({ provider_type }) =>
      provider_type === "Microsoft.Network/networkIntentPolicies" ||
      provider_type === "Microsoft.Sql/virtualClusters",
  },
  {
    id: "azure.tutorial_runbook",
    title: "Tutorials that the portal adds to new Automation accounts.",
    applies: ({ provider_type, name = "" }) =>
      provider_type === "Microsoft.Automation/automationAccounts/runbooks" &&
      /^AzureAutomationTutorial(?:Script|Python2|WithIdentity(?:Graphical)?)?$/.test(name),
  },
  {
    id: "azure.dns_apex",
    title: "The NS and SOA records at the top of a DNS zone, created with the zone.",
    applies: ({ provider_type, name }) =>
      name === "@" &&
      /^Microsoft\.Network\/(?:dnsZones\/(?:NS|SOA)|privateDnsZones\/SOA)$/.test(provider_type),
  },
  {
    id: "azure.defender",
    title: "Policy assignments and VM extensions that Defender for Cloud provisions.",
    applies: isDefenderMade,
  },
];

/** Returns the resource group in lower case; empty if there is none. */
function groupOf({ provider_resource_id }: ListedResource): string {
  return parseResourceId(provider_resource_id)?.resourceGroup ?? "";
}

function isBuiltinPolicy({ provider_type, properties }: ListedResource): boolean {
  if (
    provider_type !== "Microsoft.Authorization/policyDefinitions" &&
    provider_type !== "Microsoft.Authorization/policySetDefinitions"
  )
    return false;
  const kind = text(detailsOf(properties), "policyType");
  return kind === "BuiltIn" || kind === "Static";
}

function isSmartDetection({ provider_type, name = "" }: ListedResource): boolean {
  const folded = name.toLowerCase();
  return provider_type === "Microsoft.AlertsManagement/smartDetectorAlertRules"
    ? folded.startsWith("failure anomalies - ")
    : provider_type === "Microsoft.Insights/actionGroups" &&
        folded === "application insights smart detection";
}

const DEFENDER_EXTENSION = /^(?:MDE\.(?:Linux|Windows)|AzureSecurity(?:Linux|Windows)Agent)$/i;

function isDefenderMade({ provider_type, properties, name = "" }: ListedResource): boolean {
  if (provider_type === "Microsoft.Compute/virtualMachines/extensions") return DEFENDER_EXTENSION.test(name);
  if (provider_type !== "Microsoft.Authorization/policyAssignments") return false;
  const assigner = text(member(detailsOf(properties), "metadata"), "assignedBy");
  return name === "SecurityCenterBuiltIn" || assigner === "Security Center";
}
