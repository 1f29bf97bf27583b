import type { JsonObject } from "@leeway/shared/values/json";

export const SUBSCRIPTION = "/subscriptions/5f0c7d1a-3b2e-4c96-8a41-d7e9b0c6f213";
export const GROUP = `${SUBSCRIPTION}/resourceGroups/shop-prod`;

/** Builds an Azure resource with the attributes common to nearly every type. */
export function azure(
  provider: string,
  name: string,
  attributes: JsonObject,
  tags: JsonObject = { team: "shop", env: "prod" },
): JsonObject {
  return {
    id: `${GROUP}/providers/${provider}/${name}`,
    name,
    resource_group_name: "shop-prod",
    location: "westeurope",
    tags,
    timeouts: null,
    ...attributes,
  };
}

export const resourceGroup: JsonObject = {
  id: GROUP,
  name: "shop-prod",
  location: "westeurope",
  managed_by: "",
  tags: { team: "shop", env: "prod" },
  timeouts: null,
};

/** Builds an inbound rule; `more` overrides its attributes. */
export function securityRule(source: string, port: string, more: JsonObject = {}): JsonObject {
  return {
    name: "in",
    description: "",
    access: "Allow",
    direction: "Inbound",
    priority: 200,
    protocol: "Tcp",
    source_address_prefix: source,
    source_address_prefixes: [],
    source_application_security_group_ids: [],
    source_port_range: "*",
    source_port_ranges: [],
    destination_address_prefix: "*",
    destination_address_prefixes: [],
    destination_application_security_group_ids: [],
    destination_port_range: port,
    destination_port_ranges: [],
    ...more,
  };
}

/** Builds the same rule as an `azurerm_network_security_rule`. */
export function standaloneRule(source: string, port: string, more: JsonObject = {}): JsonObject {
  return {
    id: `${GROUP}/providers/Microsoft.Network/networkSecurityGroups/shop/securityRules/in`,
    resource_group_name: "shop-prod",
    network_security_group_name: "shop",
    timeouts: null,
    ...securityRule(source, port, more),
  };
}

export function securityGroup(...security_rule: JsonObject[]): JsonObject {
  return azure("Microsoft.Network/networkSecurityGroups", "shop", { security_rule });
}

export const storageAccount: JsonObject = azure("Microsoft.Storage/storageAccounts", "lumeninvoices", {
  access_tier: "Hot",
  account_kind: "StorageV2",
  account_replication_type: "ZRS",
  account_tier: "Standard",
  allow_nested_items_to_be_public: false,
  blob_properties: [
    {
      versioning_enabled: true,
      delete_retention_policy: [{ days: 30 }],
      container_delete_retention_policy: [{ days: 30 }],
    },
  ],
  cross_tenant_replication_enabled: false,
  https_traffic_only_enabled: true,
  infrastructure_encryption_enabled: true,
  is_hns_enabled: false,
  min_tls_version: "TLS1_2",
  network_rules: [
    { bypass: ["AzureServices"], default_action: "Deny", ip_rules: [], virtual_network_subnet_ids: [] },
  ],
  public_network_access_enabled: false,
  shared_access_key_enabled: false,
});

export function storageContainer(access: string): JsonObject {
  return {
    id: `${GROUP}/providers/Microsoft.Storage/storageAccounts/lumeninvoices/blobServices/default/containers/invoices`,
    name: "invoices",
    storage_account_name: "lumeninvoices",
    container_access_type: access,
    has_immutability_policy: false,
    has_legal_hold: false,
    metadata: {},
    timeouts: null,
  };
}

