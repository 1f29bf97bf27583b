import { isObject } from "@leeway/shared/values/json";

import { accessPolicies } from "../../azure-children.ts";
import {
  always,
  flexibleSku,
  IDENTITY,
  inAnyCase,
  listed,
  listOrText,
  LOCAL_AUTH,
  opposite,
  PUBLIC_ACCESS,
  renamed,
  words,
} from "../../azure-shapes.ts";
import type { MappingTable, Row, Shape } from "../../mapping.ts";
import { unlessPart } from "../../parts.ts";
import { anyCase, isWord, row, same, switched } from "../../shapes.ts";

/** Returns the replication in a SKU: `Standard_LRS` is tier and replication. */
const replication: Shape = (live) => (typeof live === "string" ? live.split("_").at(-1) : undefined);

/** Compares resources that may bypass the network rules, except Defender's own scanners. */
const trusted: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const blocks = live.filter(isObject).map(({ resourceId = null, tenantId = null }) => ({
    endpoint_resource_id: resourceId,
    endpoint_tenant_id: tenantId,
  }));
  const known = JSON.stringify(declared).toLowerCase();
  const own = blocks.filter(
    ({ endpoint_resource_id: id }) =>
      typeof id !== "string" || !SCANNER.test(id) || known.includes(id.toLowerCase()),
  );
  return inAnyCase(own, declared);
};
const SCANNER = /\/providers\/Microsoft\.Security\/dataScanners\//i;

/** Reports whether soft delete is on. Some vaults can't turn it off. */
const isKept: Shape = (live) => (typeof live === "string" ? live.toLowerCase() !== "disabled" : undefined);

const NETWORK_RULES: Readonly<Record<string, Row>> = {
  default_action: row("networkAcls.defaultAction", anyCase),
  bypass: row("networkAcls.bypass", listed),
  private_link_access: row("networkAcls.resourceAccessRules", trusted),
  ip_rules: row("networkAcls.ipRules[].value"),
  virtual_network_subnet_ids: row("networkAcls.virtualNetworkRules[].id", inAnyCase),
};

const OWN_NETWORK_RULES = Object.fromEntries(
  Object.entries(NETWORK_RULES).map(([name, rule]) => [
    `network_rules.${name}`,
    unlessPart("azurerm_storage_account_network_rules", rule),
  ]),
);

const REDUNDANCIES = { geo: "GRS", geozone: "GZRS", local: "LRS", zone: "ZRS" };
/** Compares redundancy, in older APIs' words if the state uses them. */
const redundancy: Shape = (live, declared) => {
  const isOlder = typeof declared === "string" && /^(?:G|GZ|L|Z)RS$/i.test(declared);
  return isOlder ? renamed(REDUNDANCIES)(live, declared) : anyCase(live, declared);
};

/** Converts bytes to GiB, with one decimal place below 1. */
const gigabytes: Shape = (live) => {
  const size = typeof live === "number" ? live / 2 ** 30 : undefined;
  if (size === undefined) return undefined;
  return size < 1 ? Math.round(size * 10) / 10 : Math.floor(size);
};

const FLEXIBLE_SERVER: Readonly<Record<string, string | Row>> = {
  ...same("version administrator_login"),
  sku_name: row("/sku", flexibleSku),
  backup_retention_days: "backup.backupRetentionDays",
  geo_redundant_backup_enabled: row("backup.geoRedundantBackup", switched),
  "high_availability.mode": row("highAvailability.mode", anyCase),
  public_network_access_enabled: row("network.publicNetworkAccess", switched),
  "customer_managed_key.key_vault_key_id": "dataEncryption.primaryKeyURI",
};

