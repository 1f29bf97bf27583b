-- As before: states with what is lost otherwise than it was said to be, and with keys that hold what begins an expression
-- in HCL, are taken once more at their next push, for the level of what is missing and for addresses as plans have them.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and (
        i.address ~ '[$%][{]'
        or i.canonical_type in (
          'aws_cloudformation_stack_instances', 'aws_cloudformation_stack_set', 'aws_cloudformation_stack_set_instance',
          'aws_cloudhsm_v2_hsm', 'aws_dynamodb_global_secondary_index', 'aws_glue_catalog_table',
          'aws_kms_custom_key_store', 'aws_sagemaker_domain', 'aws_secretsmanager_secret_version',
          'azurerm_backup_protected_file_share', 'azurerm_backup_protected_vm', 'azurerm_eventhub_cluster',
          'azurerm_mssql_elasticpool', 'azurerm_netapp_pool', 'azurerm_sql_elasticpool', 'azurerm_virtual_wan',
          'azurerm_vmware_private_cloud', 'google_compute_storage_pool', 'google_netapp_storage_pool',
          'google_parameter_manager_parameter', 'google_parameter_manager_parameter_version',
          'google_parameter_manager_regional_parameter', 'google_parameter_manager_regional_parameter_version',
          'google_privateca_ca_pool', 'google_storage_bucket_object', 'kubernetes_secret', 'kubernetes_secret_v1'
        )
      )
 );
