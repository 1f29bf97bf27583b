-- What attributes are of is kept for the types alone that can be compared: states of AWS are taken once more for those
-- that now can.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i where i.org_id = s.org_id and i.source_id = s.id and i.cloud = 'aws'
 );
