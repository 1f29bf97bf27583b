-- Calls of many organizations are decided by a few statements for all of them, not by a few for each. So
-- locks are taken in another order by all: first the rows of usage, by organization, then the reservations,
-- by organization and id.

-- Those statements see the organizations that they decide for, and nobody else.
create function quota.deciding_for()
returns uuid[]
language sql stable
as $$ select nullif(current_setting('app.org_ids', true), '')::uuid[] $$;

create policy deciding on quota.usage to leeway_quota
  using (org_id = any ((select quota.deciding_for())::uuid[]));
create policy deciding on quota.reservations to leeway_quota
  using (org_id = any ((select quota.deciding_for())::uuid[]));
create policy deciding on quota.org_plans for select to leeway_quota
  using (org_id = any ((select quota.deciding_for())::uuid[]));
create policy deciding on quota.llm_configs for select to leeway_quota
  using (org_id = any ((select quota.deciding_for())::uuid[]));

-- An organization's jobs that ask for a slot, in their order, and the gates before them.
create type quota.asked as (org uuid, jobs uuid[], gates quota.standing);

-- What they are given: `kept` have a slot already, or need none, `fresh` take one. And the gates after them.
create type quota.decision as (org uuid, gates quota.standing, kept uuid[], fresh uuid[]);

-- The first of an organization's jobs that have no slot are given one, as long as both gates have any.
create function quota.decide(asked quota.asked[])
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
                     -- Whoever brings a key passes both gates.
                     g.byok or coalesce((
                       select r.state <> 'released' from quota.reservations r where r.org_id = a.org and r.id = job.id
                     ), false) as has
                from unnest(a.jobs) with ordinality job (id, place)
            ) job
        ) job
       where job.has or g.free is null or job.nth <= g.free
    ) given
$$;

-- Decides calls of any organizations together, those of one in their order. `granted` are those of its jobs
-- that have a slot then, or need none.
create or replace function quota.reserve(orgs uuid[], jobs uuid[], hold interval)
returns table (
  org_id uuid, plan text, weekly_cap integer, hourly_cap integer, week_start timestamptz, week_used integer,
  hour_start timestamptz, hour_used integer, byok boolean, seen_at timestamptz, granted uuid[]
)
-- The planner would plan lookups of a few ids anew each time, which takes longer than to run them, and would
-- go through tables of which it doesn't know yet that they have grown.
language plpgsql
set plan_cache_mode = 'force_generic_plan' set enable_seqscan = 'off' set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
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
  -- Read without a lock: a bucket that is full is denied by that alone.
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
  -- Who asks again holds the slot for longer.
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

-- Releases what dead workers left.
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

drop function quota.reserve_for;
drop function quota.hold;
revoke all on function quota.deciding_for, quota.decide from public;
grant execute on function quota.deciding_for, quota.decide to leeway_quota;
