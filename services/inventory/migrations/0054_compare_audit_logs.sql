-- As before: states that say what Google logs of a service are taken once more at their next push, for the resource that they
-- say it of.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.cloud = 'gcp'
      and (i.type like '%\_iam\_audit\_config' or i.type ilike 'gcp:%iamauditconfig')
 );
