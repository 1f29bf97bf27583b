import { names, sign, type CloudSigns } from "./table.ts";

const ANYWHERE = ["azurerm_*"];
const SERVERS = names(`
  azurerm_mssql_* azurerm_sql_* azurerm_postgresql_* azurerm_mysql_* azurerm_mariadb_* azurerm_cosmosdb_*
  azurerm_redis_* azurerm_mongo_cluster azurerm_kusto_cluster
`);

const PARAMETER = {
  types: names(`
    azurerm_postgresql_configuration azurerm_postgresql_flexible_server_configuration
    azurerm_mysql_configuration azurerm_mysql_flexible_server_configuration
  `),
  blocks: [],
};

/** Lists of allowed networks; an empty one allows everyone. */
const IP_RANGES = {
  types: names("azurerm_cosmosdb_account azurerm_kubernetes_cluster"),
  attributes: names(`
    ip_range_filter api_server_access_profile.authorized_ip_ranges api_server_authorized_ip_ranges
  `),
};

/** Default actions for traffic that no rule matches. */
const DEFAULT_ACTIONS = names(`
  network_rules.default_action network_acls.default_action network_rule_set.default_action
  network_rulesets.default_action
`);

export const AZURE_SIGNS: CloudSigns = {
  protections: [
    sign(
      ANYWHERE,
      names(`
        purge_protection_enabled soft_delete_enabled blob_properties.versioning_enabled
        blob_properties.point_in_time_restore_enabled geo_redundant_backup_enabled
        body.properties.enablePurgeProtection body.properties.enableSoftDelete
      `),
      "off",
    ),
    sign(ANYWHERE, names("backup_retention_days short_term_retention_policy.retention_days"), "zero"),
    sign(ANYWHERE, names("soft_delete_retention_days short_term_retention_policy.retention_days"), "lower"),
    sign(["azurerm_log_analytics_workspace"], ["retention_in_days"], "sooner"),
    sign(
      ANYWHERE,
      names(`
        blob_properties.delete_retention_policy.days blob_properties.container_delete_retention_policy.days
        blob_properties.restore_policy.days share_properties.retention_policy.days backup.type
      `),
      "emptied",
    ),
    sign(ANYWHERE, ["soft_delete"], "off"),
  ],
  keyDisabling: [sign(["azurerm_key_vault_*"], ["enabled"], "off")],
  disruptions: [
    sign(
      SERVERS,
      names(
        "sku_name sku tier family storage_profile.auto_grow storage_tier storage_account_type delegated_subnet_id",
      ),
      "changed",
    ),
    sign(SERVERS, names("version server_version redis_version mongo_server_version"), "major"),
    sign(["azurerm_kubernetes_cluster"], ["kubernetes_version"], "major"),
    sign(["azurerm_managed_disk"], names("storage_account_type disk_encryption_set_id"), "changed"),
  ],
  publicAccess: [
    // Only a key protects its port.
    sign(names("azurerm_redis_cache azurerm_managed_redis"), ["public_network_access_enabled"], {
      from: ["false"],
      to: ["true"],
    }),
    sign(ANYWHERE, names("anonymous_pull_enabled"), "on"),
    sign(["azurerm_storage_container"], ["body.properties.publicAccess"], names("blob container")),
    sign(["azurerm_storage_container"], ["container_access_type"], names("blob container")),
    sign(["azurerm_kubernetes_cluster"], IP_RANGES.attributes, "everybody"),
    sign(["azurerm_kubernetes_cluster"], IP_RANGES.attributes, "emptied"),
    sign(ANYWHERE, ["site_config.ip_restriction_default_action"], { from: ["deny"], to: ["allow"] }),
    sign(
      names("azurerm_kubernetes_cluster azurerm_kubernetes_cluster_node_pool"),
      names(`
        default_node_pool.node_public_ip_enabled default_node_pool.enable_node_public_ip node_public_ip_enabled
        enable_node_public_ip
      `),
      { from: ["false"], to: ["true"] },
    ),
    sign(["azurerm_container_app"], ["ingress.external_enabled"], { from: ["false"], to: ["true"] }),
  ],
  closures: [
    {
      types: ANYWHERE,
      attributes: [...DEFAULT_ACTIONS, "ip_range_filter", "is_virtual_network_filter_enabled"],
      by: "public_network_access_enabled",
      is: false,
    },
    {
      types: ["azurerm_kubernetes_cluster"],
      attributes: IP_RANGES.attributes,
      by: "private_cluster_enabled",
      is: true,
    },
  ],
  exposures: [
    {
      types: ["azurerm_network_interface"],
      attributes: ["ip_configuration.public_ip_address_id"],
      when: "there",
    },
    {
      types: ["azurerm_lb"],
      attributes: ["frontend_ip_configuration.public_ip_address_id"],
      when: "there",
    },
  ],
  access: [
    sign(["azurerm_key_vault"], names("access_policy access_policy.*"), "touched"),
    sign(ANYWHERE, names("identity.type identity.identity_ids"), "touched"),
    sign(
      ANYWHERE,
      names(`
        local_account_disabled local_authentication_disabled role_based_access_control_enabled
        rbac_authorization_enabled enable_rbac_authorization
        azure_active_directory_role_based_access_control.azure_rbac_enabled
        azuread_administrator.azuread_authentication_only disable_password_authentication
        client_certificate_enabled redis_configuration.authentication_enabled workload_identity_enabled
        azure_policy_enabled auth_settings.enabled auth_settings_v2.auth_enabled auth_settings_v2.require_authentication
      `),
      "off",
    ),
    sign(
      ANYWHERE,
      names(`
        shared_access_key_enabled local_authentication_enabled local_auth_enabled local_user_enabled sftp_enabled
        access_keys_authentication_enabled run_command_enabled
        shareable_link_enabled
      `),
      "on",
    ),
    sign(
      ANYWHERE,
      names(`
        azure_active_directory_role_based_access_control.admin_group_object_ids azuread_administrator.object_id
      `),
      "touched",
    ),
    sign(["azurerm_container_registry"], ["admin_enabled"], "on"),
    sign(["azurerm_postgresql_flexible_server"], ["authentication.password_auth_enabled"], "on"),
  ],
  reach: [
    sign(IP_RANGES.types, [...IP_RANGES.attributes, "virtual_network_rule*"], "touched"),
    sign(
      ANYWHERE,
      names(`
        network_rules.* network_acls.* network_rule_set.* network_rulesets.* *ip_restriction*
        *network_security_group_id *application_security_group_ids *ip_security_restriction.*
      `),
      "touched",
    ),
    sign(["azurerm_virtual_network"], ["subnet.security_group"], "touched"),
    sign(["azurerm_kubernetes_cluster"], ["network_profile.network_policy"], "emptied"),
    sign(
      names("azurerm_application_gateway azurerm_firewall azurerm_frontdoor"),
      names("*firewall_policy_id *firewall_policy_link_id waf_configuration.* threat_intel_mode"),
      "touched",
    ),
  ],
  encryption: [
    sign(
      ANYWHERE,
      names(`
        enable_https_traffic_only https_traffic_only_enabled ssl_enforcement_enabled https_only
        infrastructure_encryption_enabled transparent_data_encryption_enabled encryption_at_host_enabled
        encryption_settings.enabled transparent_data_encryption.state
      `),
      "off",
    ),
    sign(ANYWHERE, ["body.properties.supportsHttpsTrafficOnly"], "off"),
    sign(ANYWHERE, names("enable_non_ssl_port non_ssl_port_enabled"), "on"),
    sign(ANYWHERE, ["site_config.ftps_state"], { from: names("Disabled FtpsOnly"), to: ["AllAllowed"] }),
    sign(
      ANYWHERE,
      names(`
        min_tls_version minimum_tls_version minimal_tls_version ssl_minimal_tls_version_enforced site_config.minimum_tls_version
        site_config.min_tls_version site_config.scm_minimum_tls_version tls_min_version
        ssl_policy.min_protocol_version body.properties.minimumTlsVersion body.properties.minimalTlsVersion
      `),
      "older_tls",
    ),
    sign(
      ANYWHERE,
      names(`
        disk_encryption_set_id customer_managed_key.key_vault_key_id key_management_service.key_vault_key_id
      `),
      "emptied",
    ),
  ],
  encryptionSwitches: [{ ...PARAMETER, names: ["require_secure_transport"] }],
  auditSwitches: [
    {
      ...PARAMETER,
      names: names("log_connections log_disconnections log_statement pgaudit.log audit_log_enabled"),
    },
  ],
  auditing: [
    sign(["azurerm_network_watcher_flow_log"], ["enabled"], "off"),
    sign(
      ["azurerm_kubernetes_cluster"],
      names("oms_agent.log_analytics_workspace_id microsoft_defender.log_analytics_workspace_id"),
      "emptied",
    ),
    sign(
      ["azurerm_monitor_diagnostic_setting"],
      names("enabled_log.category enabled_log.category_group"),
      "emptied",
    ),
    sign(["azurerm_monitor_diagnostic_setting"], names("log.enabled metric.enabled"), "off"),
    sign(["azurerm_security_center_subscription_pricing"], ["tier"], ["free"]),
    sign(["azurerm_mssql_*_extended_auditing_policy"], ["enabled"], "off"),
  ],
};
