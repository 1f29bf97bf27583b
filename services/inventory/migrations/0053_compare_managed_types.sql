-- As before: states with resources of types that can be compared from now on, or of which more is kept, are taken once more
-- at their next push.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and (
        i.type in (
          'aws_kms_replica_key', 'azurerm_ai_services', 'azurerm_function_app_flex_consumption',
          'azurerm_logic_app_standard'
        )
        or i.canonical_type in (
          'aws_api_gateway_domain_name', 'aws_apigatewayv2_domain_name', 'aws_backup_plan',
          'aws_backup_vault_lock_configuration', 'aws_cognito_user_pool_client', 'aws_dms_replication_instance',
          'aws_docdbelastic_cluster', 'aws_dsql_cluster', 'aws_ec2_managed_prefix_list',
          'aws_ec2_managed_prefix_list_entry', 'aws_eks_pod_identity_association',
          'aws_elasticache_serverless_cache', 'aws_mwaa_environment', 'aws_neptune_cluster_instance',
          'aws_neptunegraph_graph', 'aws_redshift_cluster_iam_roles', 'aws_redshift_parameter_group',
          'aws_redshiftserverless_namespace', 'aws_redshiftserverless_workgroup',
          'aws_s3_bucket_object_lock_configuration', 'aws_sagemaker_notebook_instance',
          'aws_timestreaminfluxdb_db_instance', 'azurerm_managed_redis', 'azurerm_monitor_action_group',
          'azurerm_policy_definition', 'azurerm_subscription_policy_assignment',
          'azurerm_virtual_machine_extension'
        )
      )
 );
