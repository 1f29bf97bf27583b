-- As before: states with resources of types that can be compared from now on are taken once more.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.canonical_type in (
        'aws_db_parameter_group', 'aws_rds_cluster_parameter_group', 'aws_s3_bucket_replication_configuration',
        'azurerm_dns_caa_record', 'azurerm_dns_txt_record', 'azurerm_private_dns_txt_record'
      )
 );
