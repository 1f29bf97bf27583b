-- Returns the lowest id of a day.
create or replace function webhooks.first_id(day date)
returns uuid
language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select (lpad(to_hex((extract(epoch from day::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Creates the partitions of yesterday to a week from now, and drops expired ones.
create or replace function webhooks.keep_partitions(delivery_days integer, body_days integer)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s'
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  wanted record;
  expired record;
begin
  -- Every instance calls this: one works, the others then find nothing to do.
  perform pg_advisory_xact_lock(hashtextextended('webhooks.keep_partitions', 0));
  for wanted in
    select parent, days.day::date as day, parent || to_char(days.day, '_YYYYMMDD') as name
      from (values ('deliveries'), ('bodies'), ('events')) partitioned (parent)
     cross join generate_series(today - 1, today + 7, interval '1 day') days (day)
  loop
    if to_regclass(format('webhooks.%I', wanted.name)) is null then
      execute format(
        'create table webhooks.%I partition of webhooks.%I for values from (%L) to (%L)',
        wanted.name, wanted.parent, webhooks.first_id(wanted.day), webhooks.first_id(wanted.day + 1)
      );
    end if;
  end loop;
  for expired in
    select name
      from (
        select child.relname as name, to_date(substring(child.relname from '_(\d{8})$'), 'YYYYMMDD') as day,
               case parent.relname when 'deliveries' then delivery_days else body_days end as days
          from pg_inherits i
          join pg_class child on child.oid = i.inhrelid and child.relkind = 'r'
          join pg_class parent on parent.oid = i.inhparent
         where parent.relnamespace = 'webhooks'::regnamespace
      ) partitions
     where day < today - days
  loop
    execute format('drop table webhooks.%I', expired.name);
  end loop;
end
$$;

-- Makes deliveries pending again whose event the analyzer hasn't taken from a service of an earlier version. Such a service offers an
-- event again after 15 seconds. The job's id stays the same, so an event that was taken after all has no second effect. A later
-- release drops this with `events` and `overdue_events`.
create or replace function webhooks.reopen_untaken()
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  untaken record;
begin
  for untaken in
    select e.org_id, e.id, e.offered_at
      from webhooks.events e
     where e.offered_at < now() - interval '30 seconds'
     order by e.id
     limit 1000
  loop
    delete from webhooks.events e
     where e.org_id = untaken.org_id
       and e.id = untaken.id
       and e.offered_at = untaken.offered_at;
    continue when not found;
    update webhooks.deliveries d
       set outcome = 'pending', attempts = 0, offered_at = null, processed_at = null, job_id = null
     where d.org_id = untaken.org_id
       and d.id = untaken.id
       and d.outcome = 'processed';
  end loop;
end
$$;

-- Leases pending deliveries that the bus should have brought: overdue since they arrived, or since the last lease. Takes two
-- statements for each organization, because planning one takes longer than running it.
create or replace function webhooks.overdue_deliveries(since_coming interval, since_offered interval, at_most integer)
returns table (org_id uuid, id uuid, size integer)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  overdue record;
  free uuid[];
begin
  perform webhooks.reopen_untaken();
  for overdue in
    select oldest.org_id, array_agg(oldest.id) as ids
      from (
        select w.org_id, w.id
          from webhooks.deliveries w
         where w.outcome = 'pending'
           and coalesce(w.offered_at + since_offered, w.received_at + since_coming) < now()
         order by w.id
         limit at_most
      ) oldest
     group by oldest.org_id
  loop
    select array_agg(locked.id) into free
      from (
        select w.id
          from webhooks.deliveries w
         where w.org_id = overdue.org_id
           and w.id = any (overdue.ids)
           and w.outcome = 'pending'
           and coalesce(w.offered_at + since_offered, w.received_at + since_coming) < now()
           for update skip locked
      ) locked;
    return query
    with leased as (
      update webhooks.deliveries d
         set offered_at = now()
       where d.org_id = overdue.org_id
         and d.id = any (free)
      returning d.org_id, d.id, d.size
    )
    select l.org_id, l.id, l.size from leased l order by l.id;
  end loop;
end
$$;

-- Leases events that no one has taken, oldest first. Only services of earlier versions call it.
create or replace function webhooks.overdue_events(since_offered interval, at_most integer)
returns table (org_id uuid, id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  overdue record;
begin
  for overdue in
    select w.org_id, w.id, w.offered_at
      from webhooks.events w
     where w.offered_at + since_offered < now()
     order by w.id
     limit at_most
  loop
    return query
    update webhooks.events e
       set offered_at = now()
     where e.org_id = overdue.org_id
       and e.id = overdue.id
       and e.offered_at = overdue.offered_at
    returning e.org_id, e.id;
  end loop;
end
$$;

-- Deletes a batch of digests of earlier bodies. Returns the number of deleted rows.
create or replace function webhooks.forget_recent_bodies(older_than interval, at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  forgotten integer;
begin
  delete from webhooks.recent_bodies t
   using (
     select org_id, source, body_sha256 from webhooks.recent_bodies where received_at < now() - older_than limit at_most
   ) old
   where t.org_id = old.org_id
     and t.source = old.source
     and t.body_sha256 = old.body_sha256
     and received_at < now() - older_than; -- it may have come again meanwhile
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

-- Counts what waits in each queue, with the age of the oldest.
create or replace function webhooks.backlog()
returns table (queue text, waiting integer, oldest_seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select 'deliveries', count(*)::int, coalesce(extract(epoch from now() - min(received_at)), 0)::float8
    from webhooks.deliveries
   where outcome = 'pending'
  union all
  select 'notifications', count(*)::int, coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8
    from webhooks.messages
   where status = 'pending' and next_attempt_at <= now()
$$;

grant execute on function
  webhooks.keep_partitions, webhooks.overdue_deliveries, webhooks.overdue_events, webhooks.forget_recent_bodies,
  webhooks.backlog
to leeway_webhooks;

-- Creates the partitions, and drops none.
select webhooks.keep_partitions(36500, 36500);
