import { GCP_SIGNS } from "./gcp-signs.ts";
import { GCP_SERVING } from "./serving.ts";
import { names, type CloudTable } from "./table.ts";

/** Who has one of them is an owner, or can make anybody one. */
export const OWNER_ROLES = names(`
  roles/owner roles/iam.securityAdmin roles/resourcemanager.projectIamAdmin roles/resourcemanager.folderIamAdmin
  roles/resourcemanager.organizationAdmin
`);
const PROJECT_IAM = names("google_project_iam_* google_folder_iam_* google_organization_iam_*");

export const GCP: CloudTable = {
  providers: ["google"],
  stateful: names(`
    google_sql_database_instance google_sql_database google_spanner_instance google_spanner_database
    google_bigtable_instance google_bigtable_table google_bigquery_dataset google_bigquery_table
    google_storage_bucket google_firestore_database google_datastore_* google_alloydb_cluster
    google_alloydb_instance google_redis_instance google_redis_cluster google_memcache_instance
    google_filestore_instance google_compute_disk google_compute_region_disk google_compute_snapshot
    google_compute_image google_pubsub_topic google_pubsub_subscription google_artifact_registry_repository
    google_container_cluster google_secret_manager_secret google_kms_key_ring google_kms_crypto_key
    google_dns_managed_zone google_backup_dr_backup_vault google_project
    google_dataproc_metastore_service google_composer_environment google_healthcare_dataset
    google_vmwareengine_private_cloud google_netapp_volume google_netapp_volume_snapshot google_netapp_backup
    google_memorystore_instance google_alloydb_backup google_filestore_backup google_filestore_snapshot
    google_compute_machine_image google_lustre_instance google_parallelstore_instance google_sourcerepo_repository
    google_healthcare_*_store google_vertex_ai_featurestore google_vertex_ai_index google_vertex_ai_dataset
    google_notebooks_instance google_workbench_instance google_firestore_document google_pubsub_lite_topic
    google_secret_manager_regional_secret google_managed_kafka_cluster google_managed_kafka_topic
    google_secure_source_manager_instance google_secure_source_manager_repository
    google_discovery_engine_data_store google_oracle_database_autonomous_database
    google_oracle_database_cloud_vm_cluster google_firebase_database_instance google_identity_platform_tenant
    google_looker_instance google_privateca_certificate_authority google_vertex_ai_featurestore_entitytype
    google_vertex_ai_tensorboard google_vertex_ai_metadata_store google_cloud_tasks_queue
    google_compute_instant_snapshot google_compute_region_instant_snapshot google_dataform_repository
    google_data_fusion_instance google_firebase_storage_bucket google_logging_*_bucket_config
    google_active_directory_domain google_netapp_backup_vault google_notebooks_runtime
    google_oracle_database_db_system google_oracle_database_exadb_vm_cluster
    google_oracle_database_exascale_db_storage_vault google_pubsub_lite_subscription
    google_spanner_instance_partition google_storage_folder google_storage_managed_folder
    google_vector_search_collection google_workstations_workstation google_vmwareengine_datastore
    google_vmwareengine_cluster google_apigee_organization google_apigee_environment_keyvaluemaps
    google_biglake_catalog google_biglake_database google_biglake_hive_catalog google_biglake_hive_database
    google_biglake_iceberg_catalog google_dialogflow_agent google_dialogflow_cx_agent
    google_container_aws_cluster google_container_azure_cluster google_edgecontainer_cluster
    google_gkeonprem_*_cluster google_parameter_manager_*parameter google_parameter_manager_*parameter_version
  `),
  besideStateful: names(`
    google_storage_bucket_* google_storage_default_object_* google_storage_object_* google_bigquery_dataset_access
    google_sql_user
  `),
  keyMaterial: names(`
    google_kms_key_ring google_kms_crypto_key google_kms_crypto_key_version google_secret_manager_secret
    google_secret_manager_regional_secret google_secret_manager_secret_version
    google_secret_manager_regional_secret_version google_privateca_certificate_authority
  `),
  containers: names(`
    google_project google_folder google_compute_network google_dns_managed_zone google_vmwareengine_network
  `),
  serving: GCP_SERVING,
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
    google_privileged_access_manager_entitlement
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
    { types: ["google_compute_router_nat"], attributes: names("log_config* *_timeout_sec") },
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
    max_instance_count num_nodes processing_units num_instances replica_count
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
      grants: OWNER_ROLES.map((role) => role.toLowerCase()),
      holders: names("member members"),
    },
  ],
  fullRoles: [],
};
