-- As before: states with what names the resource that it is a part of by a name alone are taken once more, for its region.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.region is null
      and i.canonical_type in (
        'aws_autoscaling_attachment', 'aws_backup_vault_policy', 'aws_ecr_lifecycle_policy',
        'aws_ecr_repository_policy', 'aws_opensearch_domain_policy'
      )
 );
