import { AZURE_SIGNS } from "./azure-signs.ts";
import { AZURE_SERVING } from "./serving.ts";
import { names, type CloudTable } from "./table.ts";

/** Of the built-in roles Owner and User Access Administrator, who can make anybody one. */
const OWNERS = names("8e3af657-a8ff-443c-a75c-2fe8c4bcb635 18d7d88d-d35e-4fb5-a5c3-7773c20a72d9");
/** Of Global Administrator and Privileged Role Administrator. */
const DIRECTORY_ADMINISTRATORS = names(
  "62e90394-69f5-4237-9190-012177145e10 e8611ab8-c189-46e8-94e1-60213ab1f814",
);

/** Without the rights to give roles, and to change what one's own may do. */
const NOT_GIVING = {
  attributes: names("not_actions notActions"),
  rights: names(
    "microsoft.authorization/roleassignments/write microsoft.authorization/roledefinitions/write",
  ),
};

/** A rule of a network security group, in the API's words. */
const RULE_OF_API = {
  sources: names("sourceAddressPrefix sourceAddressPrefixes"),
  ports: { ranges: names("destinationPortRange destinationPortRanges") },
  protocol: "protocol",
  only: { direction: ["inbound"], access: ["allow"] },
};

export const AZURE: CloudTable = {
  providers: names("azurerm azuread azapi azurestack"),
  stateful: names(`
    azurerm_mssql_server azurerm_mssql_database azurerm_mssql_managed_instance azurerm_mssql_managed_database
    azurerm_sql_server azurerm_sql_database azurerm_postgresql_server azurerm_postgresql_database
    azurerm_postgresql_flexible_server azurerm_postgresql_flexible_server_database azurerm_mysql_server
    azurerm_mysql_database azurerm_mysql_flexible_server azurerm_mysql_flexible_database
    azurerm_mysql_flexible_server_database azurerm_mariadb_server azurerm_mariadb_database azurerm_cosmosdb_account
    azurerm_cosmosdb_*_database azurerm_cosmosdb_*_container azurerm_cosmosdb_*_collection azurerm_cosmosdb_*_table
    azurerm_cosmosdb_table azurerm_cosmosdb_*_keyspace azurerm_cosmosdb_*_graph azurerm_cosmosdb_postgresql_cluster
    azurerm_mongo_cluster azurerm_storage_account azurerm_storage_container azurerm_storage_share
    azurerm_storage_table azurerm_storage_queue azurerm_storage_data_lake_gen2_filesystem azurerm_managed_disk
    azurerm_snapshot azurerm_image azurerm_netapp_volume azurerm_redis_cache azurerm_redis_enterprise_cluster
    azurerm_eventhub azurerm_eventhub_namespace azurerm_servicebus_namespace azurerm_servicebus_queue
    azurerm_servicebus_topic azurerm_key_vault azurerm_key_vault_key azurerm_key_vault_secret
    azurerm_key_vault_certificate azurerm_container_registry azurerm_recovery_services_vault
    azurerm_data_protection_backup_vault azurerm_log_analytics_workspace azurerm_search_service
    azurerm_synapse_workspace azurerm_kusto_cluster azurerm_kusto_database azurerm_databricks_workspace
    azurerm_dns_zone azurerm_private_dns_zone azurerm_resource_group azurerm_data_factory azurerm_sql_managed_instance azurerm_managed_redis
    azurerm_app_configuration azurerm_netapp_snapshot azurerm_elastic_san azurerm_elastic_san_volume
    azurerm_cosmosdb_cassandra_cluster azurerm_synapse_sql_pool azurerm_redis_enterprise_database
    azurerm_oracle_autonomous_database azurerm_monitor_workspace
    azurerm_key_vault_managed_hardware_security_module azurerm_shared_image_version
    azurerm_machine_learning_workspace azurerm_purview_account azurerm_iothub azurerm_digital_twins_instance
    azurerm_healthcare_fhir_service azurerm_healthcare_dicom_service azurerm_managed_lustre_file_system
    azurerm_backup_protected_vm azurerm_backup_protected_file_share azurerm_aadb2c_directory
    azurerm_vmware_private_cloud azurerm_virtual_machine_restore_point azurerm_confidential_ledger
    azurerm_virtual_machine_restore_point_collection azurerm_postgresql_flexible_server_backup
    azurerm_elastic_san_volume_group
    azurerm_healthcare_service azurerm_netapp_backup_vault azurerm_netapp_volume_group_*
    azurerm_log_analytics_workspace_table azurerm_log_analytics_workspace_table_custom_log
    azurerm_servicebus_subscription azurerm_sql_managed_database azurerm_oracle_autonomous_database_*
    azurerm_oracle_cloud_vm_cluster azurerm_oracle_exascale_database_storage_vault azurerm_qumulo_file_system
    azurerm_analysis_services_server azurerm_cosmosdb_cassandra_datacenter azurerm_hdinsight_*_cluster
    azurerm_healthcare_dicom azurerm_ai_foundry azurerm_ai_foundry_project azurerm_hpc_cache
    azurerm_log_analytics_cluster azurerm_log_analytics_workspace_table_microsoft
    azurerm_stack_hci_virtual_hard_disk
  `),
  besideStateful: names(`
    azurerm_storage_account_* azurerm_storage_blob azurerm_storage_container_* azurerm_storage_management_policy
    azurerm_mssql_server_* azurerm_mssql_firewall_rule azurerm_sql_firewall_rule azurerm_postgresql_firewall_rule
    azurerm_postgresql_flexible_server_firewall_rule azurerm_mysql_firewall_rule
    azurerm_mysql_flexible_server_firewall_rule azurerm_mariadb_firewall_rule azurerm_redis_firewall_rule
  `),
  keyMaterial: names(`
    azurerm_key_vault azurerm_key_vault_key azurerm_key_vault_secret azurerm_key_vault_certificate
    azurerm_key_vault_managed_hardware_security_module azurerm_key_vault_managed_hardware_security_module_key
    azurerm_dedicated_hardware_security_module
  `),
  containers: names(`
    azurerm_resource_group azurerm_subscription azurerm_management_group azurerm_virtual_network azurerm_virtual_wan
    azurerm_dns_zone azurerm_private_dns_zone
  `),
  serving: AZURE_SERVING,
  clusters: ["azurerm_kubernetes_cluster"],
  nodePools: ["azurerm_kubernetes_cluster_node_pool"],
  revisions: [],
  networkPolicy: names(`
    azurerm_network_security_group azurerm_network_security_rule azurerm_application_security_group
    azurerm_firewall_*rule_collection azurerm_firewall_*rule_collection_group azurerm_firewall_policy
    azurerm_firewall_policy_* azurerm_*_firewall_rule azurerm_mssql_virtual_network_rule
    azurerm_subnet_network_security_group_association azurerm_network_interface_security_group_association
    azurerm_storage_account_network_rules azurerm_web_application_firewall_policy
    azurerm_cdn_frontdoor_firewall_policy azurerm_frontdoor_firewall_policy
  `),
  iam: names(`
    azurerm_role_assignment azurerm_role_definition azurerm_pim_* azurerm_key_vault_access_policy
    azurerm_federated_identity_credential azurerm_cosmosdb_sql_role_* azurerm_policy_* azurerm_*_policy_assignment
    azurerm_*_policy_exemption azurerm_management_lock azuread_* azurerm_lighthouse_* azurerm_kusto_*_principal_assignment
    azurerm_kubernetes_cluster_trusted_access_role_binding azurerm_*_active_directory_administrator
    azurerm_sql_active_directory_administrator azurerm_cosmosdb_mongo_role_definition azurerm_cosmosdb_mongo_user_definition
    azurerm_*_aad_admin* azurerm_*_authorization_rule azurerm_storage_account_local_user azurerm_*_role_assignment
    azurerm_role_management_policy azurerm_redis_cache_access_policy* azurerm_mongo_cluster_user
    azurerm_cosmosdb_postgresql_role
  `),
  trafficPath: names(`
    azurerm_route azurerm_route_table azurerm_subnet_route_table_association azurerm_dns_*_record
    azurerm_private_dns_*_record azurerm_lb_* azurerm_virtual_network_peering azurerm_virtual_network_gateway
    azurerm_virtual_network_gateway_* azurerm_local_network_gateway azurerm_virtual_hub azurerm_virtual_hub_*
    azurerm_vpn_* azurerm_express_route_* azurerm_application_gateway azurerm_frontdoor azurerm_cdn_frontdoor_route
    azurerm_cdn_frontdoor_origin azurerm_cdn_frontdoor_origin_group azurerm_traffic_manager_*
    azurerm_private_endpoint azurerm_private_dns_zone_virtual_network_link
    azurerm_network_interface_backend_address_pool_association azurerm_virtual_network
    azurerm_virtual_network_dns_servers
  `),
  besidePath: [
    // All but whom its machines ask for names.
    {
      types: ["azurerm_virtual_network"],
      attributes: names(`
        address_space* subnet* flow_timeout_in_minutes ddos_protection_plan* encryption* bgp_community
        private_endpoint_vnet_policies ip_address_pool*
      `),
    },
    { types: names("azurerm_dns_*_record azurerm_private_dns_*_record"), attributes: ["ttl"] },
    {
      types: ["azurerm_lb_*"],
      attributes: names("idle_timeout_in_minutes enable_tcp_reset tcp_reset_enabled"),
    },
    {
      types: ["azurerm_application_gateway"],
      attributes: names(`
        sku* autoscale_configuration* ssl_policy* ssl_certificate* waf_configuration* *firewall_policy_id
      `),
    },
  ],
  audit: names(`
    azurerm_monitor_diagnostic_setting azurerm_monitor_aad_diagnostic_setting azurerm_monitor_log_profile
    azurerm_network_watcher_flow_log azurerm_mssql_server_extended_auditing_policy
    azurerm_mssql_database_extended_auditing_policy azurerm_security_center_subscription_pricing
    azurerm_security_center_contact azurerm_sentinel_log_analytics_workspace_onboarding
  `),
  protectionSettings: names(`
    azurerm_backup_protected_vm azurerm_backup_protected_file_share azurerm_data_protection_backup_instance_*
  `),
  publicAccessBlocks: ["azurerm_storage_account_network_rules"],
  encryptionSettings: names(`
    azurerm_storage_account_customer_managed_key azurerm_mssql_server_transparent_data_encryption
  `),
  capacity: names(`
    instances node_count min_count max_count min_replicas max_replicas worker_count capacity sku.capacity
    profile.capacity.default profile.capacity.minimum profile.capacity.maximum replica_count partition_count
    throughput_units maximum_throughput_units
  `),
  ...AZURE_SIGNS,
  inbound: [
    {
      types: ["azurerm_network_security_group"],
      blocks: ["security_rule"],
      sources: names("source_address_prefix source_address_prefixes"),
      ports: { ranges: names("destination_port_range destination_port_ranges") },
      protocol: "protocol",
      only: { direction: ["inbound"], access: ["allow"] },
    },
    {
      types: ["azurerm_network_security_rule"],
      blocks: [],
      sources: names("source_address_prefix source_address_prefixes"),
      ports: { ranges: names("destination_port_range destination_port_ranges") },
      protocol: "protocol",
      only: { direction: ["inbound"], access: ["allow"] },
    },
    // As Resource Manager has them.
    {
      types: ["azurerm_network_security_group"],
      blocks: names("body properties securityRules properties"),
      ...RULE_OF_API,
    },
    { types: ["azurerm_network_security_rule"], blocks: names("body properties"), ...RULE_OF_API },
    // As Pulumi's native provider has them.
    { types: ["azurerm_network_security_group"], blocks: ["securityRules"], ...RULE_OF_API },
    { types: ["azurerm_network_security_rule"], blocks: [], ...RULE_OF_API },
    {
      types: ["azurerm_firewall_network_rule_collection"],
      blocks: ["rule"],
      sources: ["source_addresses"],
      ports: { ranges: ["destination_ports"] },
      protocol: "protocols",
      only: { action: ["allow"] },
    },
    {
      types: ["azurerm_firewall_policy_rule_collection_group"],
      blocks: names("network_rule_collection rule"),
      sources: ["source_addresses"],
      ports: { ranges: ["destination_ports"] },
      protocol: "protocols",
      only: { action: ["allow"] },
    },
    {
      types: ["azurerm_*_firewall_rule"],
      blocks: [],
      sources: names("start_ip_address start_ip"),
      ends: names("end_ip_address end_ip"),
      ports: { ranges: [] },
      protocol: "protocol",
      only: {},
    },
  ],
  admin: [
    {
      types: ["azurerm_role_assignment"],
      attribute: "role_definition_name",
      grants: ["owner", "user access administrator"],
      holders: ["principal_id", "scope"],
    },
    {
      types: names(`
        azurerm_role_assignment azurerm_pim_active_role_assignment azurerm_pim_eligible_role_assignment
      `),
      attribute: "role_definition_id",
      grants: OWNERS,
      holders: ["principal_id", "scope"],
    },
    {
      types: ["azuread_directory_role_assignment"],
      attribute: "role_id",
      grants: DIRECTORY_ADMINISTRATORS,
      holders: ["principal_object_id"],
    },
  ],
  fullRoles: [
    {
      types: ["azurerm_role_definition"],
      blocks: ["permissions"],
      all: ["actions"],
      but: NOT_GIVING,
    },
    // As Resource Manager has them.
    {
      types: ["azurerm_role_definition"],
      blocks: names("body properties permissions"),
      all: ["actions"],
      but: NOT_GIVING,
    },
  ],
};
