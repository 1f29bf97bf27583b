-- Locks are taken in one order, so that no two transactions wait for each other: first rows of usage by organization, then
-- reservations by organization and id.

-- Returns the time that decides buckets. Clocks of processes don't matter.
create or replace function quota.clock()
returns timestamptz
language sql volatile
as 'select clock_timestamp()';

-- Returns an organization's plan, its caps (-1 unlimited, 0 off), what its buckets have used, and whether it has its own key.
create or replace function quota.standing(org uuid)
returns setof quota.standing
language sql stable
as $$
  select o.plan,
         coalesce(p.weekly_override, o.weekly_cap),
         coalesce(p.hourly_override, o.hourly_cap),
         -- A clock that is set back stays in the latest bucket.
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
    join quota.plans o on o.plan = coalesce(p.plan, 'free')
    left join quota.usage u on u.org_id = org
$$;

-- Returns how many slots both gates would grant now; null if neither has a cap.
create or replace function quota.free_slots(s quota.standing)
returns integer
language sql immutable
as $$
  select least(
    case when s.weekly_cap >= 0 then greatest(s.weekly_cap - s.week_used, 0) end,
    case when s.hourly_cap >= 0 then greatest(s.hourly_cap - s.hour_used, 0) end
  )
$$;

-- Grants slots to the first of an organization's jobs that have none, while both gates have free slots.
create or replace function quota.decide(asked quota.asked[])
returns setof quota.decision
language sql stable
as $$
  select a.org,
         row(
           g.plan, g.weekly_cap, g.hourly_cap,
           g.week_start, g.week_used + case when g.weekly_cap >= 0 then cardinality(given.fresh) else 0 end,
           g.hour_start, g.hour_used + case when g.hourly_cap >= 0 then cardinality(given.fresh) else 0 end,
           g.byok, g.seen_at
         )::quota.standing,
         given.kept, given.fresh
    from unnest(asked) a,
    lateral (select (a.gates).*, quota.free_slots(a.gates) as free) g,
    lateral (
      select coalesce(array_agg(job.id) filter (where job.has), '{}') as kept,
             coalesce(array_agg(job.id) filter (where not job.has), '{}') as fresh
        from (
          select job.id, job.has, row_number() over (partition by job.has order by job.place) as nth
            from (
              select job.id, job.place,
                     -- An organization with its own key passes both gates.
                     g.byok or coalesce((
                       select r.state <> 'released' from quota.reservations r where r.org_id = a.org and r.id = job.id
                     ), false) as has
                from unnest(a.jobs) with ordinality job (id, place)
            ) job
        ) job
       where job.has or g.free is null or job.nth <= g.free
    ) given
$$;

-- Decides calls of any organizations together, those of one organization in their order. `granted` lists its jobs that have a
-- slot afterwards, or need none.
create or replace function quota.reserve(orgs uuid[], jobs uuid[], hold interval)
returns table (
  org_id uuid, plan text, weekly_cap integer, hourly_cap integer, week_start timestamptz, week_used integer,
  hour_start timestamptz, hour_used integer, byok boolean, seen_at timestamptz, granted uuid[]
)
-- Planning lookups of a few ids each time takes longer than running them, and the planner would scan tables that it doesn't
-- know to have grown.
language plpgsql set plan_cache_mode = 'force_generic_plan' set enable_seqscan = 'off' set enable_hashjoin = 'off' set enable_mergejoin = 'off'
as $$
#variable_conflict use_column
declare
  asked quota.asked[];
  free uuid[];
  locked integer;
  decided quota.decision[];
  again record;
