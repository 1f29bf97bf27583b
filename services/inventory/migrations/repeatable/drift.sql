-- Returns the fingerprint of a change from the parts that identify it. The parts contain no values.
create or replace function inventory.drift_fingerprint(parts text[])
returns text
language sql immutable
as $$ select 'dc1_' || left(encode(sha256(convert_to(array_to_string(parts, E'\x1f'), 'UTF8')), 'hex'), 32) $$;

-- Returns whether a change is ignored now, so that it doesn't count as risk.
create or replace function inventory.is_ignored(status text, ignored_until timestamptz)
returns boolean
language sql stable
as $$ select status = 'ignored' and coalesce(ignored_until > now(), true) $$;

-- Leases accounts whose drift waits to be computed or explained.
create or replace function inventory.unfinished_drift(older_than interval, at_most integer)
returns table (org_id uuid, account_id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  waiting record;
begin
  for waiting in
    select w.org_id, w.cloud_account_id
      from inventory.drift_snapshots w
     where (w.status = 'pending' or w.wordless)
       and w.touched_at < now() - older_than
     group by w.org_id, w.cloud_account_id
     order by min(w.touched_at)
     limit at_most
  loop
    update inventory.drift_snapshots s
       set touched_at = now()
     where s.org_id = waiting.org_id
       and s.id in (
         select w.id
           from inventory.drift_snapshots w
          where w.org_id = waiting.org_id
            and w.cloud_account_id = waiting.cloud_account_id
            and (w.status = 'pending' or w.wordless)
            and w.touched_at < now() - older_than
            for update skip locked
       );
    continue when not found;
    org_id := waiting.org_id;
    account_id := waiting.cloud_account_id;
    return next;
  end loop;
end
$$;

-- Lists accounts with changes whose time of being ignored is over.
create or replace function inventory.ended_ignores(at_most integer)
returns table (org_id uuid, account_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select distinct f.org_id, f.cloud_account_id
    from inventory.drift_fingerprints f
   where f.status = 'ignored'
     and f.ignored_until <= now()
   limit at_most;
end
$$;

-- Leases changes whose actor is looked for. Each is due again after the pause of its try; after the last it never is.
create or replace function inventory.due_actors(pauses interval[], at_most integer)
returns table (org_id uuid, account_id uuid, fingerprint text)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  due record;
begin
  for due in
    select w.org_id, w.fingerprint, w.actor_due_at, w.actor_tries
      from inventory.drift_fingerprints w
     where w.actor_due_at <= now()
     order by w.actor_due_at
     limit at_most
  loop
    return query
    update inventory.drift_fingerprints f
       set actor_due_at = now() + pauses[due.actor_tries + 1], actor_tries = due.actor_tries + 1
     where f.org_id = due.org_id
       and f.fingerprint = (
         select w.fingerprint
           from inventory.drift_fingerprints w
          where w.org_id = due.org_id
            and w.fingerprint = due.fingerprint
            and w.actor_due_at = due.actor_due_at
            for update skip locked
       )
    returning f.org_id, f.cloud_account_id, f.fingerprint;
  end loop;
end
$$;

-- Creates the partition of present changes, and those of this and the next two months. Deletes changes and snapshots older
-- than `days`, the latter in batches, so that partitions are created however much there is to delete. An account's latest
-- snapshot stays.
create or replace function inventory.keep_drift(days integer, at_most integer)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s'
as $$
declare
  this_month constant date := date_trunc('month', now() at time zone 'utc')::date;
  wanted date;
  expired text;
begin
  -- Every instance calls this: one works, the others then find nothing to do.
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
  delete from inventory.drift_fingerprints t
   using (
     select org_id, fingerprint
       from inventory.drift_fingerprints
      where gone_at < now() - make_interval(days => days)
      limit at_most
   ) old
   where t.org_id = old.org_id
     and t.fingerprint = old.fingerprint
     and gone_at < now() - make_interval(days => days); -- it may have come back meanwhile
  delete from inventory.decision_history t
   using (
     select org_id, fingerprint, at from inventory.decision_history where at < now() - make_interval(days => days) limit at_most
   ) old
   where t.org_id = old.org_id
     and t.fingerprint = old.fingerprint
     and t.at = old.at;
  delete from inventory.drift_snapshots t
   using (
     select s.org_id, s.id
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
      limit at_most
   ) old
   where t.org_id = old.org_id
     and t.id = old.id;
end
$$;

grant execute on function
  inventory.drift_fingerprint, inventory.is_ignored, inventory.unfinished_drift, inventory.ended_ignores,
  inventory.due_actors, inventory.keep_drift
to leeway_inventory;

-- Creates the partitions, and deletes nothing.
select inventory.keep_drift(36500, 0);
