import { isObject, type Json } from "@leeway/shared/values/json";

import {
  always,
  IDENTITY,
  opposite,
  PUBLIC_ACCESS,
  scopeless,
  SKU_NAME,
  unlessNone,
  words,
} from "../../azure-shapes.ts";
import type { MappingTable, Row } from "../../mapping.ts";
import { mirrored, mirroredAzure } from "../../mirrored.ts";
import { anyCase, row, same, sole, switched } from "../../shapes.ts";
import { AZURE_ANALYTICS } from "./analytics.ts";
import { AZURE_APPS } from "./apps.ts";
import { CLUSTER_WATCH, DEFAULT_POOL, NODE_POOL, versionAsked } from "./aks.ts";
import { AZURE_DATA } from "./data.ts";
import { AZURE_NETWORK } from "./network.ts";
import { AZURE_PLATFORM } from "./platform.ts";
import { AZURE_WAN } from "./wan.ts";

type Rows = Readonly<Record<string, string | Row>>;

/** Returns rows shared by virtual machines and scale set profiles. */
function machine(profile = ""): Rows {
  const disk = `${profile}storageProfile.osDisk`;
  const security = `${profile}securityProfile`;
  return {
    "os_disk.caching": row(`${disk}.caching`, anyCase),
    "os_disk.storage_account_type": `${disk}.managedDisk.storageAccountType`,
    "os_disk.disk_size_gb": `${disk}.diskSizeGB`,
    encryption_at_host_enabled: `${security}.encryptionAtHost`,
    secure_boot_enabled: `${security}.uefiSettings.secureBootEnabled`,
    vtpm_enabled: `${security}.uefiSettings.vTpmEnabled`,
    ...IDENTITY,
  };
}

function patches(name: string): string {
  return ["linux", "windows"].map((os) => `osProfile.${os}Configuration.patchSettings.${name}`).join(" | ");
}

const MACHINE: Rows = {
  ...machine(),
  ...words({ size: "hardwareProfile.vmSize", priority: "priority" }),
  license_type: row("licenseType", unlessNone),
  network_interface_ids: "networkProfile.networkInterfaces[].id",
  allow_extension_operations: "osProfile.allowExtensionOperations",
  patch_mode: row(patches("patchMode"), anyCase),
  patch_assessment_mode: row(patches("assessmentMode"), anyCase),
  automatic_updates_enabled: "osProfile.windowsConfiguration.enableAutomaticUpdates",
  enable_automatic_updates: "osProfile.windowsConfiguration.enableAutomaticUpdates",
};

const PROFILE = "virtualMachineProfile.";
const SCALE_SET: Rows = {
  ...machine(PROFILE),
  ...words({ sku: "/sku.name", upgrade_mode: "upgradePolicy.mode", priority: `${PROFILE}priority` }),
  instances: "/sku.capacity",
  overprovision: "overprovision",
  extension_operations_enabled: `${PROFILE}osProfile.allowExtensionOperations`,
};
const NO_PASSWORD = "osProfile.linuxConfiguration.disablePasswordAuthentication";

const AUTHORIZED = always("apiServerAccessProfile.authorizedIPRanges", []);
const UPGRADES = row("autoUpgradeProfile.upgradeChannel", unlessNone);
const NODE_UPGRADES = row("autoUpgradeProfile.nodeOSUpgradeChannel", anyCase);

/**
 * Paths below `properties`, as Resource Graph and Resource Manager write them. A leading slash means the row itself.
 */
