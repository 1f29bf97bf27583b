-- The gates. Locks are taken in one order by all: organizations by id, in each the row of its usage before
-- its reservations, those by id. So nobody waits both ways.

-- The one clock that decides buckets, whatever the clocks of processes say.
create function quota.clock()
returns timestamptz
language sql volatile
as 'select clock_timestamp()';

-- An organization's plan, the caps that hold (-1 unlimited, 0 hard-off), what is used of the buckets, and
-- whether it has a model key of its own.
create type quota.standing as (
  plan text,
  weekly_cap integer,
  hourly_cap integer,
  week_start timestamptz,
  week_used integer,
  hour_start timestamptz,
  hour_used integer,
  byok boolean,
  seen_at timestamptz
);

create function quota.standing(org uuid)
returns setof quota.standing
language sql stable
as $$
  select coalesce(p.plan, 'free'),
         coalesce(p.weekly_override, case coalesce(p.plan, 'free') when 'free' then 5 else -1 end),
         coalesce(p.hourly_override, case p.plan when 'team' then 20 else -1 end),
         -- A clock that was set back stays in the latest bucket.
         greatest(t.week_start, u.week_start),
         case when u.week_start >= t.week_start then u.week_used else 0 end,
         greatest(t.hour_start, u.hour_start),
         case when u.hour_start >= t.hour_start then u.hour_used else 0 end,
         exists (select from quota.llm_configs c where c.org_id = org),
         t.at
    from (
      select at, date_trunc('week', at, 'UTC') as week_start, date_trunc('hour', at, 'UTC') as hour_start
        from (select quota.clock() as at) clock
    ) t
    left join quota.org_plans p on p.org_id = org
    left join quota.usage u on u.org_id = org
$$;

-- How many slots both gates would give now; null when neither has a cap.
create function quota.free_slots(s quota.standing)
returns integer
language sql immutable
as $$
  select least(
    case when s.weekly_cap >= 0 then greatest(s.weekly_cap - s.week_used, 0) end,
    case when s.hourly_cap >= 0 then greatest(s.hourly_cap - s.hour_used, 0) end
  )
$$;

-- Takes a slot from each gate with a cap for the first of an organization's jobs that have none, as long as
-- there are any; the jobs differ. `granted` are those of them that have a slot then.
create function quota.reserve_for(
  org uuid, jobs uuid[], hold interval, out standing quota.standing, out granted uuid[]
)
language plpgsql
as $$
declare
  free integer;
  fresh uuid[] := jobs;
begin
  -- First without a lock: a bucket that is full is denied by reading.
  select * into standing from quota.standing(org);
  if standing.byok then
    granted := jobs; -- whoever brings a key passes both gates, and no counter is touched
    return;
  end if;
  free := quota.free_slots(standing);
  if free > 0 then
    perform from quota.usage u where u.org_id = org for update;
    if not found then
      insert into quota.usage (org_id, week_start, week_used, hour_start, hour_used)
      values (org, standing.week_start, 0, standing.hour_start, 0)
      on conflict do nothing;
      perform from quota.usage u where u.org_id = org for update;
    end if;
    select * into standing from quota.standing(org);
    free := quota.free_slots(standing);
  end if;
  granted := array(
    select r.id from quota.reservations r where r.org_id = org and r.id = any (jobs) and r.state <> 'released'
  );
  if granted <> '{}' then
    fresh := array(
      select job.id from unnest(jobs) with ordinality job (id, place)
       where job.id <> all (granted)
       order by job.place
    );
    perform quota.hold(org, granted, standing.seen_at + hold);
  end if;
  fresh := fresh[:coalesce(free, cardinality(fresh))];
  if fresh = '{}' then
    return;
  end if;
  insert into quota.reservations as known (
    org_id, id, week_start, hour_start, state, reserved_at, reserved_on, expires_at
  )
  select org, job.id,
         case when standing.weekly_cap >= 0 then standing.week_start end,
         case when standing.hourly_cap >= 0 then standing.hour_start end,
         'held', standing.seen_at, (standing.seen_at at time zone 'UTC')::date, standing.seen_at + hold
    from unnest(fresh) job (id)
   order by job.id
  on conflict (org_id, id) do update
     set week_start = excluded.week_start, hour_start = excluded.hour_start, state = 'held',
         reserved_at = excluded.reserved_at, reserved_on = excluded.reserved_on,
         expires_at = excluded.expires_at, ended_at = null
   where known.state = 'released';
  granted := granted || fresh;
  if free is not null then
    if standing.weekly_cap >= 0 then standing.week_used := standing.week_used + cardinality(fresh); end if;
    if standing.hourly_cap >= 0 then standing.hour_used := standing.hour_used + cardinality(fresh); end if;
    update quota.usage u
       set week_start = standing.week_start, week_used = standing.week_used,
           hour_start = standing.hour_start, hour_used = standing.hour_used
     where u.org_id = org;
  end if;
