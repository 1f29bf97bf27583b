import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import type { DeclaredResource, ListedResource } from "../cloud.ts";
import { declaredIdentity, declares, liveKeys } from "./keys.ts";

const SUBSCRIPTION = "6f1b2c3d-0000-4000-8000-00000000000a";
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/Shop`;
const NETWORK = `${GROUP}/providers/Microsoft.Network`;
const VAULT = `${GROUP}/providers/Microsoft.KeyVault/vaults/Keys`;
const STORAGE = `${GROUP}/providers/Microsoft.Storage/storageAccounts/logs`;
const GUID = "7d3b1c52-1111-4222-8333-444455556666";

function declared(type: string, attributes: JsonObject): DeclaredResource {
  return { address: `${type}.x`, type, attributes };
}

function live(id: string, type = "", more: Partial<ListedResource> = {}): ListedResource {
  return { provider_resource_id: id, provider_type: type, complete: true, ...more };
}

function isMatched(resource: ListedResource, type: string, attributes: JsonObject): boolean {
  const keys = new Set<string>(liveKeys(resource));
  return declaredIdentity(declared(type, attributes)).keys.some((key) => keys.has(key));
}

describe("a live resource and its declaration share a key", () => {
  test.each([
    [
      "with an id in another case",
      live(`${NETWORK}/virtualNetworks/v`.toUpperCase()),
      "azurerm_virtual_network",
      { id: `${NETWORK}/virtualNetworks/v` },
    ],
    [
      "a Windows VM, whose Azure type is also that of Linux VMs",
      live(`${GROUP}/providers/Microsoft.Compute/virtualMachines/w`),
      "azurerm_windows_virtual_machine",
      { id: `${GROUP}/providers/Microsoft.Compute/virtualMachines/w` },
    ],
    [
      "an unknown type",
      live(`${GROUP}/providers/Microsoft.New/things/t`),
      "azurerm_new_thing",
      { id: `${GROUP}/providers/Microsoft.New/things/t` },
    ],
    [
      "a secret by its vault URL",
      live(`${VAULT}/secrets/token`),
      "azurerm_key_vault_secret",
      { id: "https://keys.vault.azure.net/secrets/token/9f2c0a" },
    ],
    [
      "a secret by its versionless id",
      live(`${VAULT}/secrets/token`),
      "azurerm_key_vault_secret",
      {
        id: "https://other.vault.azure.net/secrets/token/1",
        resource_versionless_id: `${VAULT}/secrets/token`,
      },
    ],
    [
      "a key declared with Pulumi",
      live(`${VAULT}/keys/k`),
      "azure:keyvault/key:Key",
      { id: "https://other.vault.azure.net/keys/k/1", resourceVersionlessId: `${VAULT}/keys/k` },
    ],
    [
      "a certificate",
      live(`${VAULT}/certificates/c`),
      "azurerm_key_vault_certificate",
      { id: "https://keys.vault.azure.net/certificates/c/1" },
    ],
    [
      "a container by its URL",
      live(`${STORAGE}/blobServices/default/containers/raw`),
      "azurerm_storage_container",
      { id: "https://logs.blob.core.windows.net/raw" },
    ],
    [
      "a container by its Resource Manager id",
      live(`${STORAGE}/blobServices/default/containers/raw`),
      "azurerm_storage_container",
      {
        id: "https://x.blob.core.windows.net/raw",
        resource_manager_id: `${STORAGE}/blobServices/default/containers/raw`,
      },
    ],
    [
      "a file system, which is a container",
      live(`${STORAGE}/blobServices/default/containers/lake`),
      "azurerm_storage_data_lake_gen2_filesystem",
      { id: "https://logs.dfs.core.windows.net/lake" },
    ],
    [
      "a share",
      live(`${STORAGE}/fileServices/default/shares/s`),
      "azurerm_storage_share",
      { id: "https://logs.file.core.windows.net/s" },
    ],
    [
      "a queue in a sovereign cloud",
      live(`${STORAGE}/queueServices/default/queues/q`),
      "azurerm_storage_queue",
      { id: "https://logs.queue.core.chinacloudapi.cn/q" },
    ],
    [
      "a table",
      live(`${STORAGE}/tableServices/default/tables/T`),
      "azurerm_storage_table",
      { id: "https://logs.table.core.windows.net/Tables('t')" },
    ],
    [
      "a diagnostic setting",
      live(`${VAULT}/providers/microsoft.insights/diagnosticSettings/audit`),
      "azurerm_monitor_diagnostic_setting",
      { id: `${VAULT}|audit` },
    ],
    [
      "a role assignment with its scope in either place",
      live(`/providers/Microsoft.Authorization/roleAssignments/${GUID}`),
      "azurerm_role_assignment",
      { id: `${GROUP}/providers/Microsoft.Authorization/roleAssignments/${GUID}` },
    ],
    [
      "a role assignment of another tenant",
      live(`${GROUP}/providers/Microsoft.Authorization/roleAssignments/${GUID}`),
      "azurerm_role_assignment",
      { id: `${GROUP}/providers/Microsoft.Authorization/roleAssignments/${GUID}|${GUID}` },
    ],
    [
      "a role definition",
      live(`/providers/Microsoft.Authorization/roleDefinitions/${GUID}`),
      "azurerm_role_definition",
      {
        id: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${GUID}|/subscriptions/${SUBSCRIPTION}`,
      },
    ],
    [
      "a subscription declared by an alias",
      live(`/subscriptions/${GUID}`),
      "azurerm_subscription",
      { id: "/providers/Microsoft.Subscription/aliases/prod", subscription_id: GUID },
    ],
    [
      "azapi",
      live(`${NETWORK}/natGateways/n`),
      "azapi_resource",
      { id: `${NETWORK}/natGateways/n`, type: "Microsoft.Network/natGateways@2023-11-01" },
    ],
    [
      "Pulumi's native provider",
      live(`${NETWORK}/natGateways/n`),
      "azure-native:network:NatGateway",
      { id: `${NETWORK}/natGateways/n` },
    ],
    [
      "Pulumi's classic provider, with a name unlike Terraform's",
      live(`${NETWORK}/loadBalancers/l`),
      "azure:lb/loadBalancer:LoadBalancer",
      { id: `${NETWORK}/loadBalancers/l` },
    ],
    [
      "a Bicep type",
      live(`${NETWORK}/natGateways/n`),
      "Microsoft.Network/natGateways",
      { id: `${NETWORK}/natGateways/n` },
    ],
    [
      "a directory group by the id of either provider version",
      live(GUID, "Microsoft.Graph/groups"),
      "azuread_group",
      { id: `/groups/${GUID.toUpperCase()}` },
    ],
    [
      "an application by its object id",
      live(GUID, "", { terraform_type: "azuread_application" }),
      "azuread_application_registration",
      { id: `/applications/${GUID}`, object_id: GUID },
    ],
    [
      "a row in Leeway's own format with a Terraform type and the state's id",
      live("https://keys.vault.azure.net/secrets/token/3", "secret", {
        terraform_type: "azurerm_key_vault_secret",
      }),
      "azurerm_key_vault_secret",
      { id: "https://keys.vault.azure.net/secrets/token/4" },
    ],
    [
      "a row in Leeway's own format for an association",
      live(`${NETWORK}/virtualNetworks/v/subnets/s`, "x", {
        terraform_type: "azurerm_subnet_route_table_association",
      }),
      "azurerm_subnet_route_table_association",
      { id: `${NETWORK}/virtualNetworks/v/subnets/s` },
    ],
  ])("%s", (_, resource, type, attributes) => {
    expect(isMatched(resource, type, attributes)).toBeTrue();
  });
});