export const AZURE: MappingTable = {
  ...AZURE_ANALYTICS,
  ...AZURE_APPS,
  ...AZURE_DATA,
  ...AZURE_NETWORK,
  ...AZURE_PLATFORM,
  ...AZURE_WAN,
  azurerm_resource_group: { managed_by: row("/managedBy", anyCase) },
  azurerm_linux_virtual_machine: { ...MACHINE, disable_password_authentication: NO_PASSWORD },
  azurerm_windows_virtual_machine: MACHINE,
  azurerm_linux_virtual_machine_scale_set: {
    ...SCALE_SET,
    disable_password_authentication: `${PROFILE}${NO_PASSWORD}`,
  },
  azurerm_windows_virtual_machine_scale_set: SCALE_SET,
  azurerm_virtual_machine: {
    ...words({ vm_size: "hardwareProfile.vmSize" }),
    license_type: row("licenseType", unlessNone),
    ...IDENTITY,
  },
  azurerm_managed_disk: {
    storage_account_type: "/sku.name",
    disk_size_gb: "diskSizeGB",
    disk_iops_read_write: "diskIOPSReadWrite",
    disk_mbps_read_write: "diskMBpsReadWrite",
    ...same("tier max_shares"),
    on_demand_bursting_enabled: "burstingEnabled",
    network_access_policy: row("networkAccessPolicy", anyCase),
    disk_access_id: row("diskAccessId", anyCase),
    // A disk that uses Azure's own key states this and names no encryption set.
    disk_encryption_set_id: row("encryption", (encryption, declared) =>
      isObject(encryption) ? anyCase(encryption["diskEncryptionSetId"] ?? "", declared) : undefined,
    ),
    zone: row("/zones", sole(mirrored)),
    ...PUBLIC_ACCESS,
  },
  azurerm_orchestrated_virtual_machine_scale_set: {
    ...SKU_NAME,
    instances: "/sku.capacity",
    encryption_at_host_enabled: `${PROFILE}securityProfile.encryptionAtHost`,
    extension_operations_enabled: `${PROFILE}osProfile.allowExtensionOperations`,
  },
  azurerm_snapshot: {
    disk_size_gb: "diskSizeGB",
    network_access_policy: row("networkAccessPolicy", anyCase),
    disk_access_id: row("diskAccessId", anyCase),
    ...PUBLIC_ACCESS,
  },
  azurerm_disk_encryption_set: {
    ...words({ encryption_type: "encryptionType" }),
    auto_key_rotation_enabled: "rotationToLatestKeyVersionEnabled",
    ...IDENTITY,
  },
  azurerm_kubernetes_cluster: {
    kubernetes_version: row("kubernetesVersion", versionAsked),
    ...same("dns_prefix node_resource_group"),
    ...words({ sku_tier: "/sku.tier" }),
    local_account_disabled: "disableLocalAccounts",
    role_based_access_control_enabled: "enableRBAC",
    private_cluster_enabled: "apiServerAccessProfile.enablePrivateCluster",
    private_cluster_public_fqdn_enabled: "apiServerAccessProfile.enablePrivateClusterPublicFQDN",
    run_command_enabled: row("apiServerAccessProfile.disableRunCommand", opposite),
    "api_server_access_profile.authorized_ip_ranges": AUTHORIZED,
    api_server_authorized_ip_ranges: AUTHORIZED,
    "azure_active_directory_role_based_access_control.azure_rbac_enabled": "aadProfile.enableAzureRBAC",
    "azure_active_directory_role_based_access_control.admin_group_object_ids":
      "aadProfile.adminGroupObjectIDs",
    "network_profile.network_plugin": row("networkProfile.networkPlugin", anyCase),
    "network_profile.network_policy": row("networkProfile.networkPolicy", unlessNone),
    "network_profile.outbound_type": row("networkProfile.outboundType", anyCase),
    ...DEFAULT_POOL,
    automatic_upgrade_channel: UPGRADES,
    automatic_channel_upgrade: UPGRADES,
    node_os_upgrade_channel: NODE_UPGRADES,
    node_os_channel_upgrade: NODE_UPGRADES,
    oidc_issuer_enabled: "oidcIssuerProfile.enabled",
    workload_identity_enabled: "securityProfile.workloadIdentity.enabled",
    ...CLUSTER_WATCH,
    image_cleaner_enabled: "securityProfile.imageCleaner.enabled",
    "key_vault_secrets_provider.secret_rotation_enabled": row(
      "addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation",
      switched,
    ),
    azure_policy_enabled: "addonProfiles.azurepolicy.enabled | addonProfiles.azurePolicy.enabled",
    disk_encryption_set_id: row("diskEncryptionSetID", anyCase),
    ...IDENTITY,
  },
  azurerm_kubernetes_cluster_node_pool: NODE_POOL,
  azurerm_container_registry: {
    ...words({ sku: "/sku.name", network_rule_bypass_option: "networkRuleBypassOptions" }),
    admin_enabled: "adminUserEnabled",
    anonymous_pull_enabled: "anonymousPullEnabled",
    data_endpoint_enabled: "dataEndpointEnabled",
    zone_redundancy_enabled: row("zoneRedundancy", switched),
    export_policy_enabled: row("policies.exportPolicy.status", switched),
    quarantine_policy_enabled: row("policies.quarantinePolicy.status", switched),
    "network_rule_set.default_action": row("networkRuleSet.defaultAction", anyCase),
    "network_rule_set.ip_rule": row("networkRuleSet.ipRules", (rules, declared) =>
      Array.isArray(rules) ? mirroredAzure(rules.map(registryRule), declared) : undefined,
    ),
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_log_analytics_workspace: {
    retention_in_days: "retentionInDays",
    sku: row("sku.name", anyCase),
    daily_quota_gb: "workspaceCapping.dailyQuotaGb",
    reservation_capacity_in_gb_per_day: "sku.capacityReservationLevel",
    allow_resource_only_permissions: "features.enableLogAccessUsingOnlyResourcePermissions",
    local_authentication_enabled: row("features.disableLocalAuth", opposite),
    local_authentication_disabled: "features.disableLocalAuth",
    internet_ingestion_enabled: row("publicNetworkAccessForIngestion", switched),
    internet_query_enabled: row("publicNetworkAccessForQuery", switched),
  },
  azurerm_application_insights: {
    retention_in_days: "RetentionInDays",
    application_type: row("Application_Type", anyCase),
    sampling_percentage: "SamplingPercentage",
    disable_ip_masking: "DisableIpMasking",
    ip_masking_enabled: row("DisableIpMasking", opposite),
    local_authentication_disabled: "DisableLocalAuth",
    local_authentication_enabled: row("DisableLocalAuth", opposite),
    internet_ingestion_enabled: row("publicNetworkAccessForIngestion", switched),
    internet_query_enabled: row("publicNetworkAccessForQuery", switched),
    workspace_id: row("WorkspaceResourceId", anyCase),
  },
  azurerm_role_assignment: {
    ...same("description condition condition_version"),
    principal_id: row("principalId", anyCase),
    role_definition_id: row("roleDefinitionId", scopeless),
    scope: row("scope", anyCase),
  },
  azurerm_role_definition: {
    ...same("description permissions assignable_scopes"),
    name: "roleName",
  },
};

/** Converts a registry's rule. For a single address, the API omits the `/32` that the provider writes. */
function registryRule(rule: Json): Json {
  if (!isObject(rule) || typeof rule["value"] !== "string") return rule;
  const { value, action = null } = rule;
  return { action, ip_range: value.includes("/") ? value : `${value}/32` };
}
