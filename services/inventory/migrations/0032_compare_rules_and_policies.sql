-- What attributes are of is kept for the types alone that can be compared: states with those that now can be, among them
-- the rules of buckets and the policies of repositories, are taken once more.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.canonical_type in (
        'aws_s3_bucket_lifecycle_configuration', 'aws_s3_bucket_cors_configuration',
        'aws_s3_bucket_website_configuration', 'aws_ecr_repository_policy', 'aws_ecr_lifecycle_policy',
        'aws_ecs_cluster', 'aws_eks_addon', 'aws_db_subnet_group', 'aws_elasticache_subnet_group', 'aws_glue_job',
        'aws_backup_vault_policy', 'aws_efs_file_system_policy', 'aws_efs_backup_policy', 'aws_apigatewayv2_stage',
        'aws_api_gateway_stage', 'aws_scheduler_schedule'
      )
 );