end
$$;

-- Holds slots for longer.
create function quota.hold(org uuid, jobs uuid[], until timestamptz)
returns void
language sql
as $$
  update quota.reservations r
     set expires_at = until
    from (
      select h.id from quota.reservations h
       where h.org_id = org and h.id = any (jobs) and h.state = 'held'
       order by h.id
         for update
    ) held
   where r.org_id = org and r.id = held.id
$$;

-- Decides calls of any organizations together, those of one in their order. Row-level security shows
-- each organization's part nothing but its own rows, as if its calls had come alone.
create function quota.reserve(orgs uuid[], jobs uuid[], hold interval)
returns table (
  org_id uuid, plan text, weekly_cap integer, hourly_cap integer, week_start timestamptz, week_used integer,
  hour_start timestamptz, hour_used integer, byok boolean, seen_at timestamptz, granted uuid[]
)
-- The planner would plan lookups of a few ids anew each time, which takes longer than to run them.
language plpgsql set plan_cache_mode = 'force_generic_plan'
as $$
declare
  one record;
begin
  for one in
    select call.org, array_agg(call.job order by call.place) as jobs
      from (
        select org, job, min(place) as place
          from unnest(orgs, jobs) with ordinality asked (org, job, place)
         group by org, job
      ) call
     group by call.org
     order by call.org
  loop
    perform set_config('app.org_id', one.org::text, true);
    return query select one.org, (r.standing).*, r.granted from quota.reserve_for(one.org, one.jobs, hold) r;
  end loop;
end
$$;

-- Spends a held slot. Gives the state that the slot has then; null when the job has none.
create function quota.consume(org uuid, job uuid)
returns text
language sql
as $$
  update quota.reservations r
     set state = 'consumed', ended_at = quota.clock()
   where r.org_id = org and r.id = job and r.state = 'held';
  select r.state from quota.reservations r where r.org_id = org and r.id = job
$$;

-- Gives a held slot back to the buckets that it was taken from, if they aren't over; with `expired_by`, only
-- one that isn't held that long. Gives the state that the slot has then; null when the job has none.
create function quota.release(org uuid, job uuid, expired_by timestamptz default 'infinity')
returns text
language plpgsql
as $$
declare
  slot record;
begin
  perform from quota.usage u where u.org_id = org for update;
  update quota.reservations r
     set state = 'released', ended_at = quota.clock()
   where r.org_id = org and r.id = job and r.state = 'held' and r.expires_at <= expired_by
  returning r.week_start, r.hour_start into slot;
  if slot.week_start is not null or slot.hour_start is not null then
    update quota.usage u
       set week_used = greatest(0, u.week_used - coalesce(u.week_start = slot.week_start, false)::integer),
           hour_used = greatest(0, u.hour_used - coalesce(u.hour_start = slot.hour_start, false)::integer)
     where u.org_id = org;
  end if;
  return (select r.state from quota.reservations r where r.org_id = org and r.id = job);
end
$$;

-- What has to look across organizations. Both run as the owner, whom row-level security lets see all, and
-- give no more than a number.

-- Releases what dead workers left.
create function quota.release_expired(at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  at constant timestamptz := quota.clock();
  expired record;
  released integer := 0;
begin
  for expired in
    select s.org_id, s.id
      from (
        select r.org_id, r.id
          from quota.reservations r
         where r.state = 'held' and r.expires_at <= at
         order by r.expires_at
         limit at_most
      ) s
     order by s.org_id, s.id
  loop
    perform quota.release(expired.org_id, expired.id, at);
    released := released + 1;
  end loop;
  return released;
end
$$;

-- Forgets slots that were taken before a day, but for those that are held still.
create function quota.forget_reservations(before date)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  forgotten integer;
begin
  delete from quota.reservations r where r.reserved_on < before and r.state <> 'held';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

revoke all on all functions in schema quota from public;
grant execute on all functions in schema quota to leeway_quota;
