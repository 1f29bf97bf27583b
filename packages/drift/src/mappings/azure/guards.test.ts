import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { detectDrift } from "../../detect-drift.fixture.ts";

const GROUP = "/subscriptions/0a1b2c3d-1111-2222-3333-444455556666/resourceGroups/rg/providers";
const POLICY = `${GROUP}/Microsoft.Network/ApplicationGatewayWebApplicationFirewallPolicies/waf`;
const WORKSPACE = `${GROUP}/Microsoft.OperationalInsights/workspaces/logs`;
const KEYS = `${GROUP}/Microsoft.Compute/diskEncryptionSets/keys`;
const CIPHER = "https://vault.vault.azure.net/keys/etcd/1";

const addon = (enabled: boolean, id: string) => ({
  addonProfiles: { omsagent: { enabled, config: enabled ? { logAnalyticsWorkspaceResourceID: id } : null } },
});
const defender = (enabled: boolean) => ({
  securityProfile: {
    defender: {
      securityMonitoring: { enabled },
      ...(enabled && { logAnalyticsWorkspaceResourceId: WORKSPACE }),
    },
  },
});
const kms = (enabled: boolean) => ({
  securityProfile: { azureKeyVaultKms: { enabled, ...(enabled && { keyId: CIPHER }) } },
});
const encrypted = (more: JsonObject) => ({ diskSizeGB: 8, encryption: more });
const DISK = { disk_size_gb: 8, disk_encryption_set_id: KEYS };
const WATCHED = { oms_agent: [{ log_analytics_workspace_id: WORKSPACE }] };
const DEFENDED = { microsoft_defender: [{ log_analytics_workspace_id: WORKSPACE }] };
const KEPT = { key_management_service: [{ key_vault_key_id: CIPHER }] };
const LONG = "v=spf1 ".padEnd(300, "x");

describe("a security setting on Azure", () => {
  test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject]>([
    [
      "the firewall policy of a gateway in another case",
      "azurerm_application_gateway",
      { firewall_policy_id: POLICY, waf_configuration: [] },
      { firewallPolicy: { id: POLICY.toLowerCase() } },
    ],
    [
      "a gateway without a firewall",
      "azurerm_application_gateway",
      { firewall_policy_id: "", waf_configuration: [] },
      { sku: { name: "Standard_v2" } },
    ],
    [
      "a disk's key",
      "azurerm_managed_disk",
      DISK,
      encrypted({ type: "EncryptionAtRestWithCustomerKey", diskEncryptionSetId: KEYS.toUpperCase() }),
    ],
    [
      "a disk with a platform key",
      "azurerm_managed_disk",
      { ...DISK, disk_encryption_set_id: "" },
      encrypted({ type: "EncryptionAtRestWithPlatformKey" }),
    ],
    ["a disk without a key in the listing", "azurerm_managed_disk", DISK, { diskSizeGB: 8 }],
    ["the logs of a cluster", "azurerm_kubernetes_cluster", WATCHED, addon(true, WORKSPACE.toLowerCase())],
    ["a cluster with Defender", "azurerm_kubernetes_cluster", DEFENDED, defender(true)],
    ["a cluster with a key for its secrets", "azurerm_kubernetes_cluster", KEPT, kms(true)],
    [
      "a cluster without these settings in the listing",
      "azurerm_kubernetes_cluster",
      { ...WATCHED, ...DEFENDED },
      {},
    ],
    [
      "a long TXT record in parts",
      "azurerm_dns_txt_record",
      { record: [{ value: LONG }, { value: "b" }] },
      { TXTRecords: [{ value: ["b"] }, { value: [LONG.slice(0, 254), LONG.slice(254)] }] },
    ],
  ])("is unchanged: %s", (_fact, type, declared, live) => {
    expect(detectDrift({ type, declared, live: { properties: live } })).toEqual({ changes: [], rules: [] });
  });

  test.each<
    [
      fact: string,
      type: string,
      declared: JsonObject,
      live: JsonObject,
      changes: [string, unknown][],
      rule: string,
    ]
  >([
    [
      "a gateway lost its firewall policy",
      "azurerm_application_gateway",
      { firewall_policy_id: POLICY },
      { sku: { name: "WAF_v2" } },
      [["firewall_policy_id", ""]],
      "R02",
    ],
    [
      "a gateway lost its own firewall",
      "azurerm_application_gateway",
      { waf_configuration: [{ enabled: true, firewall_mode: "Prevention" }] },
      { sku: { name: "Standard_v2" } },
      [["waf_configuration.0.enabled", false]],
      "R08",
    ],
    [
      "a firewall lost its policy",
      "azurerm_firewall",
      { firewall_policy_id: POLICY },
      { threatIntelMode: "Alert" },
      [["firewall_policy_id", ""]],
      "R02",
    ],
    [
      "a disk uses a platform key",
      "azurerm_managed_disk",
      DISK,
      encrypted({ type: "EncryptionAtRestWithPlatformKey" }),
      [["disk_encryption_set_id", ""]],
      "R13",
    ],
    [
      "a cluster sends no logs",
      "azurerm_kubernetes_cluster",
      WATCHED,
      addon(false, ""),
      [["oms_agent.0.log_analytics_workspace_id", ""]],
      "R14",
    ],
    [
      "a cluster lost Defender",
      "azurerm_kubernetes_cluster",
      DEFENDED,
      defender(false),
      [["microsoft_defender.0.log_analytics_workspace_id", ""]],
      "R14",
    ],
    [
      "a cluster lost the key of its secrets",
      "azurerm_kubernetes_cluster",
      KEPT,
      kms(false),
      [["key_management_service.0.key_vault_key_id", ""]],
      "R13",
    ],
    [
      "a TXT record changed",
      "azurerm_dns_txt_record",
      { record: [{ value: "v=spf1 -all" }] },
      { TXTRecords: [{ value: ["v=spf1 +all"] }] },
      [["record.0.value", "v=spf1 +all"]],
      "R15",
    ],
    [
      "a private TXT record has another value",
      "azurerm_private_dns_txt_record",
      { record: [{ value: "a" }] },
      { txtRecords: [{ value: ["a"] }, { value: ["b"] }] },
      [["record.1", { value: "b" }]],
      "R15",
    ],
    [
      "another authority may issue certificates",
      "azurerm_dns_caa_record",
      { record: [{ flags: 0, tag: "issue", value: "letsencrypt.org" }] },
      { caaRecords: [{ flags: 0, tag: "issue", value: "example.com" }] },
      [["record.0.value", "example.com"]],
      "R15",
    ],
  ])("is reported: %s", (_fact, ...[type, declared, live, changes, rule]) => {
    const found = detectDrift({ type, declared, live: { properties: live } });
    expect(found.changes).toEqual(changes);
    expect(found.rules).toContain(rule);
  });

  test("is reported: another managed identity", () => {
    const [one, other] = ["one", "two"].map(
      (name) => `${GROUP}/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`,
    );
    const declared = { identity: [{ type: "UserAssigned", identity_ids: [one!] }] };
    const identity = { type: "UserAssigned", userAssignedIdentities: { [other!]: {} } };
    expect(
      detectDrift({ type: "azurerm_linux_virtual_machine", declared, live: { identity, properties: {} } }),
    ).toEqual({
      changes: [["identity.0.identity_ids.0", other]],
      rules: ["R12"],
    });
  });
});
