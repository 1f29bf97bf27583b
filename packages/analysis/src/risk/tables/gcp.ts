import { GCP_SIGNS } from "./gcp-signs.ts";
import { names, type CloudTable } from "./table.ts";

/** Roles whose holder is an owner, or can make anyone an owner. */
export const OWNER_ROLES = names(`
  roles/owner roles/iam.securityAdmin roles/resourcemanager.projectIamAdmin roles/resourcemanager.folderIamAdmin
  roles/resourcemanager.organizationAdmin
`);
/** Roles that, granted on a whole project, let their holder act as any of its service accounts. */
export const IMPERSONATING_ROLES = names(
  "roles/iam.serviceAccountTokenCreator roles/iam.serviceAccountKeyAdmin",
);
const PROJECT_IAM = names("google_project_iam_* google_folder_iam_* google_organization_iam_*");

export const GCP: CloudTable = {
  providers: ["google"],
  holders: [],
  besideStateful: names(`
    google_storage_bucket_* google_storage_default_object_* google_storage_object_* google_bigquery_dataset_access
    google_sql_user google_pubsub_topic google_pubsub_subscription google_compute_image*
  `),
  clusters: ["google_container_cluster"],
  nodePools: ["google_container_node_pool"],
  revisions: names(`
    google_compute_instance_template google_compute_region_instance_template google_secret_manager_secret_version
    google_secret_manager_regional_secret_version
  `),
  networkPolicy: names(`
    google_compute_firewall google_compute_firewall_policy google_compute_firewall_policy_*
    google_compute_network_firewall_policy google_compute_network_firewall_policy_*
    google_compute_region_network_firewall_policy google_compute_region_network_firewall_policy_*
    google_compute_security_policy google_compute_security_policy_rule google_compute_region_security_policy
    google_compute_region_security_policy_rule google_app_engine_firewall_rule
    google_access_context_manager_service_perimeter google_access_context_manager_access_level
  `),
  iam: names(`
    google_*_iam_member google_*_iam_binding google_*_iam_policy google_*_iam_custom_role google_*_iam_audit_config
    google_iam_* google_service_account google_service_account_key google_storage_*_acl
    google_storage_*_access_control google_bigquery_dataset_access google_organization_policy
    google_folder_organization_policy google_project_organization_policy google_org_policy_policy
    google_org_policy_custom_constraint google_project_default_service_accounts google_storage_hmac_key
    google_cloud_identity_group_membership google_os_login_ssh_public_key google_sql_user
    google_privileged_access_manager_entitlement google_firebaserules_*
  `),
  trafficPath: names(`
    google_compute_route google_dns_record_set google_compute_url_map google_compute_region_url_map
    google_compute_backend_service google_compute_region_backend_service google_compute_forwarding_rule
    google_compute_global_forwarding_rule google_compute_target_pool google_compute_network_peering
    google_compute_network_peering_routes_config google_compute_vpn_* google_compute_ha_vpn_gateway
    google_compute_external_vpn_gateway google_compute_router google_compute_router_*
    google_compute_interconnect_attachment google_service_networking_connection google_network_connectivity_*
  `),
  besidePath: [
    { types: ["google_dns_record_set"], attributes: ["ttl"] },
    {
      types: names("google_compute_backend_service google_compute_region_backend_service"),
      attributes: names(`
        timeout_sec connection_draining_timeout_sec log_config* compression_mode security_policy
        edge_security_policy
      `),
    },
    { types: ["google_compute_router_nat"], attributes: names("log_config* *_timeout_sec *_ports_per_vm") },
  ],
  audit: names(`
    google_logging_project_sink google_logging_folder_sink google_logging_organization_sink
    google_logging_billing_account_sink google_project_iam_audit_config google_folder_iam_audit_config
    google_organization_iam_audit_config google_scc_notification_config
  `),
  protectionSettings: names(`
    google_compute_disk_resource_policy_attachment google_compute_region_disk_resource_policy_attachment
    google_resource_manager_lien google_firestore_backup_schedule google_gke_backup_backup_plan
    google_backup_dr_backup_plan_association
  `),
  publicAccessBlocks: [],
  encryptionSettings: [],
  capacity: names(`
    target_size node_count initial_node_count min_node_count max_node_count total_min_node_count
    total_max_node_count min_replicas max_replicas min_instances max_instances min_instance_count
    max_instance_count num_nodes processing_units num_instances replica_count slot_capacity baseline_slots
  `),
  ...GCP_SIGNS,
  inbound: [
    {
      types: ["google_compute_firewall"],
      blocks: ["allow"],
      sources: ["source_ranges"],
      ports: { ranges: ["ports"] },
      protocol: "protocol",
      only: { direction: ["ingress"], disabled: ["false"] },
    },
    {
      types: names("google_compute_*firewall_policy_rule"),
      blocks: ["match", "layer4_configs"],
      sources: ["src_ip_ranges"],
      ports: { ranges: ["ports"] },
      protocol: "ip_protocol",
      only: { direction: ["ingress"], action: ["allow"], disabled: ["false"] },
    },
  ],
  admin: [
    {
      types: PROJECT_IAM,
      attribute: "role",
      grants: [...OWNER_ROLES, ...IMPERSONATING_ROLES].map((role) => role.toLowerCase()),
      holders: names("member members"),
    },
    {
      types: ["google_organization_iam_*"],
      attribute: "role",
      grants: ["roles/editor"],
      holders: names("member members"),
    },
  ],
  fullRoles: [],
};
