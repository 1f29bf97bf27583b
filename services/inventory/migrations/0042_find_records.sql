-- As before: states with what is compared from now on are taken once more, here records of hosted zones.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.canonical_type = 'aws_route53_record'
 );
