-- As before: states with what is compared from now on are taken once more, here records of hosted zones, and which table or
-- list the subnets of a network have.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.canonical_type in ('aws_route53_record', 'aws_route_table_association', 'aws_network_acl_association')
 );
