-- Leases notices that are due, oldest first.
create or replace function inventory.lease_notices(seconds integer, most integer)
returns table (org_id uuid, id uuid)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update inventory.notices n
     set next_attempt_at = now() + make_interval(secs => seconds)
   where (n.org_id, n.id) in (
     select due.org_id, due.id
       from inventory.notices due
      where due.next_attempt_at <= now()
      order by due.next_attempt_at
      limit most
        for update skip locked
   )
  returning n.org_id, n.id
$$;

grant execute on function inventory.lease_notices to leeway_inventory;
