import { AZURE_SIGNS } from "./azure-signs.ts";
import { names, type CloudTable, type InboundRules } from "./table.ts";

/** Ids of the built-in roles Owner and User Access Administrator, which can grant any role. */
const OWNERS = names("8e3af657-a8ff-443c-a75c-2fe8c4bcb635 18d7d88d-d35e-4fb5-a5c3-7773c20a72d9");
/** Ids of the roles Global Administrator and Privileged Role Administrator. */
const DIRECTORY_ADMINISTRATORS = names(
  "62e90394-69f5-4237-9190-012177145e10 e8611ab8-c189-46e8-94e1-60213ab1f814",
);

/** Exclusions that remove the rights to grant roles and to change one's own. */
const NOT_GIVING = {
  attributes: names("not_actions notActions"),
  rights: names(
    "microsoft.authorization/roleassignments/write microsoft.authorization/roledefinitions/write",
  ),
};

/** Attributes of a network security group rule in the API's naming. */
const RULE_OF_API = {
  sources: names("sourceAddressPrefix sourceAddressPrefixes"),
  ports: { ranges: names("destinationPortRange destinationPortRanges") },
  protocol: "protocol",
  only: { direction: ["inbound"], access: ["allow"] },
};

export const AZURE: CloudTable = {
  providers: names("azurerm azuread azapi azurestack"),
  holders: [],
  besideStateful: names(`
    azurerm_storage_account_* azurerm_storage_blob azurerm_storage_container_* azurerm_storage_management_policy
    azurerm_mssql_server_* azurerm_mssql_firewall_rule azurerm_sql_firewall_rule azurerm_postgresql_firewall_rule
    azurerm_postgresql_flexible_server_firewall_rule azurerm_mysql_firewall_rule
    azurerm_mysql_flexible_server_firewall_rule azurerm_mariadb_firewall_rule azurerm_redis_firewall_rule
    azurerm_servicebus_topic azurerm_servicebus_subscription azurerm_storage_management_policy
  `),
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
    azurerm_*_policy_exemption azuread_* azurerm_lighthouse_* azurerm_kusto_*_principal_assignment
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
    // All attributes except the DNS servers of its machines.
    {
      types: ["azurerm_virtual_network"],
      attributes: names(`
        address_space* subnet* flow_timeout_in_minutes ddos_protection_plan* encryption* bgp_community
        private_endpoint_vnet_policies ip_address_pool*
      `),
    },
    {
      types: ["azurerm_cdn_frontdoor_origin_group"],
      attributes: names("health_probe.interval_in_seconds load_balancing.* restore_traffic_time*"),
    },
    { types: ["azurerm_cdn_frontdoor_route"], attributes: ["cache.*"] },
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
    azurerm_management_lock
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
    // Names used by Resource Manager.
    {
      types: ["azurerm_network_security_group"],
      blocks: names("body properties securityRules properties"),
      ...RULE_OF_API,
    },
    { types: ["azurerm_network_security_rule"], blocks: names("body properties"), ...RULE_OF_API },
    // Names used by Pulumi's native provider.
    { types: ["azurerm_network_security_group"], blocks: ["securityRules"], ...RULE_OF_API },
    { types: ["azurerm_network_security_rule"], blocks: [], ...RULE_OF_API },
    ofFirewall("azurerm_firewall_network_rule_collection", "rule", "allow"),
    ofFirewall("azurerm_firewall_policy_rule_collection_group", "network_rule_collection rule", "allow"),
    ofFirewall("azurerm_firewall_nat_rule_collection", "rule", "dnat"),
    ofFirewall("azurerm_firewall_policy_rule_collection_group", "nat_rule_collection rule", "dnat"),
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
    // Names used by Resource Manager.
    {
      types: ["azurerm_role_definition"],
      blocks: names("body properties permissions"),
      all: ["actions"],
      but: NOT_GIVING,
    },
  ],
};

function ofFirewall(type: string, blocks: string, action: string): InboundRules {
  return {
    types: [type],
    blocks: names(blocks),
    sources: ["source_addresses"],
    ports: { ranges: ["destination_ports"] },
    protocol: "protocols",
    only: { action: [action] },
  };
}
