-- Leases notices that are due, oldest first.
create or replace function inventory.lease_notices(seconds integer, most integer)
returns table (org_id uuid, id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  due record;
begin
  for due in
    select w.org_id, w.id, w.next_attempt_at
      from inventory.notices w
     where w.next_attempt_at <= now()
     order by w.next_attempt_at
     limit most
  loop
    return query
    update inventory.notices n
       set next_attempt_at = now() + make_interval(secs => seconds)
     where n.org_id = due.org_id
       and n.id = (
         select w.id
           from inventory.notices w
          where w.org_id = due.org_id
            and w.id = due.id
            and w.next_attempt_at = due.next_attempt_at
            for update skip locked
       )
    returning n.org_id, n.id;
  end loop;
end
$$;

grant execute on function inventory.lease_notices to leeway_inventory;