describe("a live resource and another declaration share no key", () => {
  const subnet = live(`${NETWORK}/virtualNetworks/v/subnets/s`);
  test.each([
    [
      "an association with its subnet's id isn't the subnet",
      subnet,
      "azurerm_subnet_network_security_group_association",
      { id: subnet.provider_resource_id },
    ],
    [
      "nor is it with Pulumi",
      subnet,
      "azure:network/subnetRouteTableAssociation:SubnetRouteTableAssociation",
      { id: subnet.provider_resource_id },
    ],
    [
      "network rules with the account's id aren't the account",
      live(STORAGE),
      "azurerm_storage_account_network_rules",
      { id: STORAGE },
    ],
    [
      "an unknown setting with the account's id isn't the account",
      live(STORAGE),
      "azurerm_storage_account_future_setting",
      { id: STORAGE },
    ],
    [
      "an azapi update isn't the resource that it changes",
      live(STORAGE),
      "azapi_update_resource",
      { id: STORAGE },
    ],
    [
      "a NAT gateway's association isn't the gateway",
      live(`${NETWORK}/natGateways/n`),
      "azurerm_nat_gateway_public_ip_association",
      { id: `${NETWORK}/natGateways/n|${NETWORK}/publicIPAddresses/p` },
    ],
    [
      "a key isn't a secret of the same name",
      live(`${VAULT}/keys/token`),
      "azurerm_key_vault_secret",
      { id: "https://keys.vault.azure.net/secrets/token/1" },
    ],
    [
      "a blob isn't a container",
      live(`${STORAGE}/blobServices/default/containers/raw`),
      "azurerm_storage_blob",
      { id: "https://logs.blob.core.windows.net/raw/raw" },
    ],
    [
      "a queue isn't a container of the same name",
      live(`${STORAGE}/queueServices/default/queues/raw`),
      "azurerm_storage_container",
      { id: "https://logs.blob.core.windows.net/raw" },
    ],
    [
      "a group isn't a user with the same id",
      live(GUID, "Microsoft.Graph/groups"),
      "azuread_user",
      { id: `/users/${GUID}` },
    ],
    ["a state without ids", live(STORAGE), "azurerm_storage_account", { name: "logs" }],
  ])("%s", (_, resource, type, attributes) => {
    expect(isMatched(resource, type, attributes)).toBeFalse();
  });
});

