/**
 * Lists and blocks that Google's APIs omit if they are empty, by type.
 * If an answer that isn't a summary lacks one, it was removed.
 */
export const REMOVED_BLOCKS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    google_compute_backend_service: "backend custom_request_headers custom_response_headers",
    google_compute_instance: "guest_accelerator",
    google_compute_instance_group: "named_port",
    google_compute_instance_group_manager: "auto_healing_policies named_port target_pools",
    google_compute_region_backend_service: "backend",
    google_compute_region_instance_group_manager: "auto_healing_policies named_port target_pools",
    google_compute_region_target_https_proxy: "ssl_certificates",
    google_compute_region_url_map: "host_rule path_matcher",
    google_compute_router: "bgp",
    google_compute_target_https_proxy: "ssl_certificates",
    google_compute_target_pool: "health_checks",
    google_compute_url_map: "host_rule path_matcher",
    google_dns_managed_zone: "forwarding_config peering_config",
    google_logging_billing_account_sink: "exclusions",
    google_logging_folder_sink: "exclusions",
    google_logging_organization_sink: "exclusions",
    google_logging_project_sink: "exclusions",
    google_monitoring_alert_policy: "notification_channels",
    google_pubsub_subscription: "bigquery_config cloud_storage_config dead_letter_policy retry_policy",
    google_pubsub_topic: "schema_settings",
    google_secret_manager_secret: "rotation topics",
    google_storage_bucket: "cors",
  }).map(([type, names]) => [type, new Set(names.split(" "))]),
);