begin
  perform set_config('app.org_id', orgs[1]::text, true), set_config('app.org_ids', orgs::text, true);
  asked := array(
    select row(call.org, call.jobs, s)::quota.asked
      from (
        select call.org, array_agg(call.job order by call.place) as jobs
          from (
            select org, job, min(place) as place
              from unnest(orgs, jobs) with ordinality call (org, job, place)
             group by org, job
          ) call
         group by call.org
      ) call,
      quota.standing(call.org) s
  );
  -- Read without a lock, which is enough to deny a full bucket.
  free := array(
    select a.org from unnest(asked) a where not (a.gates).byok and quota.free_slots(a.gates) > 0 order by a.org
  );
  if free <> '{}' then
    loop
      perform from quota.usage u where u.org_id = any (free) order by u.org_id for update;
      get diagnostics locked = row_count;
      exit when locked = cardinality(free);
      insert into quota.usage (org_id, week_start, week_used, hour_start, hour_used)
      select org.id, '-infinity', 0, '-infinity', 0 from unnest(free) org (id) order by org.id
      on conflict do nothing;
    end loop;
    asked := array(
      select row(a.org, a.jobs, coalesce(s, a.gates))::quota.asked
        from unnest(asked) a
        left join lateral quota.standing(a.org) s on a.org = any (free)
    );
  end if;
  decided := array(select d from quota.decide(asked) d);
  update quota.usage u
     set week_start = (d.gates).week_start, week_used = (d.gates).week_used,
         hour_start = (d.gates).hour_start, hour_used = (d.gates).hour_used
    from unnest(decided) d
   where u.org_id = d.org and d.fresh <> '{}' and quota.free_slots(d.gates) is not null;
  insert into quota.reservations as known (
    org_id, id, week_start, hour_start, state, reserved_at, reserved_on, expires_at
  )
  select d.org, job.id,
         case when (d.gates).weekly_cap >= 0 then (d.gates).week_start end,
         case when (d.gates).hourly_cap >= 0 then (d.gates).hour_start end,
         'held', (d.gates).seen_at, ((d.gates).seen_at at time zone 'UTC')::date, (d.gates).seen_at + hold
    from unnest(decided) d, unnest(d.fresh) job (id)
   order by d.org, job.id
  on conflict (org_id, id) do update
     set week_start = excluded.week_start, hour_start = excluded.hour_start, state = 'held',
         reserved_at = excluded.reserved_at, reserved_on = excluded.reserved_on,
         expires_at = excluded.expires_at, ended_at = null
   where known.state = 'released';
  -- Asking again extends the slot.
  for again in
    select d.org, job.id, (d.gates).seen_at
      from unnest(decided) d, unnest(d.kept) job (id)
     where not (d.gates).byok
     order by d.org, job.id
  loop
    update quota.reservations r
       set expires_at = again.seen_at + hold
     where r.org_id = again.org and r.id = again.id and r.state = 'held';
  end loop;
  return query select d.org, (d.gates).*, d.kept || d.fresh from unnest(decided) d;
end
$$;

-- Consumes a held slot. Returns the slot's final state; null if the job has none.
create or replace function quota.consume(org uuid, job uuid)
returns text
language sql
as $$
  update quota.reservations r
     set state = 'consumed', ended_at = quota.clock()
   where r.org_id = org and r.id = job and r.state = 'held';
  select r.state from quota.reservations r where r.org_id = org and r.id = job
$$;

-- Releases a held slot to its own buckets, if they haven't ended. With `expired_by`, only a slot that is held no longer than
-- that. Returns the slot's final state; null if the job has none.
create or replace function quota.release(org uuid, job uuid, expired_by timestamptz default 'infinity')
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

-- Releases slots of dead workers. Returns how many it looked at.
create or replace function quota.release_expired(at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  at constant timestamptz := quota.clock();
  orgs uuid[];
  jobs uuid[];
begin
  select array_agg(s.org_id order by s.org_id, s.id), array_agg(s.id order by s.org_id, s.id)
    into orgs, jobs
    from (
      select r.org_id, r.id
        from quota.reservations r
       where r.state = 'held' and r.expires_at <= at
       order by r.expires_at
       limit at_most
    ) s;
  perform from quota.usage u where u.org_id = any (orgs) order by u.org_id for update;
  perform quota.release(expired.org, expired.job, at) from unnest(orgs, jobs) expired (org, job);
  return coalesce(cardinality(orgs), 0);
end
$$;

-- Deletes a batch of slots from before a day, except held ones. Returns the number of deleted rows.
create or replace function quota.forget_reservations(before date, at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  forgotten integer;
begin
  delete from quota.reservations
   where ctid = any (array(
           select ctid from quota.reservations where reserved_on < before and state <> 'held' limit at_most
         ))
     and reserved_on < before -- it may have been taken again meanwhile
     and state <> 'held';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

grant execute on function
  quota.clock, quota.standing, quota.free_slots, quota.decide, quota.reserve, quota.consume, quota.release,
  quota.release_expired, quota.forget_reservations
to leeway_quota;
