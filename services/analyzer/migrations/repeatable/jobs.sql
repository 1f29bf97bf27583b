-- Returns the lowest id of a day.
create or replace function analyzer.first_id(day date)
returns uuid
language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select (lpad(to_hex((extract(epoch from day::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Creates the partitions from `input_days` ago to a week from now, and drops expired ones. A delivery may be processed a week
-- after it arrived, under its own id.
create or replace function analyzer.keep_partitions(job_days integer, input_days integer)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '1s'
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  wanted record;
  expired record;
begin
  -- Every instance calls this: one works, the others then find nothing to do.
  perform pg_advisory_xact_lock(hashtextextended('analyzer.keep_partitions', 0));
  for wanted in
    select parent, days.day::date as day, parent || to_char(days.day, '_YYYYMMDD') as name
      from (values ('jobs'), ('inputs')) partitioned (parent)
     cross join generate_series(today - input_days, today + 7, interval '1 day') days (day)
  loop
    if to_regclass(format('analyzer.%I', wanted.name)) is null then
      execute format(
        'create table analyzer.%I partition of analyzer.%I for values from (%L) to (%L)',
        wanted.name, wanted.parent, analyzer.first_id(wanted.day), analyzer.first_id(wanted.day + 1)
      );
    end if;
  end loop;
  for expired in
    select name
      from (
        select child.relname as name, to_date(substring(child.relname from '_(\d{8})$'), 'YYYYMMDD') as day,
               case parent.relname when 'jobs' then job_days else input_days end as days
          from pg_inherits i
          join pg_class child on child.oid = i.inhrelid and child.relkind = 'r'
          join pg_class parent on parent.oid = i.inhparent
         where parent.relnamespace = 'analyzer'::regnamespace
      ) partitions
     where day < today - days
  loop
    execute format('drop table analyzer.%I', expired.name);
  end loop;
end
$$;

-- Leases open jobs that the bus should have brought: overdue since they were created, or since the last lease.
create or replace function analyzer.overdue_jobs(since_coming interval, since_offered interval, at_most integer)
returns table (org_id uuid, id uuid, begun boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  overdue record;
begin
  for overdue in
    select w.org_id, w.id, w.offered_at
      from analyzer.jobs w
     where w.status in ('queued', 'running')
       and coalesce(w.offered_at + since_offered, w.created_at + since_coming) < now()
     order by w.id
     limit at_most
  loop
    return query
    update analyzer.jobs j
       set offered_at = now()
     where j.org_id = overdue.org_id
       and j.id = (
         select w.id
           from analyzer.jobs w
          where w.org_id = overdue.org_id
            and w.id = overdue.id
            and w.status in ('queued', 'running')
            and w.offered_at is not distinct from overdue.offered_at
            for update skip locked
       )
    returning j.org_id, j.id, j.status = 'running';
  end loop;
end
$$;

-- Lists queued jobs, oldest first.
create or replace function analyzer.queued_jobs(at_most integer)
returns table (org_id uuid, id uuid)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select j.org_id, j.id
    from analyzer.jobs j
   where j.status = 'queued'
   order by j.id
   limit at_most;
end
$$;

-- Counts jobs that wait or run, with the age of the oldest.
create or replace function analyzer.backlog()
returns table (queue text, waiting integer, oldest_seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select 'jobs', count(*)::int, coalesce(extract(epoch from now() - min(created_at)), 0)::float8
    from analyzer.jobs
   where status in ('queued', 'running')
$$;

grant execute on function
  analyzer.keep_partitions, analyzer.overdue_jobs, analyzer.queued_jobs, analyzer.backlog
to leeway_analyzer;

-- Creates the partitions, and drops none.
select analyzer.keep_partitions(36500, 7);
