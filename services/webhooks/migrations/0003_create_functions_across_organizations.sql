-- What has to look across organizations, and nothing else. Each function runs as the owner, whom
-- row-level security lets see all, and gives no more than its caller needs.

-- The least id of a day.
create function webhooks.first_id(day date)
returns uuid
language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select (lpad(to_hex((extract(epoch from day::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the partitions of yesterday and the week to come, and drops those whose days are over.
create function webhooks.keep_partitions(delivery_days integer, body_days integer)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s'
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  wanted record;
  expired record;
begin
  -- Every instance calls this: one works, the others find nothing left to do.
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

-- Deliveries that wait although the bus should have brought them: since they came, or were last given out.
create function webhooks.overdue_deliveries(since_coming interval, since_offered interval, at_most integer)
returns table (org_id uuid, id uuid, size integer)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update webhooks.deliveries d
     set offered_at = now()
    from (
      select w.org_id, w.id
        from webhooks.deliveries w
       where w.outcome = 'pending'
         and coalesce(w.offered_at + since_offered, w.received_at + since_coming) < now()
       order by w.id
       limit at_most
         for update skip locked
    ) waiting
   where d.org_id = waiting.org_id
     and d.id = waiting.id
  returning d.org_id, d.id, d.size
$$;

-- Events that nobody has taken for a while, oldest first; each is given out once for a while.
create function webhooks.overdue_events(since_offered interval, at_most integer)
returns table (org_id uuid, id uuid)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update webhooks.events e
     set offered_at = now()
    from (
      select w.org_id, w.id
        from webhooks.events w
       where w.offered_at + since_offered < now()
       order by w.id
       limit at_most
         for update skip locked
    ) waiting
   where e.org_id = waiting.org_id
     and e.id = waiting.id
  returning e.org_id, e.id
$$;

-- Forgets which bodies are known from before.
create function webhooks.forget_recent_bodies(older_than interval)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from webhooks.recent_bodies where received_at < now() - older_than
$$;

revoke all on all functions in schema webhooks from public;
grant execute on function
  webhooks.keep_partitions, webhooks.overdue_deliveries, webhooks.overdue_events, webhooks.forget_recent_bodies
to leeway_webhooks;

select webhooks.keep_partitions(30, 7);
