-- Leases sources whose backend is due to be read: one of each organization, none of those in `busy`.
create or replace function inventory.lease_states(pause interval, most integer, busy uuid[])
returns table (org_id uuid, source_id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  due record;
begin
  for due in
    select longest.org_id, longest.id, now() + pause * (0.9 + random() * 0.2) as again
      from (
        select distinct on (s.org_id) s.org_id, s.id, s.next_read_at
          from inventory.iac_sources s
         where s.next_read_at <= now()
           and s.org_id <> all (busy)
         order by s.org_id, s.next_read_at
      ) longest
     order by longest.next_read_at
     limit most
  loop
    return query
    update inventory.iac_sources s
       set next_read_at = due.again
     where s.org_id = due.org_id
       and s.id = due.id
       and s.next_read_at <= now()
    returning s.org_id, s.id;
  end loop;
end
$$;

grant execute on function inventory.lease_states to leeway_inventory;
