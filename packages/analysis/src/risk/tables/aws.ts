import { AWS_SIGNS } from "./aws-signs.ts";
import { names, type AdminGrant, type CloudTable, type InboundRules } from "./table.ts";

const CLUSTER_ADMIN = ":cluster-access-policy/amazoneksclusteradminpolicy";

const OF_PULUMI = { protocol: "ipProtocol", ports: { from: "fromPort", to: "toPort" } };

/** The stateful types follow cfn-lint's `StatefulResources.json`, with additions from practice. */
export const AWS: CloudTable = {
  providers: ["aws"],
  holders: [
    // A plain-text parameter is configuration that the code contains.
    { types: ["aws_ssm_parameter"], attribute: "type", only: ["securestring"] },
    // Memcached is only a cache: its clients can reload everything.
    { types: ["aws_elasticache_cluster"], attribute: "engine", only: names("redis valkey") },
  ],
  besideStateful: names(`
    aws_s3_bucket_* aws_s3_account_public_access_block aws_s3_object aws_sqs_queue_policy aws_ecr_repository_policy
    aws_ecr_registry_policy aws_secretsmanager_secret_policy aws_kms_key_policy aws_efs_file_system_policy
    aws_opensearch_domain_policy aws_elasticsearch_domain_policy aws_backup_vault_policy aws_dynamodb_resource_policy
    aws_kinesis_resource_policy aws_ami_launch_permission aws_snapshot_create_volume_permission
    aws_ebs_snapshot_block_public_access aws_ec2_image_block_public_access aws_redshiftserverless_workgroup
    aws_s3_access_point aws_s3_object_copy aws_backup_plan aws_backup_vault_lock_configuration
  `),
  clusters: ["aws_eks_cluster"],
  nodePools: ["aws_eks_node_group"],
  revisions: names(`
    aws_ecs_task_definition aws_batch_job_definition aws_lambda_layer_version aws_launch_configuration
    aws_api_gateway_deployment
  `),
  networkPolicy: names(`
    aws_security_group aws_default_security_group aws_security_group_rule aws_vpc_security_group_ingress_rule
    aws_vpc_security_group_egress_rule aws_vpc_security_group_rules_exclusive aws_network_acl
    aws_default_network_acl aws_network_acl_rule aws_network_acl_association
    aws_network_interface_sg_attachment aws_db_security_group aws_redshift_security_group
    aws_elasticache_security_group aws_networkfirewall_* aws_wafv2_* aws_waf_* aws_wafregional_*
    aws_ec2_managed_prefix_list aws_ec2_managed_prefix_list_entry
    aws_lightsail_instance_public_ports
  `),
  iam: names(`
    aws_iam_* aws_ssoadmin_* aws_identitystore_* aws_organizations_policy aws_organizations_policy_attachment
    aws_lakeformation_permissions aws_kms_grant aws_kms_key_policy aws_lambda_permission
    aws_lambda_layer_version_permission aws_s3_bucket_policy aws_s3_access_point aws_s3control_access_point_policy
    aws_sqs_queue_policy aws_sns_topic_policy aws_ecr_repository_policy aws_ecr_registry_policy
    aws_secretsmanager_secret_policy aws_efs_file_system_policy aws_opensearch_domain_policy
    aws_elasticsearch_domain_policy aws_backup_vault_policy aws_dynamodb_resource_policy aws_kinesis_resource_policy
    aws_glue_resource_policy aws_cloudwatch_log_resource_policy aws_api_gateway_rest_api_policy aws_eks_access_*
    aws_*_resource_policy aws_*_permissions_policy aws_ram_* aws_ami_launch_permission
    aws_snapshot_create_volume_permission aws_organizations_delegated_administrator aws_lakeformation_data_lake_settings
    aws_eks_pod_identity_association aws_eks_identity_provider_config aws_rolesanywhere_* aws_s3control_access_grant*
    aws_s3control_*_policy aws_s3tables_*_policy aws_cognito_identity_pool_roles_attachment aws_cognito_user_in_group
    aws_vpc_endpoint_service_allowed_principal aws_redshift_*_authorization aws_cloudwatch_event_bus_policy
    aws_cloudwatch_event_permission aws_cloudwatch_log_destination_policy aws_transfer_user aws_transfer_ssh_key
    aws_transfer_access aws_msk_cluster_policy aws_ses_identity_policy aws_sesv2_email_identity_policy
    aws_vpclattice_auth_policy aws_servicecatalog_principal_portfolio_association aws_servicecatalog_portfolio_share
    aws_schemas_registry_policy aws_ecrpublic_repository_policy aws_sagemaker_model_package_group_policy
    aws_acmpca_policy aws_acmpca_permission aws_media_store_container_policy aws_oam_sink_policy
    aws_cloudsearch_domain_service_access_policy aws_verifiedpermissions_policy aws_grafana_role_association
    aws_s3vectors_*_policy aws_s3files_*_policy aws_dsql_cluster_policy aws_cloudwatch_log_delivery_destination_policy
    aws_db_instance_role_association aws_rds_cluster_role_association aws_redshift_cluster_iam_roles
    aws_opensearchserverless_*_policy aws_opensearch_authorize_vpc_endpoint_access aws_lakeformation_data_cells_filter
    aws_lakeformation_opt_in aws_emr_studio_session_mapping aws_network_interface_permission aws_vpc_endpoint_policy
    aws_ec2_client_vpn_authorization_rule aws_globalaccelerator_cross_account_attachment aws_api_gateway_authorizer
    aws_apigatewayv2_authorizer aws_cognito_identity_provider aws_signer_signing_profile_permission
    aws_directory_service_trust aws_directory_service_shared_directory aws_organizations_aws_service_access
    aws_*_organization_admin_account aws_cloudtrail_organization_delegated_admin_account aws_fms_admin_account
    aws_config_aggregate_authorization aws_grafana_workspace_saml_configuration aws_shield_drt_access_*
    aws_cloud9_environment_membership aws_iot_policy aws_iot_policy_attachment aws_iot_role_alias aws_iot_authorizer
    aws_datazone_policy_grant aws_quicksight_iam_policy_assignment aws_quicksight_group_membership
    aws_securitylake_subscriber aws_elasticache_user* aws_memorydb_user aws_memorydb_acl
  `),
  trafficPath: names(`
    aws_route aws_route_table aws_default_route_table aws_route_table_association aws_main_route_table_association
    aws_route53_record aws_lb_target_group aws_alb_target_group aws_lb_target_group_attachment
    aws_alb_target_group_attachment aws_lb_listener aws_alb_listener aws_lb_listener_rule aws_alb_listener_rule
    aws_vpc_peering_connection aws_vpc_peering_connection_* aws_vpn_* aws_customer_gateway aws_ec2_transit_gateway
    aws_ec2_transit_gateway_* aws_dx_* aws_vpc_endpoint aws_route53_resolver_* aws_service_discovery_*
    aws_sns_topic_subscription
  `),
  besidePath: [
    {
      types: names("aws_lb_listener aws_alb_listener"),
      attributes: names(`
        ssl_policy certificate_arn alpn_policy mutual_authentication* tcp_idle_timeout_seconds routing_http_*
      `),
    },
    {
      types: names("aws_lb_target_group aws_alb_target_group"),
      attributes: names("deregistration_delay slow_start connection_termination"),
    },
    { types: ["aws_route53_record"], attributes: names("ttl allow_overwrite") },
    { types: ["aws_vpc_endpoint"], attributes: ["security_group_ids"] },
    { types: ["aws_service_discovery_service"], attributes: ["dns_config.dns_records.ttl"] },
  ],
  audit: names(`
    aws_cloudtrail aws_cloudtrail_event_data_store aws_flow_log aws_guardduty_detector
    aws_config_configuration_recorder aws_config_configuration_recorder_status aws_config_delivery_channel
    aws_securityhub_account aws_inspector2_enabler aws_macie2_account aws_accessanalyzer_analyzer aws_detective_graph
    aws_s3_bucket_logging aws_route53_query_log aws_wafv2_web_acl_logging_configuration
  `),
  protectionSettings: names(`
    aws_s3_bucket_versioning aws_s3_bucket_object_lock_configuration aws_backup_vault_lock_configuration
    aws_backup_plan aws_backup_selection aws_dlm_lifecycle_policy aws_db_instance_automated_backups_replication
  `),
  publicAccessBlocks: names(`
    aws_s3_bucket_public_access_block aws_s3_account_public_access_block aws_ebs_snapshot_block_public_access
    aws_emr_block_public_access_configuration aws_vpc_block_public_access_options aws_ec2_image_block_public_access
  `),
  encryptionSettings: names(
    "aws_s3_bucket_server_side_encryption_configuration aws_ebs_encryption_by_default",
  ),
  capacity: names(`
    desired_capacity desired_count desired_size min_size max_size min_capacity max_capacity read_capacity
    write_capacity number_of_nodes num_cache_nodes num_cache_clusters num_node_groups replicas_per_node_group
    number_cache_clusters number_of_broker_nodes shard_count instance_count number_of_workers
    provisioned_concurrent_executions reserved_concurrent_executions num_shards num_replicas_per_shard
  `),
  ...AWS_SIGNS,
  inbound: [
    inbound("aws_security_group aws_default_security_group", "cidr_blocks ipv6_cidr_blocks", {
      blocks: ["ingress"],
    }),
    inbound("aws_security_group_rule", "cidr_blocks ipv6_cidr_blocks", { only: { type: ["ingress"] } }),
    inbound("aws_vpc_security_group_ingress_rule", "cidr_ipv4 cidr_ipv6", { protocol: "ip_protocol" }),
    // Names used by Cloud Control.
    inbound("aws_security_group", "cidr_ip cidr_ipv_6", {
      blocks: ["security_group_ingress"],
      protocol: "ip_protocol",
    }),
    inbound("aws_vpc_security_group_ingress_rule", "cidr_ip cidr_ipv_6", { protocol: "ip_protocol" }),
    // Names used by Pulumi's native provider.
    inbound("aws_security_group", "cidrIp cidrIpv6", { ...OF_PULUMI, blocks: ["securityGroupIngress"] }),
    inbound("aws_vpc_security_group_ingress_rule", "cidrIp cidrIpv6", OF_PULUMI),
    inbound("aws_network_acl aws_default_network_acl", "cidr_block ipv6_cidr_block", {
      blocks: ["ingress"],
      only: { action: ["allow"] },
    }),
    inbound("aws_lightsail_instance_public_ports", "cidrs ipv6_cidrs", { blocks: ["port_info"] }),
    inbound("aws_ec2_managed_prefix_list", "cidr", { blocks: ["entry"] }),
    inbound("aws_ec2_managed_prefix_list_entry", "cidr"),
    inbound("aws_network_acl_rule", "cidr_block ipv6_cidr_block", {
      only: { egress: ["false"], rule_action: ["allow"] },
    }),
  ],
  admin: [
    admin("aws_iam_policy_attachment aws_iam_*_policy_attachment", "policy_arn", {
      holders: names("role user group roles users groups"),
    }),
    admin("aws_iam_role aws_iam_user aws_iam_group", "managed_policy_arns"),
    admin("aws_iam_*_policy_attachments_exclusive", "policy_arns"),
    admin("aws_ssoadmin_managed_policy_attachment", "managed_policy_arn", {
      holders: ["permission_set_arn"],
    }),
    admin("aws_eks_access_policy_association", "policy_arn", {
      grants: [CLUSTER_ADMIN],
      holders: ["principal_arn"],
    }),
    admin("aws_eks_access_entry", "access_policies", { grants: [CLUSTER_ADMIN] }),
  ],
  fullRoles: [],
};

function inbound(types: string, sources: string, more: Partial<InboundRules> = {}): InboundRules {
  const ports = { from: "from_port", to: "to_port" };
  return {
    types: names(types),
    sources: names(sources),
    blocks: [],
    ports,
    protocol: "protocol",
    only: {},
    ...more,
  };
}

function admin(types: string, attribute: string, more: Partial<AdminGrant> = {}): AdminGrant {
  return {
    types: names(types),
    attribute,
    grants: [":policy/administratoraccess", ":policy/iamfullaccess"],
    holders: [],
    ...more,
  };
}
