import {
  GROUP,
  keyVault,
  kubernetesCluster,
  postgres,
  sqlServer,
  storageAccount,
  storageContainer,
} from "../estate/azure.ts";
import { changedBlock, knownWhenNew } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const liveAccount = (allowBlobPublicAccess: boolean, publicNetworkAccess: string) => ({
  provisioningState: "Succeeded",
  accessTier: "Hot",
  allowBlobPublicAccess,
  allowSharedKeyAccess: false,
  isHnsEnabled: false,
  minimumTlsVersion: "TLS1_2",
  networkAcls: {
    bypass: "AzureServices",
    defaultAction: publicNetworkAccess === "Enabled" ? "Allow" : "Deny",
    ipRules: [],
    virtualNetworkRules: [],
  },
  publicNetworkAccess,
  supportsHttpsTrafficOnly: true,
});
const liveContainer = (publicAccess: string) => ({
  publicAccess,
  hasImmutabilityPolicy: false,
  hasLegalHold: false,
  leaseState: "Available",
});
const liveSqlServer = (publicNetworkAccess: string) => ({
  administratorLogin: "lumenadmin",
  fullyQualifiedDomainName: "lumen-shop.database.windows.net",
  minimalTlsVersion: "1.2",
  publicNetworkAccess,
  state: "Ready",
  version: "12.0",
});
const livePostgres = (network: object) => ({
  administratorLogin: "ledgeradmin",
  fullyQualifiedDomainName: "lumen-ledger.postgres.database.azure.com",
  authConfig: { activeDirectoryAuth: "Enabled", passwordAuth: "Disabled" },
  backup: { backupRetentionDays: 35, geoRedundantBackup: "Enabled" },
  highAvailability: { mode: "ZoneRedundant", state: "Healthy" },
  network: { ...network },
  state: "Ready",
  version: "15",
});
const liveVault = (publicNetworkAccess: string, defaultAction: string) => ({
  vaultUri: "https://lumen-shop.vault.azure.net/",
  tenantId: "9a4b6c2e-0d71-4f38-b5a9-e6c1d3f7082b",
  sku: { family: "A", name: "standard" },
  accessPolicies: [],
  enablePurgeProtection: true,
  enableRbacAuthorization: true,
  enableSoftDelete: true,
  softDeleteRetentionInDays: 90,
  networkAcls: { bypass: "AzureServices", defaultAction, ipRules: [], virtualNetworkRules: [] },
  publicNetworkAccess,
});
const liveKubernetes = (apiServerAccessProfile: object) => ({
  dnsPrefix: "production",
  kubernetesVersion: "1.30.3",
  enableRBAC: true,
  disableLocalAccounts: true,
  agentPoolProfiles: [{ name: "system", count: 3, vmSize: "Standard_D4s_v5" }],
  networkProfile: { networkPlugin: "azure", outboundType: "userDefinedRouting" },
  apiServerAccessProfile: { ...apiServerAccessProfile },
});
const PUBLIC_POSTGRES = {
  ...postgres,
  delegated_subnet_id: null,
  private_dns_zone_id: null,
  public_network_access_enabled: true,
};

/** Azure: storage, databases, vaults and clusters. */
export const AZURE_DATA: readonly CommonType[] = [
  {
    type: "azurerm_storage_account",
    harmless: knownWhenNew(storageAccount),
    exposed: {
      after: knownWhenNew({
        ...storageAccount,
        allow_nested_items_to_be_public: true,
        public_network_access_enabled: true,
        ...changedBlock(storageAccount, "network_rules", { default_action: "Allow" }),
      }),
      level: "high",
      why: "Every container can be made public, and every network can reach the account.",
    },
    live: {
      provider_type: "Microsoft.Storage/storageAccounts",
      harmless: liveAccount(false, "Disabled"),
      exposed: liveAccount(true, "Enabled"),
    },
  },
  {
    type: "azurerm_storage_container",
    harmless: knownWhenNew(storageContainer("private")),
    exposed: {
      after: knownWhenNew(storageContainer("container")),
      level: "critical",
      why: "Anyone can list and download the blobs.",
    },
    live: {
      provider_type: "Microsoft.Storage/storageAccounts/blobServices/containers",
      harmless: liveContainer("None"),
      exposed: liveContainer("Container"),
    },
  },
  {
    type: "azurerm_mssql_server",
    harmless: knownWhenNew(sqlServer),
    exposed: {
      after: knownWhenNew({ ...sqlServer, public_network_access_enabled: true }),
      level: "high",
      why: "Only firewall rules stand between the server and the internet.",
    },
    live: {
      provider_type: "Microsoft.Sql/servers",
      harmless: liveSqlServer("Disabled"),
      exposed: liveSqlServer("Enabled"),
    },
  },
  {
    type: "azurerm_postgresql_flexible_server",
    harmless: knownWhenNew(postgres),
    exposed: {
      after: knownWhenNew(PUBLIC_POSTGRES),
      level: "high",
      why: "Only firewall rules stand between the server and the internet.",
    },
    live: {
      provider_type: "Microsoft.DBforPostgreSQL/flexibleServers",
      harmless: livePostgres({
        publicNetworkAccess: "Disabled",
        delegatedSubnetResourceId: `${GROUP}/providers/Microsoft.Network/virtualNetworks/shop/subnets/postgres`,
      }),
      exposed: livePostgres({ publicNetworkAccess: "Enabled" }),
    },
  },
  {
    type: "azurerm_key_vault",
    harmless: knownWhenNew(keyVault),
    exposed: {
      after: knownWhenNew({
        ...keyVault,
        public_network_access_enabled: true,
        ...changedBlock(keyVault, "network_acls", { default_action: "Allow" }),
      }),
      level: "high",
      why: "Every network can reach the vault.",
    },
    live: {
      provider_type: "Microsoft.KeyVault/vaults",
      harmless: liveVault("Disabled", "Deny"),
      exposed: liveVault("Enabled", "Allow"),
    },
  },
  {
    type: "azurerm_kubernetes_cluster",
    harmless: knownWhenNew(kubernetesCluster),
    exposed: {
      after: knownWhenNew({ ...kubernetesCluster, private_cluster_enabled: false }),
      level: "high",
      why: "The API server is reachable from the whole internet.",
    },
    live: {
      provider_type: "Microsoft.ContainerService/managedClusters",
      harmless: liveKubernetes({ enablePrivateCluster: true }),
      exposed: liveKubernetes({ enablePrivateCluster: false, authorizedIPRanges: [] }),
    },
  },
];