const FIREWALL_RULE = same("start_ip_address end_ip_address");
/** Azure types that store data or keys; see `AZURE`. */
export const AZURE_DATA: MappingTable = {
  azurerm_storage_account: {
    ...words({ account_kind: "/kind", access_tier: "accessTier", account_tier: "/sku.tier" }),
    account_replication_type: row("/sku.name", replication),
    https_traffic_only_enabled: "supportsHttpsTrafficOnly",
    enable_https_traffic_only: "supportsHttpsTrafficOnly",
    min_tls_version: "minimumTlsVersion",
    allow_nested_items_to_be_public: "allowBlobPublicAccess",
    allow_blob_public_access: "allowBlobPublicAccess",
    allowed_copy_scope: row("allowedCopyScope", anyCase),
    shared_access_key_enabled: "allowSharedKeyAccess",
    cross_tenant_replication_enabled: "allowCrossTenantReplication",
    default_to_oauth_authentication: "defaultToOAuthAuthentication",
    is_hns_enabled: "isHnsEnabled",
    nfsv3_enabled: "isNfsV3Enabled",
    sftp_enabled: "isSftpEnabled",
    local_user_enabled: "isLocalUserEnabled",
    infrastructure_encryption_enabled: "encryption.requireInfrastructureEncryption",
    ...OWN_NETWORK_RULES,
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_storage_account_network_rules: NETWORK_RULES,
  azurerm_storage_account_customer_managed_key: {
    key_name: always("encryption.keyvaultproperties.keyname", ""),
  },
  azurerm_storage_container: {
    container_access_type: row(
      "publicAccess",
      renamed({ none: "private", blob: "blob", container: "container" }),
    ),
  },
  azurerm_key_vault: {
    ...words({ tenant_id: "tenantId", sku_name: "sku.name" }),
    enabled_for_deployment: "enabledForDeployment",
    enabled_for_disk_encryption: "enabledForDiskEncryption",
    enabled_for_template_deployment: "enabledForTemplateDeployment",
    purge_protection_enabled: "enablePurgeProtection",
    soft_delete_enabled: "enableSoftDelete",
    soft_delete_retention_days: "softDeleteRetentionInDays",
    enable_rbac_authorization: "enableRbacAuthorization",
    rbac_authorization_enabled: "enableRbacAuthorization",
    access_policy: row("accessPolicies", accessPolicies),
    "network_acls.default_action": always("networkAcls.defaultAction", "Allow", anyCase),
    "network_acls.bypass": always("networkAcls.bypass", "AzureServices", anyCase),
    "network_acls.ip_rules": "networkAcls.ipRules[].value",
    "network_acls.virtual_network_subnet_ids": "networkAcls.virtualNetworkRules[].id",
    ...PUBLIC_ACCESS,
  },
  azurerm_key_vault_access_policy: {
    certificate_permissions: row("permissions.certificates", inAnyCase),
    key_permissions: row("permissions.keys", inAnyCase),
    secret_permissions: row("permissions.secrets", inAnyCase),
    storage_permissions: row("permissions.storage", inAnyCase),
  },
  azurerm_mssql_server: {
    ...same("version administrator_login"),
    minimum_tls_version: row("minimalTlsVersion", renamed({ none: "Disabled" })),
    outbound_network_restriction_enabled: row("restrictOutboundNetworkAccess", switched),
    "azuread_administrator.login_username": "administrators.login",
    "azuread_administrator.object_id": row("administrators.sid", anyCase),
    "azuread_administrator.azuread_authentication_only": "administrators.azureADOnlyAuthentication",
    transparent_data_encryption_key_vault_key_id: "keyId",
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_mssql_firewall_rule: FIREWALL_RULE,
  azurerm_mssql_database: {
    ...same("collation zone_redundant min_capacity"),
    ...words({ sku_name: "currentServiceObjectiveName | requestedServiceObjectiveName" }),
    license_type: row("licenseType", anyCase),
    auto_pause_delay_in_minutes: "autoPauseDelay",
    max_size_gb: row("maxSizeBytes", gigabytes),
    storage_account_type: row("requestedBackupStorageRedundancy", redundancy),
    read_scale: row("readScale", switched),
    read_replica_count: "highAvailabilityReplicaCount",
    elastic_pool_id: row("elasticPoolId", anyCase),
  },
  azurerm_mssql_elasticpool: {
    ...words({ "sku.name": "/sku.name", "sku.tier": "/sku.tier", license_type: "licenseType" }),
    "sku.capacity": "/sku.capacity",
    max_size_gb: row("maxSizeBytes", gigabytes),
    zone_redundant: "zoneRedundant",
    "per_database_settings.min_capacity": "perDatabaseSettings.minCapacity",
    "per_database_settings.max_capacity": "perDatabaseSettings.maxCapacity",
  },
  azurerm_mssql_managed_instance: {
    ...words({ license_type: "licenseType", proxy_override: "proxyOverride" }),
    minimum_tls_version: "minimalTlsVersion",
    public_data_endpoint_enabled: "publicDataEndpointEnabled",
    storage_account_type: row("requestedBackupStorageRedundancy", redundancy),
    storage_size_in_gb: "storageSizeInGB",
    vcores: "vCores",
    ...IDENTITY,
  },
  azurerm_postgresql_flexible_server: {
    ...FLEXIBLE_SERVER,
    storage_mb: row("storage.storageSizeGB", (live) => (typeof live === "number" ? live * 1024 : undefined)),
    storage_tier: row("storage.tier", anyCase),
    auto_grow_enabled: row("storage.autoGrow", switched),
    "authentication.password_auth_enabled": row("authConfig.passwordAuth", switched),
    "authentication.active_directory_auth_enabled": row("authConfig.activeDirectoryAuth", switched),
  },
  azurerm_postgresql_flexible_server_firewall_rule: FIREWALL_RULE,
  azurerm_mysql_flexible_server: {
    ...FLEXIBLE_SERVER,
    public_network_access: row("network.publicNetworkAccess", anyCase),
    "storage.size_gb": "storage.storageSizeGB",
    "storage.auto_grow_enabled": row("storage.autoGrow", switched),
  },
  azurerm_mysql_flexible_server_firewall_rule: FIREWALL_RULE,
  azurerm_redis_cache: {
    capacity: "sku.capacity",
    ...words({ family: "sku.family", sku_name: "sku.name" }),
    enable_non_ssl_port: "enableNonSslPort",
    non_ssl_port_enabled: "enableNonSslPort",
    minimum_tls_version: "minimumTlsVersion",
    ...same("shard_count replicas_per_master replicas_per_primary"),
    access_keys_authentication_enabled: row("disableAccessKeyAuthentication", opposite),
    "redis_configuration.authentication_enabled": row("redisConfiguration.authnotrequired", opposite),
    "redis_configuration.active_directory_authentication_enabled": row(
      "redisConfiguration.aad-enabled",
      switched,
    ),
    "redis_configuration.rdb_backup_enabled": row("redisConfiguration.rdb-backup-enabled", switched),
    "redis_configuration.aof_backup_enabled": row("redisConfiguration.aof-backup-enabled", switched),
    "redis_configuration.maxmemory_policy": "redisConfiguration.maxmemory-policy",
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_redis_firewall_rule: { start_ip: "startIP", end_ip: "endIP" },
  azurerm_cosmosdb_account: {
    kind: row("/kind", anyCase),
    free_tier_enabled: "enableFreeTier",
    automatic_failover_enabled: "enableAutomaticFailover",
    enable_automatic_failover: "enableAutomaticFailover",
    multiple_write_locations_enabled: "enableMultipleWriteLocations",
    enable_multiple_write_locations: "enableMultipleWriteLocations",
    analytical_storage_enabled: "enableAnalyticalStorage",
    minimal_tls_version: row("minimalTlsVersion", anyCase),
    is_virtual_network_filter_enabled: "isVirtualNetworkFilterEnabled",
    ip_range_filter: row("ipRules[].ipAddressOrRange", listOrText),
    virtual_network_rule: "virtualNetworkRules",
    network_acl_bypass_ids: "networkAclBypassResourceIds",
    network_acl_bypass_for_azure_services: row("networkAclBypass", isWord("AzureServices")),
    access_key_metadata_writes_enabled: row("disableKeyBasedMetadataWriteAccess", opposite),
    "consistency_policy.consistency_level": row("consistencyPolicy.defaultConsistencyLevel", anyCase),
    "backup.type": row("backupPolicy.type", anyCase),
    "backup.interval_in_minutes": "backupPolicy.periodicModeProperties.backupIntervalInMinutes",
    "backup.retention_in_hours": "backupPolicy.periodicModeProperties.backupRetentionIntervalInHours",
    "backup.storage_redundancy": row("backupPolicy.periodicModeProperties.backupStorageRedundancy", anyCase),
    ...LOCAL_AUTH,
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_mongo_cluster: {
    compute_tier: row("compute.tier", anyCase),
    storage_size_in_gb: "storage.sizeGb",
    shard_count: "sharding.shardCount",
    high_availability_mode: row("highAvailability.targetMode", anyCase),
    public_network_access: row("publicNetworkAccess", anyCase),
    version: "serverVersion",
  },
  azurerm_recovery_services_vault: {
    ...words({
      sku: "/sku.name",
      immutability: "securitySettings.immutabilitySettings.state",
      storage_mode_type: "redundancySettings.standardTierStorageRedundancy",
    }),
    soft_delete_enabled: row("securitySettings.softDeleteSettings.softDeleteState", isKept),
    cross_region_restore_enabled: row("redundancySettings.crossRegionRestore", switched),
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
};