/** Builds a role on a scope, as an `azurerm_role_assignment`. */
export function roleAssignment(role: string, scope: string, more: JsonObject = {}): JsonObject {
  return {
    id: `${scope}/providers/Microsoft.Authorization/roleAssignments/3c8f1a5e-72d4-4b09-9e6a-f15d2b7c8043`,
    name: "3c8f1a5e-72d4-4b09-9e6a-f15d2b7c8043",
    scope,
    role_definition_name: role,
    role_definition_id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/unknown`,
    principal_id: "b7d3e1f0-58c2-4a9b-86e4-0c1f2a3d4e5b",
    principal_type: "ServicePrincipal",
    condition: "",
    condition_version: "",
    description: "",
    skip_service_principal_aad_check: null,
    ...more,
  };
}

export const sqlServer: JsonObject = azure("Microsoft.Sql/servers", "lumen-shop", {
  administrator_login: "lumenadmin",
  administrator_login_password: null,
  azuread_administrator: [{ azuread_authentication_only: true, login_username: "dba" }],
  fully_qualified_domain_name: "lumen-shop.database.windows.net",
  minimum_tls_version: "1.2",
  outbound_network_restriction_enabled: false,
  public_network_access_enabled: false,
  version: "12.0",
});

/** Builds a firewall rule of a database server. */
export function databaseFirewallRule(from: string, to: string): JsonObject {
  return {
    id: `${GROUP}/providers/Microsoft.Sql/servers/lumen-shop/firewallRules/in`,
    name: "in",
    server_id: `${GROUP}/providers/Microsoft.Sql/servers/lumen-shop`,
    start_ip_address: from,
    end_ip_address: to,
    timeouts: null,
  };
}

export const sqlDatabase: JsonObject = {
  id: `${GROUP}/providers/Microsoft.Sql/servers/lumen-shop/databases/orders`,
  name: "orders",
  server_id: `${GROUP}/providers/Microsoft.Sql/servers/lumen-shop`,
  collation: "SQL_Latin1_General_CP1_CI_AS",
  max_size_gb: 250,
  sku_name: "GP_Gen5_4",
  storage_account_type: "Geo",
  transparent_data_encryption_enabled: true,
  zone_redundant: true,
  short_term_retention_policy: [{ retention_days: 14, backup_interval_in_hours: 12 }],
  tags: { team: "shop" },
};

export const postgres: JsonObject = azure("Microsoft.DBforPostgreSQL/flexibleServers", "lumen-ledger", {
  administrator_login: "ledgeradmin",
  administrator_password: null,
  authentication: [{ active_directory_auth_enabled: true, password_auth_enabled: false }],
  auto_grow_enabled: true,
  backup_retention_days: 35,
  delegated_subnet_id: `${GROUP}/providers/Microsoft.Network/virtualNetworks/shop/subnets/postgres`,
  fqdn: "lumen-ledger.postgres.database.azure.com",
  geo_redundant_backup_enabled: true,
  high_availability: [{ mode: "ZoneRedundant", standby_availability_zone: "2" }],
  private_dns_zone_id: `${GROUP}/providers/Microsoft.Network/privateDnsZones/lumen.postgres.database.azure.com`,
  public_network_access_enabled: false,
  sku_name: "GP_Standard_D4ds_v5",
  storage_mb: 262144,
  version: "15",
  zone: "1",
});

export const keyVault: JsonObject = azure("Microsoft.KeyVault/vaults", "lumen-shop", {
  access_policy: [],
  enable_rbac_authorization: true,
  enabled_for_deployment: false,
  enabled_for_disk_encryption: false,
  enabled_for_template_deployment: false,
  network_acls: [
    { bypass: "AzureServices", default_action: "Deny", ip_rules: [], virtual_network_subnet_ids: [] },
  ],
  public_network_access_enabled: false,
  purge_protection_enabled: true,
  sku_name: "standard",
  soft_delete_retention_days: 90,
  tenant_id: "9a4b6c2e-0d71-4f38-b5a9-e6c1d3f7082b",
  vault_uri: "https://lumen-shop.vault.azure.net/",
});

export const virtualMachine: JsonObject = azure("Microsoft.Compute/virtualMachines", "worker-1", {
  admin_username: "azureuser",
  admin_ssh_key: [{ username: "azureuser", public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIexample" }],
  disable_password_authentication: true,
  encryption_at_host_enabled: true,
  identity: [{ type: "SystemAssigned", identity_ids: [] }],
  network_interface_ids: [`${GROUP}/providers/Microsoft.Network/networkInterfaces/worker-1`],
  os_disk: [{ caching: "ReadWrite", disk_size_gb: 64, storage_account_type: "Premium_LRS" }],
  size: "Standard_D4s_v5",
  source_image_reference: [
    { publisher: "Canonical", offer: "ubuntu-24_04-lts", sku: "server", version: "latest" },
  ],
  zone: "1",
});

export const kubernetesCluster: JsonObject = azure(
  "Microsoft.ContainerService/managedClusters",
  "production",
  {
    dns_prefix: "production",
    api_server_access_profile: [],
    default_node_pool: [
      { name: "system", node_count: 3, vm_size: "Standard_D4s_v5", only_critical_addons_enabled: true },
    ],
    identity: [{ type: "SystemAssigned", identity_ids: [] }],
    kubernetes_version: "1.30.3",
    local_account_disabled: true,
    network_profile: [
      { network_plugin: "azure", network_policy: "cilium", outbound_type: "userDefinedRouting" },
    ],
    private_cluster_enabled: true,
    role_based_access_control_enabled: true,
    sku_tier: "Standard",
  },
);
