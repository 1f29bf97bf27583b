-- Azure's usual listings hold no resource groups: none is missing in an account that has never shown one.
update inventory.iac_resources
   set listed = false
 where cloud = 'azure'
   and canonical_type = 'azurerm_resource_group';

-- States of stacks, and those with access entries of EKS, with schedules, or with what the Cloud Control providers identify
-- otherwise than by an ARN, are taken once more at their next push, for what listings have of them.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and (
        i.canonical_type in ('aws_eks_access_entry', 'aws_scheduler_schedule')
        or i.type <> i.canonical_type and i.canonical_type in (
          'aws_db_proxy', 'aws_db_proxy_endpoint', 'aws_ecs_service', 'aws_eks_identity_provider_config',
          'aws_ssoadmin_permission_set'
        )
      )
 )
    or s.kind = 'cloudformation';
