import type { Defaults } from "./defaults.ts";

const HEALTH_CHECK = { check_interval_sec: 5, healthy_threshold: 2, timeout_sec: 5, unhealthy_threshold: 2 };

/** Defaults documented for the provider hashicorp/google, except those that open access. */
export const GCP_DEFAULTS: Defaults = {
  google_bigquery_dataset: { delete_contents_on_destroy: false },
  google_bigquery_table: { deletion_protection: true },
  google_cloud_run_service: { autogenerate_revision_name: false },
  google_cloudfunctions_function: { available_memory_mb: 256, timeout: 60 },
  google_compute_backend_service: {
    connection_draining_timeout_sec: 300,
    load_balancing_scheme: "EXTERNAL",
    "backend.*.balancing_mode": "UTILIZATION",
    "backend.*.capacity_scaler": 1,
  },
  google_compute_disk: { type: "pd-standard" },
  google_compute_firewall: { disabled: false, priority: 1000 },
  google_compute_health_check: HEALTH_CHECK,
  google_compute_http_health_check: { ...HEALTH_CHECK, port: 80, request_path: "/" },
  google_compute_instance: {
    can_ip_forward: false,
    deletion_protection: false,
    enable_display: false,
    "attached_disk.*.mode": "READ_WRITE",
    "boot_disk.*.auto_delete": true,
    "boot_disk.*.mode": "READ_WRITE",
    "scheduling.*.automatic_restart": true,
  },
  google_compute_network: { auto_create_subnetworks: true, delete_default_routes_on_create: false },
  google_compute_region_health_check: HEALTH_CHECK,
  google_compute_router: { "bgp.*.advertise_mode": "DEFAULT", "bgp.*.keepalive_interval": 20 },
  google_container_cluster: {
    deletion_protection: true,
    enable_kubernetes_alpha: false,
    enable_legacy_abac: false,
    enable_shielded_nodes: true,
    enable_tpu: false,
  },
  google_dns_managed_zone: {
    description: "Managed by Terraform",
    force_destroy: false,
    visibility: "public",
  },
  google_kms_crypto_key: { purpose: "ENCRYPT_DECRYPT" },
  google_project: { auto_create_network: true },
  google_pubsub_subscription: { message_retention_duration: "604800s", retain_acked_messages: false },
  google_service_account: { disabled: false },
  google_sql_database_instance: {
    deletion_protection: true,
    "settings.*.activation_policy": "ALWAYS",
    "settings.*.availability_type": "ZONAL",
    "settings.*.disk_autoresize": true,
    "settings.*.disk_autoresize_limit": 0,
    "settings.*.disk_type": "PD_SSD",
    "settings.*.pricing_plan": "PER_USE",
  },
  google_storage_bucket: {
    default_event_based_hold: false,
    force_destroy: false,
    requester_pays: false,
    storage_class: "STANDARD",
  },
};
