import type { MappingTable, Row, Shape } from "../mapping.ts";
import { mirrored } from "../mirrored.ts";
import { networkSecurityRules } from "../network-security-rules.ts";
import { unlessPart } from "../parts.ts";
import { anyCase, reference, row, same, sole, switched } from "../shapes.ts";

/** Azure leaves the case of its enumerations to chance. */
function words(rows: Record<string, string>): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).map(([name, live]) => [name, row(live, anyCase)]));
}

/** `Standard_LRS` is the tier and the replication. */
const replication: Shape = (live) => (typeof live === "string" ? live.split("_").at(-1) : undefined);

const PUBLIC_ACCESS = { public_network_access_enabled: row("publicNetworkAccess", switched) };
const SKU_NAME = words({ sku_name: "/sku.name" });
const DNS_SERVERS = "dhcpOptions.dnsServers";
const SIZE_GB = "storageProfile.osDisk.diskSizeGB";
const RULE = `priority direction access protocol source_port_range source_port_ranges destination_port_range
destination_port_ranges source_address_prefix source_address_prefixes destination_address_prefix
destination_address_prefixes description`;

const MACHINE: Readonly<Record<string, string | Row>> = {
  ...words({ size: "hardwareProfile.vmSize", license_type: "licenseType", priority: "priority" }),
  "os_disk.caching": row("storageProfile.osDisk.caching", anyCase),
  "os_disk.storage_account_type": "storageProfile.osDisk.managedDisk.storageAccountType",
  "os_disk.disk_size_gb": SIZE_GB,
  encryption_at_host_enabled: "securityProfile.encryptionAtHost",
  secure_boot_enabled: "securityProfile.uefiSettings.secureBootEnabled",
  vtpm_enabled: "securityProfile.uefiSettings.vTpmEnabled",
  network_interface_ids: "networkProfile.networkInterfaces[].id",
};

const SITE: Readonly<Record<string, string | Row>> = {
  ...same("https_only client_affinity_enabled enabled"),
  client_certificate_enabled: "clientCertEnabled",
  service_plan_id: row("serverFarmId", anyCase),
  virtual_network_subnet_id: row("virtualNetworkSubnetId", anyCase),
  ...PUBLIC_ACCESS,
};

