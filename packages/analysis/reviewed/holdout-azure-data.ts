import { GROUP, sqlDatabase } from "./estate/azure.ts";
import {
  catalog,
  COSMOS,
  cosmosFiltered,
  databaseSetting,
  serverAudit,
  SQL,
  vault,
  VAULT,
  vmPolicy,
} from "./holdout-estate/azure-data.ts";
import { changedBlock, created, destroyed, planOf, replaced, type ReviewedPlan, updated } from "./plan.ts";

/** Azure: databases and backups. */
export const HOLDOUT_AZURE_DATA: readonly ReviewedPlan[] = [
  {
    name: "auditing of SQL is disabled",
    level: "high",
    why: "Logins and queries are no longer recorded.",
    plan: planOf(
      updated("azurerm_mssql_server_extended_auditing_policy.shop", serverAudit({}), { enabled: false }),
    ),
  },
  {
    name: "audit logs of SQL are kept for 90 days instead of a year",
    level: "medium",
    why: "A person should check the required retention.",
    plan: planOf(
      updated("azurerm_mssql_server_extended_auditing_policy.shop", serverAudit({}), {
        retention_in_days: 90,
      }),
    ),
  },
  {
    name: "long-term backups of a database end",
    level: "high",
    why: "Only 14 days of backups remain.",
    plan: planOf(
      updated(
        "azurerm_mssql_database.orders",
        {
          ...sqlDatabase,
          long_term_retention_policy: [
            { weekly_retention: "P12W", monthly_retention: "P12M", yearly_retention: "P10Y" },
          ],
        },
        {
          long_term_retention_policy: [
            { weekly_retention: "PT0S", monthly_retention: "PT0S", yearly_retention: "PT0S" },
          ],
        },
      ),
    ),
  },
  {
    name: "threat alerts of SQL are disabled",
    level: "high",
    why: "Nobody is warned about injections.",
    plan: planOf(
      updated(
        "azurerm_mssql_server_security_alert_policy.shop",
        {
          id: `${SQL}/securityAlertPolicies/Default`,
          server_name: "lumen-shop",
          resource_group_name: "shop-prod",
          state: "Enabled",
          disabled_alerts: [],
          email_account_admins: true,
          email_addresses: [],
          retention_days: 30,
        },
        { state: "Disabled" },
      ),
    ),
  },
  {
    name: "a failover group is deleted",
    level: "high",
    why: "The listener that applications use disappears, and with it the failover.",
    plan: planOf(
      destroyed("azurerm_mssql_failover_group.shop", {
        id: `${SQL}/failoverGroups/lumen`,
        name: "lumen",
        server_id: SQL,
        databases: [`${SQL}/databases/orders`],
        partner_server: [{ id: `${SQL}-dr`, location: "northeurope", role: "Secondary" }],
        read_write_endpoint_failover_policy: [{ mode: "Automatic", grace_minutes: 60 }],
        tags: {},
      }),
    ),
  },
  {
    name: "a subnet may reach SQL",
    level: "medium",
    why: "A firewall rule.",
    plan: planOf(
      created("azurerm_mssql_virtual_network_rule.apps", {
        name: "apps",
        server_id: SQL,
        subnet_id: `${GROUP}/providers/Microsoft.Network/virtualNetworks/shop/subnets/apps`,
        ignore_missing_vnet_service_endpoint: false,
      }),
    ),
  },
  {
    name: "PostgreSQL no longer requires TLS",
    level: "high",
    why: "Clients may connect in plain text.",
    plan: planOf(
      updated(
        "azurerm_postgresql_flexible_server_configuration.tls",
        databaseSetting("require_secure_transport", "on"),
        { value: "off" },
      ),
    ),
  },
  {
    name: "PostgreSQL logs slower queries only",
    level: "low",
    why: "Tuning of logs.",
    plan: planOf(
      updated(
        "azurerm_postgresql_flexible_server_configuration.slow",
        databaseSetting("log_min_duration_statement", "500"),
        { value: "1000" },
      ),
    ),
  },
  {
    name: "items of a container start to expire",
    level: "high",
    why: "Cosmos DB deletes every product that was not written for 30 days.",
    plan: planOf(updated("azurerm_cosmosdb_sql_container.products", catalog, { default_ttl: 2592000 })),
  },
  {
    name: "a container may scale further",
    level: "low",
    why: "More throughput at peaks.",
    plan: planOf(
      updated("azurerm_cosmosdb_sql_container.products", catalog, {
        autoscale_settings: [{ max_throughput: 10000 }],
      }),
    ),
  },
  {
    name: "a container gets another partition key",
    level: "critical",
    why: "The container is destroyed with its products.",
    plan: planOf(
      replaced("azurerm_cosmosdb_sql_container.products", catalog, { partition_key_paths: ["/supplier"] }),
    ),
  },
  {
    name: "an identity may write to Cosmos DB",
    level: "medium",
    why: "A grant on data.",
    plan: planOf(
      created("azurerm_cosmosdb_sql_role_assignment.shop", {
        account_name: "lumen-catalog",
        resource_group_name: "shop-prod",
        principal_id: "b7d3e1f0-58c2-4a9b-86e4-0c1f2a3d4e5b",
        role_definition_id: `${COSMOS}/sqlRoleDefinitions/00000000-0000-0000-0000-000000000002`,
        scope: COSMOS,
        name: "5b1f4a3e-0d2c-4c7b-9a86-e1f0d2c3b4a5",
      }),
    ),
  },
  {
    name: "all of Azure may reach Cosmos DB",
    level: "high",
    why: "0.0.0.0 admits every machine in Azure's data centers.",
    plan: planOf(
      updated("azurerm_cosmosdb_account.catalog", cosmosFiltered, {
        ip_range_filter: ["0.0.0.0", "203.0.113.48"],
      }),
    ),
  },
  {
    name: "a second office may reach Cosmos DB",
    level: "medium",
    why: "A firewall rule.",
    plan: planOf(
      updated("azurerm_cosmosdb_account.catalog", cosmosFiltered, {
        ip_range_filter: ["203.0.113.48", "203.0.113.64"],
      }),
    ),
  },
  {
    name: "a machine is no longer backed up",
    level: "critical",
    why: "The provider deletes the machine's recovery points with the item.",
    plan: planOf(
      destroyed("azurerm_backup_protected_vm.worker", {
        id: `${VAULT}/backupFabrics/Azure/protectionContainers/iaasvm/protectedItems/vm;worker-1`,
        backup_policy_id: vmPolicy["id"] ?? null,
        protection_state: "Protected",
        recovery_vault_name: "production",
        resource_group_name: "shop-prod",
        source_vm_id: `${GROUP}/providers/Microsoft.Compute/virtualMachines/worker-1`,
        exclude_disk_luns: [],
        include_disk_luns: [],
      }),
    ),
  },
  {
    name: "backups of machines are kept for a week instead of a month",
    level: "medium",
    why: "A person should check the required retention.",
    plan: planOf(
      updated(
        "azurerm_backup_policy_vm.daily",
        vmPolicy,
        changedBlock(vmPolicy, "retention_daily", { count: 7 }),
      ),
    ),
  },
  {
    name: "backups of machines run earlier",
    level: "low",
    why: "The same backups at another time.",
    plan: planOf(
      updated(
        "azurerm_backup_policy_vm.daily",
        vmPolicy,
        changedBlock(vmPolicy, "backup", { time: "21:00" }),
      ),
    ),
  },
  {
    name: "soft delete of a backup vault is turned off",
    level: "high",
    why: "Deleted backups can no longer be restored.",
    plan: planOf(
      updated("azurerm_recovery_services_vault.production", vault, { soft_delete_enabled: false }),
    ),
  },
];
