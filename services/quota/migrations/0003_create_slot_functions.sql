-- The gates. Locks are taken in one order by all: organizations by id, in each the row of its usage before
-- its reservations, those by id. So nobody waits both ways.

-- The one clock that decides buckets, whatever the clocks of processes say.
create function quota.clock()
returns timestamptz
language sql volatile
as 'select clock_timestamp()';

-- An organization's plan, the caps that hold (-1 unlimited, 0 hard-off), and what is used of the buckets.
create type quota.standing as (
  plan text,
  weekly_cap integer,
  hourly_cap integer,
  week_start timestamptz,
  week_used integer,
  hour_start timestamptz,
  hour_used integer,
  seen_at timestamptz
);

create function quota.standing(org uuid)
returns setof quota.standing
language sql stable
as $$
  select c.plan,
         coalesce(p.weekly_override, c.weekly_cap),
         coalesce(p.hourly_override, c.hourly_cap),
         -- A clock that was set back stays in the latest bucket.
         greatest(t.week_start, u.week_start),
         case when u.week_start >= t.week_start then u.week_used else 0 end,
         greatest(t.hour_start, u.hour_start),
         case when u.hour_start >= t.hour_start then u.hour_used else 0 end,
         t.at
    from (
      select at, date_trunc('week', at, 'UTC') as week_start, date_trunc('hour', at, 'UTC') as hour_start
        from (select quota.clock() as at) clock
    ) t
    left join quota.org_plans p on p.org_id = org
    left join quota.usage u on u.org_id = org
    join (values ('free', 5, -1), ('team', -1, 20), ('enterprise', -1, -1)) c (plan, weekly_cap, hourly_cap)
      on c.plan = coalesce(p.plan, 'free')
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

create function quota.lock_usage(org uuid)
returns boolean
language plpgsql
as $$
begin
  perform from quota.usage u where u.org_id = org for update;
  return found;
end
$$;

-- Takes a slot from each gate with a cap for the first of an organization's jobs, or from none. `granted`
-- are those of the jobs that have a slot then, also from before.
create function quota.reserve_for(
  org uuid, jobs uuid[], hold interval, out standing quota.standing, out granted uuid[]
)
language plpgsql
as $$
declare
  free integer;
  taken integer := 0;
begin
  -- First without a lock: a bucket that is full is denied by reading.
  select * into standing from quota.standing(org);
  free := quota.free_slots(standing);
  if free > 0 then
    if not quota.lock_usage(org) then
      insert into quota.usage (org_id, week_start, week_used, hour_start, hour_used)
      values (org, standing.week_start, 0, standing.hour_start, 0)
      on conflict do nothing;
      perform quota.lock_usage(org);
    end if;
    select * into standing from quota.standing(org);
    free := quota.free_slots(standing);
  end if;
  if free is distinct from 0 then
    insert into quota.reservations as known (org_id, id, week_start, hour_start, state, reserved_at, expires_at)
    select org, fresh.id,
           case when standing.weekly_cap >= 0 then standing.week_start end,
           case when standing.hourly_cap >= 0 then standing.hour_start end,
           'held', standing.seen_at, standing.seen_at + hold
      from (
        select job.id
          from unnest(jobs) with ordinality job (id, place)
         where not exists (
                 select from quota.reservations r
                  where r.org_id = org and r.id = job.id and r.state <> 'released'
               )
         group by job.id
         order by min(job.place)
         limit free
      ) fresh
     order by fresh.id
    on conflict (org_id, id) do update
       set week_start = excluded.week_start, hour_start = excluded.hour_start, state = 'held',
           reserved_at = excluded.reserved_at, expires_at = excluded.expires_at, ended_at = null
     where known.state = 'released';
    get diagnostics taken = row_count;
  end if;
  select coalesce(array_agg(r.id), '{}') into granted
    from quota.reservations r
   where r.org_id = org and r.id = any (jobs) and r.state <> 'released';
  if cardinality(granted) > taken then
    update quota.reservations r
       set expires_at = standing.seen_at + hold
      from (
        select h.id from quota.reservations h
         where h.org_id = org and h.id = any (granted) and h.state = 'held'
         order by h.id
           for update
      ) held
     where r.org_id = org and r.id = held.id;
  end if;
  if taken > 0 and free is not null then
    standing.week_used := standing.week_used + case when standing.weekly_cap >= 0 then taken else 0 end;
    standing.hour_used := standing.hour_used + case when standing.hourly_cap >= 0 then taken else 0 end;
    update quota.usage u
       set week_start = standing.week_start, week_used = standing.week_used,
           hour_start = standing.hour_start, hour_used = standing.hour_used
     where u.org_id = org;
  end if;
end
$$;

-- Decides calls of any organizations together, those of one in their order. Row-level security shows
-- each organization's part nothing but its own rows, as if its calls had come alone.
create function quota.reserve(orgs uuid[], jobs uuid[], hold interval)
returns table (
  org_id uuid, plan text, weekly_cap integer, hourly_cap integer, week_start timestamptz, week_used integer,
  hour_start timestamptz, hour_used integer, seen_at timestamptz, granted uuid[]
)
language plpgsql
as $$
declare
  one record;
begin
  for one in
    select call.org, array_agg(call.job order by call.place) as jobs
      from unnest(orgs, jobs) with ordinality call (org, job, place)
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
  perform quota.lock_usage(org);
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

-- Forgets slots that ended long ago.
create function quota.forget_reservations(older_than interval)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  forgotten integer;
begin
  delete from quota.reservations r where r.reserved_at < quota.clock() - older_than and r.state <> 'held';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

revoke all on all functions in schema quota from public;
grant execute on all functions in schema quota to leeway_quota;