/** Paths are below `properties`, as Resource Graph and Resource Manager write them; those with a slash are of the row. */
export const AZURE: MappingTable = {
  azurerm_resource_group: { managed_by: row("/managedBy", anyCase) },
  azurerm_storage_account: {
    ...words({ account_kind: "/kind", access_tier: "accessTier", account_tier: "/sku.tier" }),
    account_replication_type: row("/sku.name", replication),
    https_traffic_only_enabled: "supportsHttpsTrafficOnly",
    enable_https_traffic_only: "supportsHttpsTrafficOnly",
    min_tls_version: "minimumTlsVersion",
    allow_nested_items_to_be_public: "allowBlobPublicAccess",
    allow_blob_public_access: "allowBlobPublicAccess",
    shared_access_key_enabled: "allowSharedKeyAccess",
    cross_tenant_replication_enabled: "allowCrossTenantReplication",
    default_to_oauth_authentication: "defaultToOAuthAuthentication",
    is_hns_enabled: "isHnsEnabled",
    nfsv3_enabled: "isNfsV3Enabled",
    sftp_enabled: "isSftpEnabled",
    local_user_enabled: "isLocalUserEnabled",
    "network_rules.default_action": row("networkAcls.defaultAction", anyCase),
    "network_rules.ip_rules": "networkAcls.ipRules[].value",
    ...PUBLIC_ACCESS,
  },
  azurerm_key_vault: {
    ...words({ tenant_id: "tenantId", sku_name: "sku.name" }),
    enabled_for_deployment: "enabledForDeployment",
    enabled_for_disk_encryption: "enabledForDiskEncryption",
    enabled_for_template_deployment: "enabledForTemplateDeployment",
    purge_protection_enabled: "enablePurgeProtection",
    soft_delete_retention_days: "softDeleteRetentionInDays",
    enable_rbac_authorization: "enableRbacAuthorization",
    rbac_authorization_enabled: "enableRbacAuthorization",
    "network_acls.default_action": row("networkAcls.defaultAction", anyCase),
    "network_acls.bypass": row("networkAcls.bypass", anyCase),
    ...PUBLIC_ACCESS,
  },
  azurerm_linux_virtual_machine: {
    ...MACHINE,
    disable_password_authentication: "osProfile.linuxConfiguration.disablePasswordAuthentication",
  },
  azurerm_windows_virtual_machine: MACHINE,
  azurerm_virtual_machine: words({ vm_size: "hardwareProfile.vmSize", license_type: "licenseType" }),
  azurerm_managed_disk: {
    storage_account_type: "/sku.name",
    disk_size_gb: "diskSizeGB",
    disk_iops_read_write: "diskIOPSReadWrite",
    disk_mbps_read_write: "diskMBpsReadWrite",
    network_access_policy: row("networkAccessPolicy", anyCase),
    zone: row("/zones", sole(mirrored)),
    ...PUBLIC_ACCESS,
  },
  azurerm_network_security_group: { security_rule: row("securityRules", networkSecurityRules) },
  azurerm_network_security_rule: {
    ...words(same(RULE)),
    source_port_ranges: "sourcePortRanges",
    destination_port_ranges: "destinationPortRanges",
    source_address_prefixes: "sourceAddressPrefixes",
    destination_address_prefixes: "destinationAddressPrefixes",
  },
  azurerm_virtual_network: {
    address_space: "addressSpace.addressPrefixes",
    dns_servers: unlessPart("azurerm_virtual_network_dns_servers", row(DNS_SERVERS)),
    flow_timeout_in_minutes: "flowTimeoutInMinutes",
  },
  azurerm_virtual_network_dns_servers: { dns_servers: DNS_SERVERS },
  azurerm_subnet: {
    private_endpoint_network_policies: row("privateEndpointNetworkPolicies", anyCase),
    private_link_service_network_policies_enabled: row("privateLinkServiceNetworkPolicies", switched),
    default_outbound_access_enabled: "defaultOutboundAccess",
  },
  azurerm_public_ip: {
    ...words({
      allocation_method: "publicIPAllocationMethod",
      ip_version: "publicIPAddressVersion",
      sku: "/sku.name",
    }),
    idle_timeout_in_minutes: "idleTimeoutInMinutes",
    domain_name_label: "dnsSettings.domainNameLabel",
  },
  azurerm_network_interface: {
    dns_servers: "dnsSettings.dnsServers",
    enable_ip_forwarding: "enableIPForwarding",
    ip_forwarding_enabled: "enableIPForwarding",
    enable_accelerated_networking: "enableAcceleratedNetworking",
    accelerated_networking_enabled: "enableAcceleratedNetworking",
  },
  azurerm_route: {
    address_prefix: "addressPrefix",
    next_hop_type: row("nextHopType", anyCase),
    next_hop_in_ip_address: "nextHopIpAddress",
  },
  azurerm_lb: words({ sku: "/sku.name", sku_tier: "/sku.tier" }),
  azurerm_lb_rule: {
    ...same("frontend_port backend_port idle_timeout_in_minutes disable_outbound_snat"),
    ...words({ protocol: "protocol", load_distribution: "loadDistribution" }),
  },
  azurerm_kubernetes_cluster: {
    ...same("kubernetes_version dns_prefix node_resource_group"),
    ...words({ sku_tier: "/sku.tier" }),
    local_account_disabled: "disableLocalAccounts",
    role_based_access_control_enabled: "enableRBAC",
    private_cluster_enabled: "apiServerAccessProfile.enablePrivateCluster",
    "api_server_access_profile.authorized_ip_ranges": "apiServerAccessProfile.authorizedIPRanges",
    "network_profile.network_plugin": row("networkProfile.networkPlugin", anyCase),
    "network_profile.network_policy": row("networkProfile.networkPolicy", anyCase),
  },
  azurerm_container_registry: {
    ...words({ sku: "/sku.name" }),
    admin_enabled: "adminUserEnabled",
    anonymous_pull_enabled: "anonymousPullEnabled",
    data_endpoint_enabled: "dataEndpointEnabled",
    ...PUBLIC_ACCESS,
  },
  azurerm_mssql_server: {
    ...same("version administrator_login"),
    minimum_tls_version: "minimalTlsVersion",
    outbound_network_restriction_enabled: row("restrictOutboundNetworkAccess", switched),
    ...PUBLIC_ACCESS,
  },
  azurerm_mssql_database: {
    ...same("collation zone_redundant"),
    ...words({ sku_name: "currentServiceObjectiveName | requestedServiceObjectiveName" }),
    license_type: row("licenseType", anyCase),
    auto_pause_delay_in_minutes: "autoPauseDelay",
  },
  azurerm_postgresql_flexible_server: {
    version: "version",
    administrator_login: "administratorLogin",
    backup_retention_days: "backup.backupRetentionDays",
    geo_redundant_backup_enabled: row("backup.geoRedundantBackup", switched),
    storage_mb: row("storage.storageSizeGB", (live) => (typeof live === "number" ? live * 1024 : undefined)),
    "high_availability.mode": row("highAvailability.mode", anyCase),
  },
  azurerm_mysql_flexible_server: {
    administrator_login: "administratorLogin",
    backup_retention_days: "backup.backupRetentionDays",
    geo_redundant_backup_enabled: row("backup.geoRedundantBackup", switched),
    "storage.size_gb": "storage.storageSizeGB",
    "high_availability.mode": row("highAvailability.mode", anyCase),
    ...SKU_NAME,
  },
  azurerm_redis_cache: {
    capacity: "sku.capacity",
    ...words({ family: "sku.family", sku_name: "sku.name" }),
    enable_non_ssl_port: "enableNonSslPort",
    non_ssl_port_enabled: "enableNonSslPort",
    minimum_tls_version: "minimumTlsVersion",
    shard_count: "shardCount",
    ...PUBLIC_ACCESS,
  },
  azurerm_cosmosdb_account: {
    kind: row("/kind", anyCase),
    free_tier_enabled: "enableFreeTier",
    automatic_failover_enabled: "enableAutomaticFailover",
    enable_automatic_failover: "enableAutomaticFailover",
    multiple_write_locations_enabled: "enableMultipleWriteLocations",
    is_virtual_network_filter_enabled: "isVirtualNetworkFilterEnabled",
    local_authentication_disabled: "disableLocalAuth",
    "consistency_policy.consistency_level": row("consistencyPolicy.defaultConsistencyLevel", anyCase),
    ...PUBLIC_ACCESS,
  },
  azurerm_service_plan: {
    ...SKU_NAME,
    worker_count: "/sku.capacity",
    per_site_scaling_enabled: "perSiteScaling",
    zone_balancing_enabled: "zoneRedundant",
    maximum_elastic_worker_count: "maximumElasticWorkerCount",
  },
  azurerm_linux_web_app: SITE,
  azurerm_windows_web_app: SITE,
  azurerm_linux_function_app: SITE,
  azurerm_windows_function_app: SITE,
  azurerm_log_analytics_workspace: {
    retention_in_days: "retentionInDays",
    sku: row("sku.name", anyCase),
    daily_quota_gb: "workspaceCapping.dailyQuotaGb",
    internet_ingestion_enabled: row("publicNetworkAccessForIngestion", switched),
    internet_query_enabled: row("publicNetworkAccessForQuery", switched),
  },
  azurerm_application_insights: {
    retention_in_days: "RetentionInDays",
    application_type: row("Application_Type", anyCase),
    sampling_percentage: "SamplingPercentage",
    disable_ip_masking: "DisableIpMasking",
    workspace_id: row("WorkspaceResourceId", anyCase),
  },
  azurerm_servicebus_namespace: {
    sku: row("/sku.name", anyCase),
    capacity: "/sku.capacity",
    minimum_tls_version: "minimumTlsVersion",
    local_auth_enabled: row("disableLocalAuth", (live) => (typeof live === "boolean" ? !live : undefined)),
    ...PUBLIC_ACCESS,
  },
  azurerm_eventhub_namespace: {
    sku: row("/sku.name", anyCase),
    capacity: "/sku.capacity",
    minimum_tls_version: "minimumTlsVersion",
    auto_inflate_enabled: "isAutoInflateEnabled",
    maximum_throughput_units: "maximumThroughputUnits",
    ...PUBLIC_ACCESS,
  },
  azurerm_role_assignment: {
    principal_id: row("principalId", anyCase),
    role_definition_id: row("roleDefinitionId", reference),
    scope: row("scope", anyCase),
  },
};
