import { describe, expect, test } from "bun:test";

import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json, JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../../compare-resource.ts";
import { driftOf } from "../../drift-of.ts";
import { given, LIVE_ROUTE, ROUTE } from "./azure.fixture.ts";

const SUBSCRIPTION = "/subscriptions/0a1b2c3d-1111-2222-3333-444455556666";
const SUBNET = `${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/n/subnets`;
const ROLE = "providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635";
const IDENTITIES = `${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;

type Same = [type: string, declared: JsonObject, live: JsonObject];

/** Equivalent pairs, in the provider's and in Azure's notation. */
const SAME: Same[] = [
  [
    "route_table",
    { route: [ROUTE, { ...ROUTE, name: "net", next_hop_type: "VnetLocal", next_hop_in_ip_address: "" }] },
    {
      properties: {
        routes: [
          { name: "net", properties: { addressPrefix: "0.0.0.0/0", nextHopType: "VnetLocal" } },
          { name: "out", properties: LIVE_ROUTE },
        ],
      },
    },
  ],
  [
    "linux_web_app",
    { https_only: true, site_config: [{ minimum_tls_version: "1.2", ftps_state: "Disabled" }] },
    {
      properties: {
        httpsOnly: true,
        siteConfig: { minTlsVersion: null, ftpsState: null, linuxFxVersion: "NODE|20" },
      },
    },
  ],
  [
    "mysql_flexible_server",
    { sku_name: "GP_Standard_D2ds_v4" },
    { sku: { name: "Standard_D2ds_v4", tier: "GeneralPurpose" }, properties: {} },
  ],
  [
    "postgresql_flexible_server",
    { sku_name: "B_Standard_B1ms" },
    { sku: { name: "Standard_B1ms", tier: "Burstable" }, properties: {} },
  ],
  [
    "api_management",
    { sku_name: "Developer_1" },
    { sku: { name: "Developer", capacity: 1 }, properties: {} },
  ],
  ["linux_virtual_machine", { license_type: "" }, { properties: { licenseType: "None" } }],
  ["linux_virtual_machine", { license_type: "None" }, { properties: { licenseType: "None" } }],
  ["public_ip", { domain_name_label: "shop" }, { properties: { dnsSettings: { domainNameLabel: "shop" } } }],
  ["public_ip", { domain_name_label: null }, { properties: {} }],
  [
    "kubernetes_cluster",
    { network_profile: [{ network_policy: "" }], automatic_upgrade_channel: "" },
    {
      properties: {
        networkProfile: { networkPolicy: "none" },
        autoUpgradeProfile: { upgradeChannel: "none" },
      },
    },
  ],
  ["kubernetes_cluster", { api_server_access_profile: [{ authorized_ip_ranges: null }] }, { properties: {} }],
  ["mssql_server", { minimum_tls_version: "Disabled" }, { properties: { minimalTlsVersion: "None" } }],
  ["mssql_database", { max_size_gb: 250 }, { properties: { maxSizeBytes: 268_435_456_000 } }],
  ["mssql_database", { max_size_gb: 0.5 }, { properties: { maxSizeBytes: 524_288_000 } }],
  ["mssql_database", { max_size_gb: 0.1 }, { properties: { maxSizeBytes: 104_857_600 } }],
  [
    "mssql_database",
    { storage_account_type: "GRS" },
    { properties: { requestedBackupStorageRedundancy: "Geo" } },
  ],
  [
    "mssql_managed_instance",
    { storage_account_type: "GZRS", vcores: 4 },
    { properties: { requestedBackupStorageRedundancy: "GeoZone", vCores: 4 } },
  ],
  [
    "mssql_database",
    { storage_account_type: "Geo", elastic_pool_id: "" },
    { properties: { requestedBackupStorageRedundancy: "Geo", elasticPoolId: null } },
  ],
  [
    "subnet",
    { address_prefixes: ["10.0.0.0/24"], default_outbound_access_enabled: true },
    { properties: { addressPrefixes: null, defaultOutboundAccess: true } },
  ],
  [
    "role_assignment",
    { role_definition_id: `${SUBSCRIPTION}/${ROLE}` },
    { properties: { roleDefinitionId: `/${ROLE.replace("roleDefinitions", "RoleDefinitions")}` } },
  ],
  [
    "storage_account",
    {
      network_rules: [
        { bypass: ["Metrics", "Logging"], virtual_network_subnet_ids: [`${SUBNET}/a`, `${SUBNET}/b`] },
      ],
    },
    {
      properties: {
        networkAcls: {
          bypass: "Logging, metrics",
          virtualNetworkRules: [{ id: `${SUBNET}/b`.toLowerCase() }, { id: `${SUBNET}/a`.toLowerCase() }],
        },
      },
    },
  ],
  [
    "cosmosdb_account",
    { ip_range_filter: "10.0.0.1,10.0.0.2" },
    { properties: { ipRules: [{ ipAddressOrRange: "10.0.0.2" }, { ipAddressOrRange: "10.0.0.1" }] } },
  ],
  [
    "cosmosdb_account",
    { ip_range_filter: ["10.0.0.1"], local_authentication_disabled: true },
    { properties: { ipRules: [{ ipAddressOrRange: "10.0.0.1" }], disableLocalAuth: true } },
  ],
  [
    "linux_web_app",
    {
      identity: [
        { type: "SystemAssigned, UserAssigned", identity_ids: [`${IDENTITIES}/a`, `${IDENTITIES}/b`] },
      ],
    },
    {
      identity: {
        type: "UserAssigned,SystemAssigned",
        userAssignedIdentities: { [`${IDENTITIES}/b`.toLowerCase()]: {}, [`${IDENTITIES}/a`]: {} },
      },
      properties: {},
    },
  ],
  [
    "container_registry",
    {
      network_rule_set: [
        {
          ip_rule: [
            { action: "Allow", ip_range: "192.0.2.1/32" },
            { action: "Allow", ip_range: "192.0.2.2/32" },
          ],
        },
      ],
    },
    {
      properties: {
        networkRuleSet: {
          ipRules: [
            { action: "Allow", value: "192.0.2.2" },
            { action: "Allow", value: "192.0.2.1" },
          ],
        },
      },
    },
  ],
  [
    "network_interface",
    {
      ip_configuration: [
        {
          name: "main",
          subnet_id: `${SUBNET}/a`,
          private_ip_address: "10.0.0.4",
          private_ip_address_allocation: "Dynamic",
          public_ip_address_id: "",
        },
      ],
    },
    {
      properties: {
        ipConfigurations: [
          {
            name: "main",
            id: "x",
            properties: {
              privateIPAddress: "10.0.0.5",
              privateIPAllocationMethod: "Dynamic",
              subnet: { id: `${SUBNET}/A` },
            },
          },
        ],
      },
    },
  ],
  [
    "network_security_rule",
    { source_application_security_group_ids: [`${SUBSCRIPTION}/Web`, `${SUBSCRIPTION}/Ops`] },
    {
      properties: {
        sourceApplicationSecurityGroups: [{ id: `${SUBSCRIPTION}/ops` }, { id: `${SUBSCRIPTION}/web` }],
      },
    },
  ],
  [
    "dns_mx_record",
    { ttl: 300, record: [{ preference: "10", exchange: "mail.example.com" }] },
    { properties: { TTL: 300, MXRecords: [{ preference: 10, exchange: "mail.example.com" }] } },
  ],
  ["subnet", { address_prefixes: ["10.0.0.0/24"] }, { properties: { addressPrefix: "10.0.0.0/24" } }],
  [
    "role_definition",
    { permissions: [{ actions: ["*/read", "*/write"], not_actions: null }] },
    { properties: { permissions: [{ actions: ["*/write", "*/read"], notActions: [], dataActions: [] }] } },
  ],
];

type Other = [...Same, changes: [Path, Json, Json][]];

const CHANGED: Other[] = [
  [
    "mysql_flexible_server",
    { sku_name: "GP_Standard_D2ds_v4" },
    { sku: { name: "Standard_D2ds_v4", tier: "MemoryOptimized" } },
    [[["sku_name"], "GP_Standard_D2ds_v4", "MO_Standard_D2ds_v4"]],
  ],
  [
    "mssql_server",
    {
      minimum_tls_version: "1.2",
      azuread_administrator: [{ object_id: "one", azuread_authentication_only: true }],
    },
    {
      properties: {
        minimalTlsVersion: "None",
        administrators: { sid: "another", azureADOnlyAuthentication: false },
      },
    },
    [
      [["minimum_tls_version"], "1.2", "Disabled"],
      [["azuread_administrator", 0, "object_id"], "one", "another"],
      [["azuread_administrator", 0, "azuread_authentication_only"], true, false],
    ],
  ],
  [
    "kubernetes_cluster",
    { api_server_access_profile: [{ authorized_ip_ranges: ["10.0.0.0/8"] }], run_command_enabled: false },
    { properties: { apiServerAccessProfile: { disableRunCommand: false } } },
    [
      [["api_server_access_profile", 0, "authorized_ip_ranges"], ["10.0.0.0/8"], []],
      [["run_command_enabled"], false, true],
    ],
  ],
  [
    "kubernetes_cluster",
    { default_node_pool: [{ name: "main", vm_size: "Standard_D2s_v3" }] },
    {
      properties: {
        agentPoolProfiles: [
          { name: "other", vmSize: "Standard_B2s" },
          { name: "main", vmSize: "Standard_D8s_v3" },
        ],
      },
    },
    [[["default_node_pool", 0, "vm_size"], "Standard_D2s_v3", "Standard_D8s_v3"]],
  ],
  [
    "kubernetes_cluster",
    {
      default_node_pool: [
        { name: "main", node_count: 3, enable_auto_scaling: true, max_count: 3, os_sku: "Ubuntu" },
      ],
    },
    {
      properties: {
        agentPoolProfiles: [
          { name: "main", count: 7, enableAutoScaling: true, maxCount: 9, osSKU: "Ubuntu" },
        ],
      },
    },
    [[["default_node_pool", 0, "max_count"], 3, 9]],
  ],
  [
    "key_vault",
    { network_acls: [{ default_action: "Deny" }] },
    { properties: { sku: { name: "standard" } } },
    [[["network_acls", 0, "default_action"], "Deny", "Allow"]],
  ],
  [
    "route_table",
    { route: [ROUTE] },
    {
      properties: {
        routes: [
          { name: "out", properties: { ...LIVE_ROUTE, nextHopIpAddress: "10.0.0.9" } },
          { name: "new", properties: { addressPrefix: "10.9.0.0/16", nextHopType: "Internet" } },
        ],
      },
    },
    [
      [["route", 0, "next_hop_in_ip_address"], "10.0.0.4", "10.0.0.9"],
      [["route", 1], null, { name: "new", address_prefix: "10.9.0.0/16", next_hop_type: "Internet" }],
    ],
  ],
  [
    "linux_web_app",
    {
      site_config: [{ minimum_tls_version: "1.2", ftps_state: "Disabled", remote_debugging_enabled: false }],
    },
    {
      properties: {
        siteConfig: { minTlsVersion: "1.0", ftpsState: "AllAllowed", remoteDebuggingEnabled: true },
      },
    },
    [
      [["site_config", 0, "minimum_tls_version"], "1.2", "1.0"],
      [["site_config", 0, "ftps_state"], "Disabled", "AllAllowed"],
      [["site_config", 0, "remote_debugging_enabled"], false, true],
    ],
  ],
  [
    "network_interface",
    { ip_configuration: [{ name: "main", public_ip_address_id: "" }] },
    { properties: { ipConfigurations: [{ name: "main", properties: { publicIPAddress: { id: "/ip" } } }] } },
    [[["ip_configuration", 0, "public_ip_address_id"], "", "/ip"]],
  ],
  [
    "mssql_managed_instance",
    { public_data_endpoint_enabled: false, storage_account_type: "GRS" },
    { properties: { publicDataEndpointEnabled: true, requestedBackupStorageRedundancy: "Local" } },
    [
      [["public_data_endpoint_enabled"], false, true],
      [["storage_account_type"], "GRS", "LRS"],
    ],
  ],
  [
    "bastion_host",
    { copy_paste_enabled: false, tunneling_enabled: false },
    { sku: { name: "Standard" }, properties: { disableCopyPaste: false, enableTunneling: true } },
    [
      [["copy_paste_enabled"], false, true],
      [["tunneling_enabled"], false, true],
    ],
  ],
  [
    "databricks_workspace",
    { custom_parameters: [{ no_public_ip: true }] },
    { properties: { parameters: { enableNoPublicIp: { type: "Bool", value: false } } } },
    [[["custom_parameters", 0, "no_public_ip"], true, false]],
  ],
  [
    "api_management",
    {
      security: [
        { enable_backend_ssl30: false, frontend_tls10_enabled: false, frontend_tls11_enabled: false },
      ],
    },
    {
      properties: {
        customProperties: {
          "Microsoft.WindowsAzure.ApiManagement.Gateway.Security.Protocols.Tls10": "True",
          "Microsoft.WindowsAzure.ApiManagement.Gateway.Security.Backend.Protocols.Ssl30": "False",
        },
      },
    },
    [[["security", 0, "frontend_tls10_enabled"], false, true]],
  ],
  [
    "storage_account_customer_managed_key",
    { key_name: "data" },
    { properties: { encryption: { keySource: "Microsoft.Storage" } } },
    [[["key_name"], "data", ""]],
  ],
  [
    "storage_container",
    { container_access_type: "private" },
    { properties: { publicAccess: "Blob" } },
    [[["container_access_type"], "private", "blob"]],
  ],
  [
    "eventhub_namespace",
    { local_authentication_enabled: false },
    { properties: { disableLocalAuth: false } },
    [[["local_authentication_enabled"], false, true]],
  ],
  [
    "linux_virtual_machine",
    { identity: [{ type: "SystemAssigned" }] },
    { identity: { type: "None" } },
    [[["identity", 0, "type"], "SystemAssigned", "None"]],
  ],
  [
    "public_ip",
    { domain_name_label: "shop" },
    { properties: { publicIPAddressVersion: "IPv4" } },
    [[["domain_name_label"], "shop", ""]],
  ],
  [
    "subnet_network_security_group_association",
    { subnet_id: `${SUBNET}/a`, network_security_group_id: "/nsg" },
    { properties: { addressPrefix: "10.0.0.0/24" } },
    [[["network_security_group_id"], "/nsg", ""]],
  ],
];

const BOTH = "SystemAssigned, UserAssigned";
const [ONE, TWO] = [`${IDENTITIES}/one`, `${IDENTITIES}/two`];
const TYPE = "identity.0.type";
const IDS = "identity.0.identity_ids";

const identityChanges = (type: string, identity_ids: string[] | null, live: JsonObject) =>
  compareResource(
    given("linux_virtual_machine", { identity: [{ type, identity_ids, principal_id: "1" }] }, live),
  ).changes.map(({ path, after }): [path: string, after: unknown] => [path.join("."), after]);

describe("an identity of an Azure resource", () => {
  test.each<[type: string, ids: string[] | null, live: JsonObject, changes: [string, Json][]]>([
    ["SystemAssigned", [], { identity: null, properties: {} }, [[TYPE, "None"]]],
    ["SystemAssigned", null, { properties: {} }, [[TYPE, "None"]]],
    [
      "UserAssigned",
      [ONE],
      { properties: {} },
      [
        [IDS, []],
        [TYPE, "None"],
      ],
    ],
    [
      BOTH,
      [ONE],
      { properties: {}, identity: { type: "UserAssigned", userAssignedIdentities: { [ONE]: {} } } },
      [[TYPE, "UserAssigned"]],
    ],
    [
      BOTH,
      [ONE],
      { properties: {}, identity: { type: "SystemAssigned" } },
      [
        [IDS, []],
        [TYPE, "SystemAssigned"],
      ],
    ],
    [
      BOTH,
      [ONE, TWO],
      { properties: {}, identity: { type: BOTH, userAssignedIdentities: { [ONE.toLowerCase()]: {} } } },
      [[IDS, [ONE]]],
    ],
  ])("is reported as removed: %s %j %j", (type, ids, live, changes) => {
    expect(identityChanges(type, ids, live).toSorted(([path], [other]) => path.localeCompare(other))).toEqual(
      changes,
    );
  });

  test.each<[type: string, ids: string[] | null, live: JsonObject]>([
    // Rows of Resource Manager's plain list, and az output without the envelope.
    ["SystemAssigned", [], { identity: null, properties: null }],
    ["SystemAssigned", [], { id: "x", location: "westeurope" }],
    ["UserAssigned", [ONE], { hardwareProfile: { vmSize: "Standard_B1s" } }],
    ["SystemAssigned", [], { properties: {}, identity: { type: "systemAssigned" } }],
    ["SystemAssigned", null, { properties: {}, identity: { type: "SystemAssigned" } }],
    [
      "UserAssigned",
      [ONE, TWO],
      {
        properties: {},
        identity: { type: "UserAssigned", userAssignedIdentities: { [TWO]: {}, [ONE.toLowerCase()]: {} } },
      },
    ],
  ])("is unchanged: %s %j %j", (type, ids, live) => {
    expect(identityChanges(type, ids, live)).toEqual([]);
  });

  test.each<JsonObject>([{}, { identity: [] }, { identity: null }])(
    "isn't reported when the listing has none and none is declared: %j",
    (declared) => {
      expect(
        compareResource(given("linux_virtual_machine", declared, { properties: {}, identity: null })).changes,
      ).toEqual([]);
    },
  );
});

describe("an Azure resource", () => {
  test.each(SAME)("hasn't drifted: %s %j", (type, declared, live) => {
    const { checked, changes } = compareResource(given(type, declared, live));
    expect([checked, changes]).toEqual([true, []]);
  });

  test.each(CHANGED)("has drifted: %s %j", (type, declared, live, changes) => {
    const found = compareResource(given(type, declared, live)).changes;
    expect(found.map(({ path, before, after }) => [path, before, after])).toEqual(changes);
  });

  test.each([
    ["subnet_network_security_group_association", { network_security_group_id: "/nsg" }],
    ["public_ip", { domain_name_label: "shop" }],
    ["key_vault", { network_acls: [{ default_action: "Deny" }] }],
    ["kubernetes_cluster", { api_server_access_profile: [{ authorized_ip_ranges: ["10.0.0.0/8"] }] }],
  ])("isn't reported as incomplete when the response has no properties: %s", (type, declared) => {
    expect(compareResource(given(type, declared, { id: "x", location: "westeurope" })).changes).toEqual([]);
  });

  test("is critical once its authorized IP ranges are removed", () => {
    const declared = { api_server_access_profile: [{ authorized_ip_ranges: ["10.0.0.0/8"] }] };
    const { drift } = driftOf(given("kubernetes_cluster", declared, { properties: {} }), {
      profile: "standard",
    });
    expect(drift?.risk_flags.map(({ rule }) => rule)).toContain("R10");
  });
});
