import { keyVault, postgres, sqlServer, storageAccount, storageContainer } from "./estate/azure.ts";
import { containerRegistry, cosmosAccount, redisCache } from "./estate/azure-services.ts";
import { changedBlock, created, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Azure: access to data and services. */
export const PUBLIC_AZURE: readonly ReviewedPlan[] = [
  {
    name: "Azure: a storage account allows public containers",
    level: "high",
    why: "No container is public yet, but any could be made public.",
    plan: planOf(
      updated("azurerm_storage_account.invoices", storageAccount, { allow_nested_items_to_be_public: true }),
    ),
  },
  {
    name: "Azure: a container becomes public",
    level: "critical",
    why: "Anyone who knows a name could download the invoice.",
    plan: planOf(
      updated("azurerm_storage_container.invoices", storageContainer("private"), {
        container_access_type: "blob",
      }),
    ),
  },
  {
    name: "Azure: a new container that can be listed by anyone",
    level: "critical",
    why: "`container` lets anyone list and download all blobs.",
    plan: planOf(created("azurerm_storage_container.invoices", storageContainer("container"))),
  },
  {
    name: "Azure: a storage account is opened to all networks",
    level: "high",
    why: "A leaked key or token would work from anywhere.",
    plan: planOf(
      updated("azurerm_storage_account.invoices", storageAccount, {
        public_network_access_enabled: true,
        ...changedBlock(storageAccount, "network_rules", { default_action: "Allow" }),
      }),
    ),
  },
  {
    name: "Azure: a database server gets public network access",
    level: "high",
    why: "Only firewall rules would stand between it and the internet.",
    plan: planOf(updated("azurerm_mssql_server.shop", sqlServer, { public_network_access_enabled: true })),
  },
  {
    name: "Azure: a new PostgreSQL server on the public network",
    level: "high",
    why: "Our databases belong in the virtual network.",
    plan: planOf(
      created("azurerm_postgresql_flexible_server.ledger", {
        ...postgres,
        delegated_subnet_id: null,
        private_dns_zone_id: null,
        public_network_access_enabled: true,
      }),
    ),
  },
  {
    name: "Azure: a vault is opened to all networks",
    level: "high",
    why: "Production's vault would be reachable from the internet.",
    plan: planOf(
      updated("azurerm_key_vault.shop", keyVault, {
        public_network_access_enabled: true,
        ...changedBlock(keyVault, "network_acls", { default_action: "Allow" }),
      }),
    ),
  },
  {
    name: "Azure: a Cosmos DB account gets public network access",
    level: "high",
    why: "Only its keys would protect it.",
    plan: planOf(
      updated("azurerm_cosmosdb_account.catalog", cosmosAccount, {
        public_network_access_enabled: true,
        is_virtual_network_filter_enabled: false,
      }),
    ),
  },
  {
    name: "Azure: a registry allows anonymous pulls",
    level: "high",
    why: "Anyone could pull the images and the code in them.",
    plan: planOf(
      updated("azurerm_container_registry.shop", containerRegistry, {
        anonymous_pull_enabled: true,
        public_network_access_enabled: true,
      }),
    ),
  },
  {
    name: "Azure: a cache gets public network access",
    level: "critical",
    why: "The Redis port would be on the internet, with only a key to protect it.",
    plan: planOf(
      updated("azurerm_redis_cache.sessions", redisCache, { public_network_access_enabled: true }),
    ),
  },
];