describe("a declared resource", () => {
  test("has unique keys, ordered by reliability", () => {
    const { keys } = declaredIdentity(
      declared("azurerm_storage_container", {
        id: "https://logs.blob.core.windows.net/raw",
        resource_manager_id: `${STORAGE}/blobServices/default/containers/raw`,
      }),
    );
    expect(keys).toEqual([
      `2:${STORAGE.toLowerCase()}/blobservices/default/containers/raw`,
      "3:azurerm_storage_container|logs.blob/raw",
    ]);
  });

  test.each([
    ["its id", "azurerm_storage_account", { id: STORAGE.toUpperCase() }, SUBSCRIPTION],
    [
      "another id",
      "azurerm_key_vault_secret",
      { id: "https://keys.vault.azure.net/secrets/t/1", resource_versionless_id: `${VAULT}/secrets/t` },
      SUBSCRIPTION,
    ],
    [
      "the first id of an association",
      "azurerm_monitor_diagnostic_setting",
      { id: `${VAULT}|audit` },
      SUBSCRIPTION,
    ],
    [
      "nothing outside a subscription",
      "azurerm_management_group",
      { id: "/providers/Microsoft.Management/managementGroups/root" },
      undefined,
    ],
    [
      "nothing in a URL",
      "azurerm_storage_container",
      { id: "https://logs.blob.core.windows.net/raw" },
      undefined,
    ],
  ])("gets its subscription from %s", (_, type, attributes, account) => {
    const identity = declaredIdentity(declared(type, attributes));
    expect(identity.account).toBe(account);
    expect(identity).not.toHaveProperty("region");
  });
});

test.each([
  ["azurerm_subnet", true],
  ["azuread_group", true],
  ["azapi_resource", true],
  ["azure-native:network:Subnet", true],
  ["azure-native_network_v20230201:network:Subnet", true],
  ["azure:network/subnet:Subnet", true],
  ["Microsoft.Network/virtualNetworks", true],
  ["aws_subnet", false],
  ["azuredevops_project", false],
  ["google_compute_network", false],
])("%s belongs to Azure: %p", (type, is) => {
  expect(declares(type)).toBe(is);
});

test("an AKS cluster is found by its node resource group", () => {
  const cluster = live(
    `${GROUP}/providers/Microsoft.ContainerService/managedClusters/c`,
    "Microsoft.ContainerService/managedClusters",
    {
      properties: { properties: { nodeResourceGroup: "Nodes" } },
    },
  );
  expect(liveKeys(cluster)).toContain(
    `3:managed_resource_group|/subscriptions/${SUBSCRIPTION}/resourcegroups/nodes`,
  );
});

interface Item {
  vault: string;
  kind: string;
  name: string;
}

function keysIn(group: string, { vault, kind, name }: Item): Set<string> {
  const id = `/subscriptions/1/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/${vault}/${kind}/${name}`;
  return new Set(liveKeys(live(id)));
}

test("two resources share a key only if they are the same", () => {
  const part = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
  const item = fc.record({
    vault: part,
    kind: fc.constantFrom("keys", "secrets", "certificates"),
    name: part,
  });
  fc.assert(
    fc.property(item, item, part, part, (a, b, group, other) => {
      // A vault's name is its address, so it is unique across resource groups.
      const isOne = a.vault === b.vault && a.kind === b.kind && a.name === b.name;
      expect(keysIn(group, a).isDisjointFrom(keysIn(other, b))).toBe(!isOne);
    }),
  );
});
