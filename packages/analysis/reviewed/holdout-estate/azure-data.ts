import type { JsonObject } from "@leeway/shared/values/json";

import { cosmosAccount } from "../estate/azure-services.ts";
import { azure, GROUP } from "../estate/azure.ts";

export const SQL = `${GROUP}/providers/Microsoft.Sql/servers/lumen-shop`;
export const VAULT = `${GROUP}/providers/Microsoft.RecoveryServices/vaults/production`;
export const INVOICES = `${GROUP}/providers/Microsoft.Storage/storageAccounts/lumeninvoices`;
export const management = (base_blob: JsonObject): JsonObject => ({
  id: `${INVOICES}/managementPolicies/default`,
  storage_account_id: INVOICES,
  rule: [
    {
      name: "age",
      enabled: true,
      filters: [{ blob_types: ["blockBlob"], prefix_match: [] }],
      actions: [{ base_blob: [base_blob], snapshot: [], version: [] }],
    },
  ],
});
export const events: JsonObject = azure("Microsoft.EventHub/namespaces", "lumen-events", {
  auto_inflate_enabled: true,
  capacity: 2,
  local_authentication_enabled: false,
  maximum_throughput_units: 10,
  minimum_tls_version: "1.2",
  network_rulesets: [],
  public_network_access_enabled: false,
  sku: "Standard",
});
export const clicks: JsonObject = {
  id: `${GROUP}/providers/Microsoft.EventHub/namespaces/lumen-events/eventhubs/clicks`,
  name: "clicks",
  namespace_id: `${GROUP}/providers/Microsoft.EventHub/namespaces/lumen-events`,
  message_retention: 7,
  partition_count: 8,
  status: "Active",
  capture_description: [],
};
export const hubRule = (manage: boolean): JsonObject => ({
  name: "reports",
  namespace_name: "lumen-events",
  eventhub_name: "clicks",
  resource_group_name: "shop-prod",
  listen: true,
  send: manage,
  manage,
});
export const ordersQueue: JsonObject = {
  id: `${GROUP}/providers/Microsoft.ServiceBus/namespaces/lumen/queues/orders`,
  name: "orders",
  namespace_id: `${GROUP}/providers/Microsoft.ServiceBus/namespaces/lumen`,
  dead_lettering_on_message_expiration: true,
  lock_duration: "PT1M",
  max_delivery_count: 10,
  requires_session: false,
  status: "Active",
};
export const serverAudit = (more: JsonObject): JsonObject => ({
  id: `${SQL}/extendedAuditingSettings/default`,
  server_id: SQL,
  enabled: true,
  log_monitoring_enabled: true,
  predicate_expression: "",
  retention_in_days: 365,
  storage_endpoint: "https://lumenaudit.blob.core.windows.net/",
  ...more,
});
export const databaseSetting = (name: string, value: string): JsonObject => ({
  id: `${GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/lumen-ledger/configurations/${name}`,
  name,
  server_id: `${GROUP}/providers/Microsoft.DBforPostgreSQL/flexibleServers/lumen-ledger`,
  value,
});
export const COSMOS = `${GROUP}/providers/Microsoft.DocumentDB/databaseAccounts/lumen-catalog`;
export const catalog: JsonObject = {
  id: `${COSMOS}/sqlDatabases/catalog/containers/products`,
  name: "products",
  account_name: "lumen-catalog",
  database_name: "catalog",
  resource_group_name: "shop-prod",
  analytical_storage_ttl: 0,
  autoscale_settings: [{ max_throughput: 4000 }],
  default_ttl: -1,
  partition_key_kind: "Hash",
  partition_key_paths: ["/category"],
  indexing_policy: [{ indexing_mode: "consistent", included_path: [{ path: "/*" }], excluded_path: [] }],
  unique_key: [],
};
export const cosmosFiltered: JsonObject = {
  ...cosmosAccount,
  public_network_access_enabled: true,
  ip_range_filter: ["203.0.113.48"],
};
export const vmPolicy: JsonObject = {
  id: `${VAULT}/backupPolicies/daily`,
  name: "daily",
  recovery_vault_name: "production",
  resource_group_name: "shop-prod",
  policy_type: "V2",
  backup: [{ frequency: "Daily", time: "23:00" }],
  retention_daily: [{ count: 30 }],
  timezone: "UTC",
};
export const vault: JsonObject = azure("Microsoft.RecoveryServices/vaults", "production", {
  cross_region_restore_enabled: true,
  immutability: "Unlocked",
  public_network_access_enabled: false,
  sku: "Standard",
  soft_delete_enabled: true,
  storage_mode_type: "GeoRedundant",
});
export const pipeline: JsonObject = {
  id: `${GROUP}/providers/Microsoft.DataFactory/factories/lumen/pipelines/sales`,
  name: "sales",
  data_factory_id: `${GROUP}/providers/Microsoft.DataFactory/factories/lumen`,
  activities_json: JSON.stringify([{ name: "copy", type: "Copy", policy: { retry: 1 } }]),
  annotations: [],
  concurrency: 1,
  parameters: {},
  variables: {},
};
export const trigger: JsonObject = {
  id: `${GROUP}/providers/Microsoft.DataFactory/factories/lumen/triggers/nightly`,
  name: "nightly",
  data_factory_id: `${GROUP}/providers/Microsoft.DataFactory/factories/lumen`,
  activated: true,
  frequency: "Day",
  interval: 1,
  pipeline_name: "sales",
  time_zone: "UTC",
};
