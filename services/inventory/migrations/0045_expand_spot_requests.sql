-- As before: states with spot requests are taken once more, for the instances that they have come to.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.canonical_type = 'aws_spot_instance_request'
 );
