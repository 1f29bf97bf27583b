-- Makes the partitions of what is there, and of what goes this month and the next two; forgets what is over since so many
-- days, some of it at a time: what went at once can be more than one statement may take, and then no month gets its
-- partition. The latest snapshot of an account stays.
create or replace function inventory.keep_drift(days integer)
  returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
  as $$
  declare
    this_month constant date := date_trunc('month', now() at time zone 'utc')::date;
    wanted date;
    expired text;
  begin
    -- Every instance calls this: one works, the others find nothing left to do.
    perform pg_advisory_xact_lock(hashtextextended('inventory.keep_drift', 0));
    if to_regclass('inventory.drift_changes_present') is null then
      execute 'create table inventory.drift_changes_present partition of inventory.drift_changes
                 for values from (''infinity'') to (maxvalue)';
    end if;
    for wanted in
      select month::date from generate_series(this_month, this_month + interval '2 months', interval '1 month') m (month)
    loop
      if to_regclass('inventory.drift_changes' || to_char(wanted, '_YYYYMM')) is null then
        execute format(
          'create table inventory.%I partition of inventory.drift_changes for values from (%L) to (%L)',
          'drift_changes' || to_char(wanted, '_YYYYMM'),
          wanted::timestamp at time zone 'utc', (wanted + interval '1 month') at time zone 'utc'
        );
      end if;
    end loop;
    for expired in
      select child.relname
        from pg_inherits i
        join pg_class child on child.oid = i.inhrelid and child.relkind = 'r'
       where i.inhparent = 'inventory.drift_changes'::regclass
         and to_date(substring(child.relname from '_(\d{6})$'), 'YYYYMM') + interval '1 month'
             < now() - make_interval(days => days)
    loop
      execute format('drop table inventory.%I', expired);
    end loop;
    delete from inventory.drift_fingerprints
     where ctid = any (array(
             select ctid
               from inventory.drift_fingerprints
              where gone_at < now() - make_interval(days => days)
              limit 5000
           ))
       and gone_at < now() - make_interval(days => days); -- one may have come back meanwhile
    delete from inventory.drift_snapshots
     where ctid = any (array(
             select s.ctid
               from inventory.drift_snapshots s
              where s.created_at < now() - make_interval(days => days)
                and exists (
                  select
                    from inventory.drift_snapshots later
                   where later.org_id = s.org_id
                     and later.cloud_account_id = s.cloud_account_id
                     and later.status = 'ready'
                     and later.id > s.id
                )
              limit 5000
           ));
  end
  $$;
