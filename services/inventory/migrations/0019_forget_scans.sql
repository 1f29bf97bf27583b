create index scans_created on inventory.scans (created_at);

-- Forgets scans across organizations that are older than so many days, some at a time. What an account's inventory and a
-- schedule's last run come from stays.
create function inventory.forget_scans(days integer)
  returns void
  language sql
  security definer
  set search_path = ''
  as $$
    delete from inventory.scans s
     where (s.org_id, s.id) in (
       select old.org_id, old.id
         from inventory.scans old
        where old.created_at < now() - make_interval(days => days)
          and exists (
            select
              from inventory.scans later
             where later.org_id = old.org_id
               and later.account_id = old.account_id
               and later.status in ('succeeded', 'partial')
               and later.id > old.id
          )
          and not exists (
            select
              from inventory.scan_schedules c
             where c.org_id = old.org_id
               and c.last_scan_id = old.id
          )
        limit 5000
     )
  $$;

revoke all on function inventory.forget_scans from public;
grant execute on function inventory.forget_scans to leeway_inventory;
