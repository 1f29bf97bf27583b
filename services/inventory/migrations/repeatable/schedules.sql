-- Lists schedules that are due, or whose last run is so far in the future that a clock must have been wrong.
create or replace function inventory.due_schedules(at timestamptz, ahead interval, most integer)
returns table (org_id uuid, schedule_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  (select s.org_id, s.id
     from inventory.scan_schedules s
    where s.enabled
      and s.next_run_at <= at
    order by s.next_run_at
    limit most)
  union
  (select s.org_id, s.id
     from inventory.scan_schedules s
    where s.enabled
      and s.last_run_at > at + ahead
    limit most);
end
$$;

grant execute on function inventory.due_schedules to leeway_inventory;
