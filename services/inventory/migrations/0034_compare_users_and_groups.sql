-- As before: states with resources of types that can be compared from now on are taken once more, among them all that
-- declare what users and groups may do, and whose policies resources of their own declare.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.canonical_type in (
        'aws_iam_user', 'aws_iam_group', 'aws_iam_policy_attachment', 'aws_iam_user_group_membership',
        'aws_iam_group_membership', 'aws_iam_role_policies_exclusive', 'aws_iam_role_policy_attachments_exclusive',
        'aws_iam_user_policies_exclusive', 'aws_iam_user_policy_attachments_exclusive',
        'aws_iam_group_policies_exclusive', 'aws_iam_group_policy_attachments_exclusive',
        'aws_elasticache_parameter_group', 'aws_s3_account_public_access_block', 'aws_dynamodb_table',
        'aws_dynamodb_resource_policy', 'aws_api_gateway_rest_api_policy', 'aws_backup_vault', 'aws_efs_file_system',
        'aws_ecr_repository', 'aws_codebuild_project', 'aws_s3_bucket_notification', 'aws_eks_access_entry',
        'aws_eks_access_policy_association'
      )
 );
