import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../../compare-resource.ts";
import { AZURE_PLATFORM } from "./platform.ts";
import { AZURE_WAN } from "./wan.ts";

/** A type in the state, the same as returned by Azure, and one attribute changed by hand. */
type Case = [type: string, declared: JsonObject, live: JsonObject, path: string, changed: JsonObject];

const CASES: Case[] = [
  [
    "ip_group",
    { cidrs: ["10.0.0.0/8", "192.0.2.1"] },
    { properties: { ipAddresses: ["192.0.2.1", "10.0.0.0/8"] } },
    "cidrs.1",
    { properties: { ipAddresses: ["10.0.0.0/8", "203.0.113.9"] } },
  ],
  [
    "virtual_hub",
    { address_prefix: "10.0.0.0/23", sku: "Standard", hub_routing_preference: "ExpressRoute" },
    { properties: { addressPrefix: "10.0.0.0/23", sku: "Standard", hubRoutingPreference: "ExpressRoute" } },
    "hub_routing_preference",
    { properties: { hubRoutingPreference: "ASPath" } },
  ],
  [
    "virtual_network_gateway_connection",
    { type: "IPsec", bgp_enabled: false, use_policy_based_traffic_selectors: false },
    { properties: { connectionType: "IPsec", enableBgp: false, usePolicyBasedTrafficSelectors: false } },
    "bgp_enabled",
    { properties: { enableBgp: true } },
  ],
  [
    "private_link_service",
    { auto_approval_subscription_ids: [], visibility_subscription_ids: ["a"] },
    { properties: { autoApproval: { subscriptions: [] }, visibility: { subscriptions: ["a"] } } },
    "visibility_subscription_ids.0",
    { properties: { visibility: { subscriptions: ["*"] } } },
  ],
  [
    "traffic_manager_profile",
    {
      profile_status: "Enabled",
      traffic_view_enabled: false,
      monitor_config: [{ protocol: "HTTPS", port: 443, path: "/", interval_in_seconds: 30 }],
    },
    {
      properties: {
        profileStatus: "Enabled",
        trafficViewEnrollmentStatus: "Disabled",
        monitorConfig: { protocol: "HTTPS", port: 443, path: "/", intervalInSeconds: 30 },
      },
    },
    "monitor_config.0.protocol",
    { properties: { monitorConfig: { protocol: "HTTP", port: 443 } } },
  ],
  [
    "frontdoor_firewall_policy",
    { enabled: true, mode: "Prevention" },
    { properties: { policySettings: { enabledState: "Enabled", mode: "Prevention" } } },
    "mode",
    { properties: { policySettings: { enabledState: "Enabled", mode: "Detection" } } },
  ],
  [
    "monitor_metric_alert",
    { enabled: true, severity: 1, window_size: "PT5M", frequency: "PT1M", auto_mitigate: true },
    {
      properties: {
        enabled: true,
        severity: 1,
        windowSize: "PT5M",
        evaluationFrequency: "PT1M",
        autoMitigate: true,
      },
    },
    "enabled",
    { properties: { enabled: false } },
  ],
  [
    "monitor_action_group",
    { enabled: true, short_name: "ops" },
    { properties: { enabled: true, groupShortName: "ops" } },
    "enabled",
    { properties: { enabled: false } },
  ],
  [
    "data_protection_backup_vault",
    { soft_delete: "On", immutability: "Unlocked", retention_duration_in_days: 14 },
    {
      properties: {
        securitySettings: {
          softDeleteSettings: { state: "On", retentionDurationInDays: 14 },
          immutabilitySettings: { state: "Unlocked" },
        },
      },
    },
    "soft_delete",
    { properties: { securitySettings: { softDeleteSettings: { state: "Off" } } } },
  ],
  [
    "key_vault_managed_hardware_security_module",
    { purge_protection_enabled: true, public_network_access_enabled: false },
    { properties: { enablePurgeProtection: true, publicNetworkAccess: "Disabled" } },
    "public_network_access_enabled",
    { properties: { enablePurgeProtection: true, publicNetworkAccess: "Enabled" } },
  ],
  [
    "signalr_service",
    { sku: [{ name: "Standard_S1", capacity: 1 }], local_auth_enabled: false },
    { sku: { name: "Standard_S1", tier: "Standard", capacity: 1 }, properties: { disableLocalAuth: true } },
    "local_auth_enabled",
    { properties: { disableLocalAuth: false } },
  ],
  [
    "dashboard_grafana",
    { api_key_enabled: false, zone_redundancy_enabled: false },
    { properties: { apiKey: "Disabled", zoneRedundancy: "Disabled" } },
    "api_key_enabled",
    { properties: { apiKey: "Enabled" } },
  ],
  [
    "logic_app_workflow",
    { enabled: true },
    { properties: { state: "Enabled" } },
    "enabled",
    {
      properties: { state: "Disabled" },
    },
  ],
  [
    "container_app_environment",
    { internal_load_balancer_enabled: true, zone_redundancy_enabled: false },
    { properties: { vnetConfiguration: { internal: true }, zoneRedundant: false } },
    "internal_load_balancer_enabled",
    { properties: { vnetConfiguration: { internal: false } } },
  ],
  [
    "synapse_spark_pool",
    { node_size: "Small", spark_version: "3.4", auto_scale: [{ min_node_count: 3, max_node_count: 10 }] },
    {
      properties: {
        nodeSize: "Small",
        sparkVersion: "3.4",
        autoScale: { minNodeCount: 3, maxNodeCount: 10, enabled: true },
      },
    },
    "auto_scale.0.max_node_count",
    { properties: { autoScale: { minNodeCount: 3, maxNodeCount: 200 } } },
  ],
];

function changes(type: string, declared: JsonObject, properties: JsonObject): string[] {
  const live = { properties };
  const compared = compareResource({ type: `azurerm_${type}`, address: "x", declared, live });
  expect(compared.checked).toBe(true);
  return compared.changes.map(({ path }) => path.join("."));
}

describe("an Azure listing", () => {
  test.each(CASES)("of %s is compared", (...one) => {
    const [type, declared, live, path, changed] = one;
    expect(changes(type, declared, live)).toEqual([]);
    expect(changes(type, declared, { ...live, ...changed })).toEqual([path]);
  });

  test.each([AZURE_PLATFORM, AZURE_WAN].flatMap((table) => Object.keys(table)))(
    "of %s is compared by its tags, and missing values aren't reported",
    (type) => {
      const declared = { id: "x", name: "x", description: "x", tags: { team: "web" } };
      const named = { type, address: "x", declared };
      const same = compareResource({ ...named, live: { properties: {}, tags: { team: "web" } } });
      expect(same).toMatchObject({ checked: true, changes: [] });
      const other = compareResource({ ...named, live: { properties: {}, tags: { team: "db" } } });
      expect(other.changes).toMatchObject([{ path: ["tags", "team"], after: "db" }]);
    },
  );
});
