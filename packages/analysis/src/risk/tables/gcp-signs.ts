import { names, sign, type CloudSigns } from "./table.ts";

const ANYWHERE = ["google_*"];
/** Types whose metadata controls who may log in to machines. */
const LOGINS = names(
  "google_compute_instance google_compute_instance_template google_compute_project_metadata",
);
/** Attributes with the service account of machines, containers and functions. */
const SERVICE_ACCOUNTS = names(`
  service_account.email service_account.scopes node_config.service_account node_config.oauth_scopes
  template.service_account template.template.service_account template.spec.service_account_name
  service_account_email service_config.service_account_email
`);

const DATABASE_FLAGS = {
  types: ["google_sql_database_instance"],
  blocks: ["settings", "database_flags"],
};

export const GCP_SIGNS: CloudSigns = {
  protections: [
    sign(
      ANYWHERE,
      names(`
        deletion_protection settings.deletion_protection_enabled deletion_protection_enabled
        enable_drop_protection versioning.enabled settings.backup_configuration.enabled
        settings.backup_configuration.point_in_time_recovery_enabled
        settings.backup_configuration.binary_log_enabled automated_backup_policy.enabled
      `),
      "off",
    ),
    sign(ANYWHERE, names("force_destroy delete_contents_on_destroy"), "on"),
    sign(ANYWHERE, names("soft_delete_policy.retention_duration_seconds"), "zero"),
    sign(["google_logging_project_bucket_config"], ["retention_days"], "sooner"),
    sign(["google_project"], ["deletion_policy"], { from: ["prevent"], to: ["delete"] }),
    sign(ANYWHERE, ["delete_protection_state"], ["delete_protection_disabled"]),
    sign(ANYWHERE, ["point_in_time_recovery_enablement"], ["point_in_time_recovery_disabled"]),
    sign(ANYWHERE, names("retention_policy.retention_period"), "emptied"),
  ],
  keyDisabling: [
    sign(["google_kms_crypto_key_version"], ["state"], names("DISABLED DESTROYED DESTROY_SCHEDULED")),
  ],
  disruptions: [
    sign(
      ["google_sql_database_instance"],
      names(`
        settings.tier settings.edition settings.disk_type settings.availability_type
        settings.ip_configuration.private_network encryption_key_name
      `),
      "changed",
    ),
    sign(["google_sql_database_instance"], ["database_version"], "changed"),
    sign(
      names("google_redis_instance google_redis_cluster google_memcache_instance"),
      names("tier memory_size_gb redis_version memcache_version node_type node_config.cpu_count"),
      "changed",
    ),
    sign(
      ["google_alloydb_instance"],
      names("machine_config.cpu_count machine_config.machine_type"),
      "changed",
    ),
    sign(["google_alloydb_cluster"], ["database_version"], "changed"),
    sign(["google_container_cluster"], ["min_master_version"], "major"),
  ],
  publicAccess: [
    sign(
      names("google_storage_bucket_acl google_storage_object_acl google_storage_default_object_acl"),
      ["predefined_acl"],
      names("publicRead publicReadWrite authenticatedRead"),
    ),
    sign(
      ["google_sql_database_instance"],
      ["settings.ip_configuration.authorized_networks.value"],
      "everybody",
    ),
    sign(
      ["google_container_cluster"],
      ["master_authorized_networks_config.cidr_blocks.cidr_block"],
      "everybody",
    ),
    sign(
      names("google_container_cluster google_container_node_pool"),
      names(`
        private_cluster_config.enable_private_endpoint private_cluster_config.enable_private_nodes
        network_config.enable_private_nodes
      `),
      "off",
    ),
    sign(["google_cloud_run_v2_service"], ["invoker_iam_disabled"], "on"),
  ],
  closures: [
    {
      types: ["google_container_cluster"],
      attributes: ["master_authorized_networks_config*"],
      by: "private_cluster_config.enable_private_endpoint",
      is: true,
    },
    {
      types: ["google_sql_database_instance"],
      attributes: ["settings.ip_configuration.authorized_networks.*"],
      by: "settings.ip_configuration.ipv4_enabled",
      is: false,
    },
  ],
  exposures: [
    {
      types: ["google_container_cluster"],
      attributes: ["master_authorized_networks_config"],
      when: "gone",
    },
    {
      types: names("google_compute_instance google_compute_instance_template"),
      attributes: ["network_interface.access_config"],
      when: "there",
    },
  ],
  access: [
    sign(["google_compute_project_metadata_item"], ["value"], "changed"),
    sign(LOGINS, ["metadata.ssh-keys"], "touched"),
    sign(LOGINS, names("metadata.enable-oslogin metadata.block-project-ssh-keys"), "off"),
    sign(LOGINS, ["metadata.serial-port-enable"], "on"),
    sign(
      names("google_compute_instance google_container_node_pool google_cloud*"),
      SERVICE_ACCOUNTS,
      "touched",
    ),
    sign(["google_storage_bucket"], ["uniform_bucket_level_access"], "off"),
    sign(["google_container_cluster"], ["enable_legacy_abac"], "on"),
    sign(["google_container_cluster"], ["workload_identity_config.workload_pool"], "emptied"),
    // Otherwise, every workload on a node gets the node's rights.
    sign(["google_container_node_pool"], ["node_config.workload_metadata_config.mode"], {
      from: ["GKE_METADATA"],
      to: ["GCE_METADATA"],
    }),
    sign(["google_container_cluster"], ["binary_authorization.evaluation_mode"], ["DISABLED"]),
    sign(["google_cloud_run_v2_*"], ["binary_authorization.use_default"], "off"),
    sign(
      ["google_sql_database_instance"],
      ["settings.password_validation_policy.enable_password_policy"],
      "off",
    ),
    // Receives every published message.
    sign(["google_pubsub_subscription"], ["push_config.push_endpoint"], "touched"),
    sign(["google_redis_instance"], ["auth_enabled"], "off"),
    sign(["google_compute_*backend_service"], ["iap.enabled"], "off"),
  ],
  reach: [
    // Callers still need the role.
    sign(["google_cloud_run_v2_service"], ["ingress"], {
      from: names("ingress_traffic_internal_only ingress_traffic_internal_load_balancer"),
      to: ["ingress_traffic_all"],
    }),
    sign(["google_cloud_run_service"], ["metadata.annotations.run.googleapis.com/ingress"], {
      from: names("internal internal-and-cloud-load-balancing"),
      to: ["all"],
    }),
    sign(
      names("google_cloudfunctions_function google_cloudfunctions2_function"),
      names("ingress_settings service_config.ingress_settings"),
      { from: names("allow_internal_only allow_internal_and_gclb"), to: ["allow_all"] },
    ),
    // Firewall rules select targets by tag.
    sign(
      names("google_compute_instance google_container_node_pool"),
      names("tags node_config.tags"),
      "touched",
    ),
    sign(["google_compute_*backend_*"], names("security_policy edge_security_policy"), "touched"),
    sign(
      ["google_sql_database_instance"],
      ["settings.ip_configuration.authorized_networks.value"],
      "touched",
    ),
    sign(["google_container_cluster"], ["master_authorized_networks_config.*"], "touched"),
    sign(["google_container_cluster"], ["network_policy.enabled"], "off"),
  ],
  encryption: [
    sign(["google_dns_managed_zone"], ["dnssec_config.state"], { leaves: ["on"] }),
    sign(ANYWHERE, names("settings.ip_configuration.require_ssl"), "off"),
    sign(["google_container_cluster"], ["database_encryption.state"], ["DECRYPTED"]),
    sign(
      ["google_sql_database_instance"],
      ["settings.ip_configuration.ssl_mode"],
      ["ALLOW_UNENCRYPTED_AND_ENCRYPTED"],
    ),
    sign(["google_compute_ssl_policy"], ["min_tls_version"], "older_tls"),
    // Without a policy, Google accepts every TLS version that it supports.
    sign(["google_compute_*target_*_proxy"], ["ssl_policy"], "emptied"),
    sign(
      ["google_alloydb_instance"],
      ["client_connection_config.ssl_config.ssl_mode"],
      ["ALLOW_UNENCRYPTED_AND_ENCRYPTED"],
    ),
    sign(["google_redis_instance"], ["transit_encryption_mode"], ["DISABLED"]),
    sign(
      ANYWHERE,
      names("encryption.default_kms_key_name default_encryption_configuration.kms_key_name kms_key_name"),
      "emptied",
    ),
  ],
  encryptionSwitches: [{ ...DATABASE_FLAGS, names: ["require_secure_transport"] }],
  auditSwitches: [
    {
      ...DATABASE_FLAGS,
      names: names(`
        log_connections log_disconnections log_statement pgaudit.log cloudsql.enable_pgaudit
        cloudsql_mysql_audit
      `),
    },
  ],
  auditing: [
    sign(["google_logging_*_sink"], ["disabled"], "on"),
    sign(["google_*_iam_audit_config"], ["audit_log_config.log_type"], "emptied"),
    sign(["google_*_iam_audit_config"], ["audit_log_config.exempted_members"], "touched"),
    sign(
      ANYWHERE,
      names("log_config.aggregation_interval logging.log_bucket logging_config.enable_components"),
      "emptied",
    ),
    sign(
      ANYWHERE,
      names("log_config.enable enable_logging log_config.enabled cloud_logging_config.enable_logging"),
      "off",
    ),
    sign(["google_container_cluster"], names("logging_service monitoring_service"), ["none"]),
    sign(["google_container_cluster"], ["security_posture_config.mode"], ["DISABLED"]),
  ],
};
