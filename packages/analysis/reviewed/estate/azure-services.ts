import type { JsonObject } from "@leeway/shared/values/json";

import { azure, GROUP } from "./azure.ts";

export const cosmosAccount: JsonObject = azure("Microsoft.DocumentDB/databaseAccounts", "lumen-catalog", {
  automatic_failover_enabled: true,
  backup: [{ type: "Continuous", tier: "Continuous7Days" }],
  capabilities: [],
  consistency_policy: [{ consistency_level: "Session" }],
  endpoint: "https://lumen-catalog.documents.azure.com:443/",
  geo_location: [{ location: "westeurope", failover_priority: 0, zone_redundant: true }],
  ip_range_filter: [],
  is_virtual_network_filter_enabled: true,
  kind: "GlobalDocumentDB",
  local_authentication_disabled: true,
  minimal_tls_version: "Tls12",
  offer_type: "Standard",
  public_network_access_enabled: false,
});

export const containerRegistry: JsonObject = azure("Microsoft.ContainerRegistry/registries", "lumenshop", {
  admin_enabled: false,
  anonymous_pull_enabled: false,
  data_endpoint_enabled: false,
  export_policy_enabled: true,
  login_server: "lumenshop.azurecr.io",
  network_rule_bypass_option: "AzureServices",
  public_network_access_enabled: false,
  sku: "Premium",
  zone_redundancy_enabled: true,
});

export const redisCache: JsonObject = azure("Microsoft.Cache/redis", "lumen-sessions", {
  capacity: 1,
  family: "P",
  hostname: "lumen-sessions.redis.cache.windows.net",
  minimum_tls_version: "1.2",
  non_ssl_port_enabled: false,
  port: 6379,
  public_network_access_enabled: false,
  redis_version: "6",
  sku_name: "Premium",
  ssl_port: 6380,
});

export const webApp: JsonObject = azure("Microsoft.Web/sites", "lumen-shop", {
  app_settings: { FEATURE_RETURNS: "off", LOG_LEVEL: "info" },
  client_certificate_enabled: false,
  default_hostname: "lumen-shop.azurewebsites.net",
  enabled: true,
  ftp_publish_basic_authentication_enabled: false,
  https_only: true,
  identity: [{ type: "SystemAssigned", identity_ids: [] }],
  public_network_access_enabled: true,
  service_plan_id: `${GROUP}/providers/Microsoft.Web/serverFarms/shop`,
  site_config: [
    {
      always_on: true,
      ftps_state: "Disabled",
      minimum_tls_version: "1.2",
      remote_debugging_enabled: false,
      application_stack: [{ node_version: "20-lts" }],
    },
  ],
});

export const publicIp: JsonObject = azure("Microsoft.Network/publicIPAddresses", "shop-gateway", {
  allocation_method: "Static",
  ddos_protection_mode: "VirtualNetworkInherited",
  domain_name_label: "lumen-shop",
  idle_timeout_in_minutes: 4,
  ip_address: "198.51.100.61",
  ip_version: "IPv4",
  sku: "Standard",
  sku_tier: "Regional",
  zones: ["1", "2", "3"],
});

export const virtualNetwork: JsonObject = azure("Microsoft.Network/virtualNetworks", "shop", {
  address_space: ["10.60.0.0/16"],
  bgp_community: "",
  dns_servers: [],
  flow_timeout_in_minutes: 4,
});

export const logWorkspace: JsonObject = azure("Microsoft.OperationalInsights/workspaces", "lumen-logs", {
  daily_quota_gb: -1,
  internet_ingestion_enabled: true,
  internet_query_enabled: true,
  retention_in_days: 365,
  sku: "PerGB2018",
});

export const diagnosticSetting: JsonObject = {
  id: `${GROUP}/providers/Microsoft.KeyVault/vaults/lumen-shop|audit`,
  name: "audit",
  target_resource_id: `${GROUP}/providers/Microsoft.KeyVault/vaults/lumen-shop`,
  log_analytics_workspace_id: `${GROUP}/providers/Microsoft.OperationalInsights/workspaces/lumen-logs`,
  enabled_log: [{ category: "AuditEvent", category_group: "" }],
  metric: [],
};
