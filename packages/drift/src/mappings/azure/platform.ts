import {
  always,
  IDENTITY,
  inAnyCase,
  LOCAL_AUTH,
  opposite,
  PUBLIC_ACCESS,
  SKU_NAME,
  words,
  countedSku,
} from "../../azure-shapes.ts";
import type { MappingTable, Row, Shape } from "../../mapping.ts";
import { isNothing } from "../../mirrored.ts";
import { anyCase, document, isWord, row, same, switched } from "../../shapes.ts";

/** Rows of a type without settings; only its tags are compared. */
const NAMED = {};

const MESSAGES: Readonly<Record<string, string | Row>> = {
  aad_auth_enabled: row("disableAadAuth", opposite),
  tls_client_cert_enabled: "tls.clientCertEnabled",
  ...LOCAL_AUTH,
  ...PUBLIC_ACCESS,
  ...IDENTITY,
};
const DELETED = "securitySettings.softDeleteSettings.";

/** Compares documents; a missing one equals an empty one. */
const anyDocument: Shape = (live, declared) =>
  isNothing(live) && isNothing(declared) ? declared : document(live, declared);

const POLICY_ASSIGNMENT: Readonly<Record<string, Row | string>> = {
  ...same("display_name description"),
  enforce: row("enforcementMode", isWord("Default")),
  not_scopes: always("notScopes", [], inAnyCase),
  parameters: row("parameters", anyDocument),
  policy_definition_id: row("policyDefinitionId", anyCase),
  ...IDENTITY,
};

/** Azure types for monitoring, protection and operations; see `AZURE`. */
export const AZURE_PLATFORM: MappingTable = {
  azurerm_user_assigned_identity: NAMED,
  azurerm_portal_dashboard: NAMED,
  azurerm_proximity_placement_group: NAMED,
  azurerm_shared_image_gallery: same("description"),
  azurerm_availability_set: same("platform_fault_domain_count platform_update_domain_count"),
  azurerm_monitor_action_group: {
    ...same("enabled"),
    short_name: "groupShortName",
    email_receiver: "emailReceivers",
    sms_receiver: "smsReceivers",
  },
  azurerm_monitor_activity_log_alert: {
    ...same("enabled description"),
    scopes: row("scopes", inAnyCase),
  },
  azurerm_monitor_metric_alert: {
    ...same("enabled severity description window_size"),
    auto_mitigate: "autoMitigate",
    frequency: "evaluationFrequency",
    scopes: row("scopes", inAnyCase),
  },
  azurerm_monitor_scheduled_query_rules_alert_v2: {
    ...same("enabled severity description evaluation_frequency skip_query_validation"),
    auto_mitigation_enabled: "autoMitigate",
    window_duration: "windowSize",
    scopes: row("scopes", inAnyCase),
  },
  azurerm_monitor_autoscale_setting: {
    ...same("enabled"),
    ...words({ target_resource_id: "targetResourceUri" }),
  },
  azurerm_monitor_data_collection_endpoint: {
    public_network_access_enabled: row("networkAcls.publicNetworkAccess", switched),
  },
  azurerm_log_analytics_cluster: { size_gb: "/sku.capacity", ...IDENTITY },
  azurerm_dashboard_grafana: {
    api_key_enabled: row("apiKey", switched),
    zone_redundancy_enabled: row("zoneRedundancy", switched),
    deterministic_outbound_ip_enabled: row("deterministicOutboundIP", switched),
    grafana_major_version: "grafanaMajorVersion",
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_data_protection_backup_vault: {
    ...words({ soft_delete: `${DELETED}state`, immutability: "securitySettings.immutabilitySettings.state" }),
    retention_duration_in_days: `${DELETED}retentionDurationInDays`,
    ...IDENTITY,
  },
  azurerm_key_vault_managed_hardware_security_module: {
    purge_protection_enabled: "enablePurgeProtection",
    soft_delete_retention_days: "softDeleteRetentionInDays",
    ...PUBLIC_ACCESS,
  },
  azurerm_purview_account: {
    public_network_enabled: row("publicNetworkAccess", switched),
    ...IDENTITY,
  },
  azurerm_policy_definition: {
    ...same("display_name description mode"),
    policy_rule: row("policyRule", document),
    parameters: row("parameters", anyDocument),
  },
  azurerm_subscription_policy_assignment: POLICY_ASSIGNMENT,
  azurerm_resource_group_policy_assignment: POLICY_ASSIGNMENT,
  azurerm_resource_policy_assignment: POLICY_ASSIGNMENT,
  azurerm_managed_redis: {
    ...SKU_NAME,
    high_availability_enabled: row("highAvailability", switched),
    public_network_access: row("publicNetworkAccess", anyCase),
    ...IDENTITY,
  },
  azurerm_redis_enterprise_cluster: {
    ...same("minimum_tls_version"),
    sku_name: row("/sku", countedSku),
  },
  azurerm_eventhub_cluster: { sku_name: row("/sku", countedSku) },
  azurerm_virtual_machine_extension: {
    ...same("type_handler_version auto_upgrade_minor_version"),
    automatic_upgrade_enabled: "enableAutomaticUpgrade",
    settings: row("settings", anyDocument),
  },
  azurerm_signalr_service: {
    ...words({ "sku.name": "/sku.name" }),
    "sku.capacity": "/sku.capacity",
    ...MESSAGES,
  },
  azurerm_web_pubsub: { ...words({ sku: "/sku.name" }), capacity: "/sku.capacity", ...MESSAGES },
  azurerm_maps_account: { ...SKU_NAME, ...LOCAL_AUTH },
  azurerm_relay_namespace: SKU_NAME,
  azurerm_notification_hub_namespace: { ...same("enabled"), ...SKU_NAME },
  azurerm_batch_account: {
    ...words({ pool_allocation_mode: "poolAllocationMode" }),
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_automation_runbook: {
    ...words({ runbook_type: "runbookType" }),
    ...same("log_verbose log_progress description"),
  },
  azurerm_logic_app_workflow: { enabled: row("state", isWord("Enabled")), ...IDENTITY },
  azurerm_static_web_app: {
    ...words({ sku_tier: "/sku.tier", sku_size: "/sku.name" }),
    preview_environments_enabled: row("stagingEnvironmentPolicy", switched),
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_app_service_environment_v3: {
    ...words({ internal_load_balancing_mode: "internalLoadBalancingMode" }),
    zone_redundant: "zoneRedundant",
  },
  azurerm_container_app_environment: {
    internal_load_balancer_enabled: "vnetConfiguration.internal",
    zone_redundancy_enabled: "zoneRedundant",
    mutual_tls_enabled: "peerAuthentication.mtls.enabled",
  },
  azurerm_container_group: words({
    os_type: "osType",
    restart_policy: "restartPolicy",
    ip_address_type: "ipAddress.type",
  }),
  azurerm_synapse_sql_pool: SKU_NAME,
  azurerm_synapse_spark_pool: {
    ...words({ node_size: "nodeSize", node_size_family: "nodeSizeFamily" }),
    ...same("spark_version auto_scale.min_node_count auto_scale.max_node_count"),
  },
  azurerm_virtual_desktop_host_pool: {
    ...words({ load_balancer_type: "loadBalancerType" }),
    ...same("friendly_name description"),
    maximum_sessions_allowed: "maxSessionLimit",
    start_vm_on_connect: "startVMOnConnect",
    validate_environment: "validationEnvironment",
    custom_rdp_properties: "customRdpProperty",
  },
};
