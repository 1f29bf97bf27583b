-- Azure's usual listings hold no resource groups: none is missing in an account that has never shown one.
update inventory.iac_resources
   set listed = false
 where cloud = 'azure'
   and canonical_type = 'azurerm_resource_group';

-- States with access entries of EKS are taken once more at their next push, for the ARNs that listings have of them.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.canonical_type = 'aws_eks_access_entry'
 );
