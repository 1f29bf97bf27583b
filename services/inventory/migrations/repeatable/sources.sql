-- Leases sources whose backend is due to be read: one of each organization, none of those in `busy`.
create or replace function inventory.lease_states(pause interval, most integer, busy uuid[])
returns table (org_id uuid, source_id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  with due as (
    select distinct on (s.org_id) s.org_id, s.id, s.next_read_at
      from inventory.iac_sources s
     where s.next_read_at <= now()
       and s.org_id <> all (busy)
     order by s.org_id, s.next_read_at
  ), longest as (
    select due.org_id, due.id from due order by due.next_read_at limit most
  )
  update inventory.iac_sources s
     set next_read_at = now() + pause * (0.9 + random() * 0.2)
    from longest
   where s.org_id = longest.org_id
     and s.id = longest.id
     and s.next_read_at <= now()
  returning s.org_id, s.id;
end
$$;

grant execute on function inventory.lease_states to leeway_inventory;
