import { AWS_DATA_SIGNS } from "./aws-data-signs.ts";
import { names, sign, type CloudSigns } from "./table.ts";

const BUCKETS = names(
  "aws_s3_bucket aws_s3_bucket_acl aws_s3_object aws_s3_bucket_object aws_s3_object_copy",
);
/** Attributes with a resource's own policy. */
const POLICIES = names("policy resource_policy access_policy access_policies assume_role_policy");
const BUCKET_ALGORITHM = "rule.apply_server_side_encryption_by_default.sse_algorithm";
const PUBLIC_ACLS = names("public-read public-read-write authenticated-read");
const ANYWHERE = ["aws_*"];
const PARAMETERS = {
  types: names(`
    aws_db_parameter_group aws_rds_cluster_parameter_group aws_redshift_parameter_group
    aws_docdb_cluster_parameter_group aws_neptune_cluster_parameter_group
  `),
  blocks: ["parameter"],
};

export const AWS_SIGNS: CloudSigns = {
  ...AWS_DATA_SIGNS,
  publicAccess: [
    sign(BUCKETS, ["acl"], PUBLIC_ACLS),
    sign(
      BUCKETS,
      names("access_control_policy.grant.grantee.uri grant.uri"),
      names(`
        http://acs.amazonaws.com/groups/global/allusers http://acs.amazonaws.com/groups/global/authenticatedusers
      `),
    ),
    sign(ANYWHERE, ["publicly_accessible"], "on"),
    sign(["aws_eks_cluster"], ["vpc_config.endpoint_public_access"], "on"),
    sign(["aws_eks_cluster"], ["vpc_config.public_access_cidrs"], "everybody"),
    sign(["aws_eks_cluster"], ["vpc_config.public_access_cidrs"], "emptied"),
    sign(
      ["aws_msk_cluster"],
      ["broker_node_group_info.connectivity_info.public_access.type"],
      ["service_provided_eips"],
    ),
    sign(["aws_lambda_function_url"], ["authorization_type"], ["none"]),
    sign(["aws_codebuild_project"], ["project_visibility"], ["public_read"]),
    sign(["aws_neptunegraph_graph"], ["public_connectivity"], "on"),
    sign(["aws_mwaa_environment"], ["webserver_access_mode"], {
      from: ["private_only"],
      to: ["public_only"],
    }),
    sign(["aws_vpc_endpoint_service"], ["allowed_principals"], ["*"]),
    sign(["aws_vpc_endpoint_service_allowed_principal"], ["principal_arn"], ["*"]),
    sign(["aws_lightsail_bucket"], ["access_rules.get_object"], ["public"]),
    sign(["aws_ssm_document"], ["permissions.account_ids"], ["all"]),
    sign(names("aws_ami_launch_permission"), ["group"], ["all"]),
    sign(
      names("aws_db_snapshot aws_db_snapshot_copy aws_db_cluster_snapshot aws_rds_cluster_snapshot_copy"),
      ["shared_accounts"],
      ["all"],
    ),
    sign(["aws_subnet"], ["map_public_ip_on_launch"], { from: ["false"], to: ["true"] }),
    sign(["aws_api_gateway_method"], ["authorization"], {
      from: names("AWS_IAM CUSTOM COGNITO_USER_POOLS"),
      to: ["none"],
    }),
    sign(["aws_ecs_service"], ["network_configuration.assign_public_ip"], { from: ["false"], to: ["true"] }),
    sign(["aws_apigatewayv2_route"], ["authorization_type"], {
      from: names("AWS_IAM CUSTOM JWT"),
      to: ["none"],
    }),
  ],
  exposures: [],
  closures: [
    {
      types: ["aws_eks_cluster"],
      attributes: ["vpc_config.public_access_cidrs"],
      by: "vpc_config.endpoint_public_access",
      is: false,
    },
  ],
  access: [
    sign(ANYWHERE, POLICIES, "touched"),
    sign(names("aws_instance aws_launch_configuration"), ["iam_instance_profile"], "touched"),
    sign(["aws_ecs_task_definition"], names("task_role_arn execution_role_arn"), "touched"),
    sign(["aws_lambda_function"], ["role"], "touched"),
    sign(["aws_codebuild_project"], ["service_role"], "touched"),
    sign(
      names(
        "aws_sfn_state_machine aws_cloudwatch_event_rule aws_scheduler_schedule aws_glue_job aws_eks_addon",
      ),
      names("role_arn target.role_arn service_account_role_arn"),
      "touched",
    ),
    sign(["aws_elasticache_replication_group"], ["user_group_ids"], "touched"),
    sign(names("aws_db_proxy aws_redshift_cluster"), names("role_arn iam_roles"), "touched"),
    sign(
      names("aws_mwaa_environment aws_sagemaker_notebook_instance"),
      names("execution_role_arn role_arn root_access"),
      "touched",
    ),
    sign(names("aws_lb_listener aws_alb_listener"), ["mutual_authentication.mode"], { leaves: ["verify"] }),
    sign(["aws_cognito_identity_pool"], ["allow_unauthenticated_identities"], "on"),
    sign(["aws_cognito_user_pool"], ["admin_create_user_config.allow_admin_create_user_only"], "off"),
    sign(
      ["aws_cognito_*user_pool_client"],
      names("callback_urls explicit_auth_flows allowed_oauth_*"),
      "touched",
    ),
    sign(["aws_msk_cluster"], ["client_authentication.unauthenticated"], "on"),
    sign(
      names("aws_opensearch_domain aws_elasticsearch_domain"),
      ["advanced_security_options.enabled"],
      "off",
    ),
    // Destination of all data.
    sign(["aws_cloudwatch_log_subscription_filter"], ["destination_arn"], "changed"),
    sign(["aws_cloudwatch_event_target"], ["arn"], "changed"),
    sign(["aws_vpc_endpoint_service"], ["allowed_principals"], "touched"),
    sign(["aws_ecs_service"], ["enable_execute_command"], "on"),
    // Receives a copy of all data.
    sign(
      names("aws_s3_bucket aws_s3_bucket_replication_configuration"),
      names("*rule.destination.bucket *rules.destination.bucket role"),
      "touched",
    ),
    // Otherwise, a request forged through the machine obtains its credentials.
    sign(names("aws_instance aws_launch_template"), ["metadata_options.http_tokens"], {
      from: ["required"],
      to: ["optional"],
    }),
    sign(["aws_s3_bucket_ownership_controls"], ["rule.object_ownership"], {
      from: ["BucketOwnerEnforced"],
      to: names("BucketOwnerPreferred ObjectWriter"),
    }),
    sign(["aws_eks_cluster"], ["access_config.authentication_mode"], "changed"),
    sign(["aws_cognito_user_pool"], ["mfa_configuration"], ["off"]),
    sign(ANYWHERE, ["iam_database_authentication_enabled"], "off"),
  ],
  reach: [
    sign(ANYWHERE, names("*security_groups *security_group_ids"), "touched"),
    sign(["aws_cloudfront_distribution"], names("web_acl_id restrictions.geo_restriction.*"), "touched"),
    sign(["aws_api_gateway_stage"], ["web_acl_arn"], "touched"),
    sign(["aws_eks_cluster"], ["vpc_config.public_access_cidrs"], "touched"),
    sign(["aws_eks_cluster"], ["vpc_config.endpoint_public_access"], "on"),
  ],
  encryption: [
    sign(
      ANYWHERE,
      names(`
        storage_encrypted encrypted at_rest_encryption_enabled transit_encryption_enabled encrypt_at_rest.enabled
        node_to_node_encryption.enabled domain_endpoint_options.enforce_https server_side_encryption.enabled
        sqs_managed_sse_enabled tls_enabled encryption_info.encryption_in_transit.in_cluster
        root_block_device.encrypted ebs_block_device.encrypted require_tls
      `),
      "off",
    ),
    sign(["aws_ebs_encryption_by_default"], ["enabled"], "off"),
    sign(["aws_elasticache_replication_group"], ["transit_encryption_mode"], {
      from: ["required"],
      to: ["preferred"],
    }),
    sign(["aws_msk_cluster"], ["encryption_info.encryption_in_transit.client_broker"], {
      from: ["TLS"],
      to: names("TLS_PLAINTEXT PLAINTEXT"),
    }),
    sign(
      names("aws_sns_topic aws_sqs_queue aws_cloudwatch_log_group aws_kinesis_stream aws_cloudtrail"),
      names("kms_master_key_id kms_key_id"),
      "emptied",
    ),
    sign(["aws_s3_bucket"], [`server_side_encryption_configuration.${BUCKET_ALGORITHM}`], "emptied"),
    sign(
      ANYWHERE,
      names(`
        ssl_policy viewer_certificate.minimum_protocol_version domain_endpoint_options.tls_security_policy
        security_policy domain_name_configuration.security_policy
      `),
      "older_tls",
    ),
    sign(names("aws_lb_listener aws_alb_listener"), ["protocol"], names("HTTP TCP")),
    sign(
      ["aws_cloudfront_distribution"],
      names("default_cache_behavior.viewer_protocol_policy ordered_cache_behavior.viewer_protocol_policy"),
      ["allow-all"],
    ),
  ],
  encryptionSwitches: [
    {
      ...PARAMETERS,
      names: names("rds.force_ssl require_secure_transport require_ssl tls neptune_enforce_ssl"),
    },
  ],
  auditSwitches: [
    {
      ...PARAMETERS,
      names: names(`
        log_connections log_disconnections log_statement pgaudit.log server_audit_logging audit_logs
        enable_user_activity_logging neptune_enable_audit_log
      `),
    },
  ],
  auditing: [
    sign(["aws_cloudtrail"], ["s3_bucket_name"], "changed"),
    sign(
      ["aws_cloudtrail"],
      names(`
        enable_logging is_multi_region_trail include_global_service_events enable_log_file_validation
      `),
      "off",
    ),
    sign(["aws_cloudtrail"], ["event_selector.include_management_events"], "off"),
    sign(["aws_cloudtrail"], ["event_selector.read_write_type"], {
      from: ["All"],
      to: names("ReadOnly WriteOnly"),
    }),
    sign(["aws_guardduty_detector"], ["enable"], "off"),
    sign(["aws_config_configuration_recorder_status"], ["is_enabled"], "off"),
    sign(
      ANYWHERE,
      names("access_logs.enabled connection_logs.enabled log_publishing_options.enabled"),
      "off",
    ),
    sign(["aws_mq_broker"], names("logs.audit logs.general"), "off"),
    sign(["aws_sfn_state_machine"], ["logging_configuration.level"], ["OFF"]),
    sign(["aws_ecr_repository"], ["image_scanning_configuration.scan_on_push"], "off"),
    sign(["aws_s3_bucket_logging"], ["target_bucket"], "emptied"),
    sign(ANYWHERE, names("logging.target_bucket logging_config.bucket access_logs.bucket"), "emptied"),
    sign(ANYWHERE, names("enabled_cloudwatch_logs_exports enabled_cluster_log_types log_exports"), "fewer"),
  ],
};
