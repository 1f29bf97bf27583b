-- What attributes are of is kept for the types alone that can be compared, and what is a part of what is read with it:
-- states of AWS and Azure are taken once more for those that now are.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id and i.source_id = s.id and i.cloud in ('aws', 'azure')
 );
