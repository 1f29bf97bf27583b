-- Stands for the migrations up to 0010. Functions, views and triggers are in `repeatable/`.

-- Plans of organizations. An organization without a row has the free plan.
create table quota.org_plans (
  org_id uuid primary key,
  plan text not null check (plan in ('free', 'team', 'enterprise')),
  -- Caps of a contract, which replace the plan's: -1 is unlimited, 0 off.
  weekly_override integer check (weekly_override >= -1),
  hourly_override integer check (hourly_override >= -1),
  updated_at timestamptz not null default now()
);

call quota.isolate('org_plans');

-- Counters of both gates, in one row per organization, so that one lock decides both. They are those of the latest buckets; the
-- first slot in a new bucket starts its counter.
create table quota.usage (
  org_id uuid primary key,
  week_start timestamptz not null,
  week_used integer not null check (week_used >= 0),
  hour_start timestamptz not null,
  hour_used integer not null check (hour_used >= 0)
) with (fillfactor = 50); -- for updates in place

call quota.isolate('usage');

-- Slots of jobs. A slot is consumed or released, never both.
create table quota.reservations (
  org_id uuid not null,
  -- Id of the job.
  id uuid not null,
  -- Buckets that it was taken from; null if the gate had no cap.
  week_start timestamptz,
  hour_start timestamptz,
  state text not null check (state in ('held', 'consumed', 'released')),
  reserved_at timestamptz not null,
  -- Day of `reserved_at` in UTC.
  reserved_on date not null,
  -- A worker that holds it longer is dead.
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (org_id, id),
  check ((state = 'held') = (ended_at is null))
);

create index reservations_held on quota.reservations (expires_at) where state = 'held';
-- Doesn't begin with the organization: the planner must find a job by its id, whatever it knows of the table.
create index reservations_day on quota.reservations (reserved_on, org_id);

call quota.isolate('reservations');

-- Organizations' own keys for language models. The contract checks `provider`.
create table quota.llm_configs (
  org_id uuid primary key,
  -- Id of the key: another key starts without failures.
  id uuid not null,
  provider text not null,
  model text not null,
  base_url text,
  options jsonb,
  sealed_key bytea not null,
  key_hint text not null,
  key_fingerprint text not null,
  -- The breaker is open before `retry_at`. Afterwards one call at a time may try, until `leased_until`.
  failures integer not null default 0 check (failures >= 0),
  trips integer not null default 0 check (trips >= 0),
  retry_at timestamptz,
  leased_until timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

call quota.isolate('llm_configs');

-- `quota.reserve` decides for several organizations in one statement, and sees only these.
create function quota.deciding_for()
returns uuid[]
language sql stable
as $$ select nullif(current_setting('app.org_ids', true), '')::uuid[] $$;

grant execute on function quota.deciding_for to leeway_quota;

create policy deciding on quota.usage to leeway_quota
  using (org_id = any ((select quota.deciding_for())::uuid[]));
create policy deciding on quota.reservations to leeway_quota
  using (org_id = any ((select quota.deciding_for())::uuid[]));
create policy deciding on quota.org_plans for select to leeway_quota
  using (org_id = any ((select quota.deciding_for())::uuid[]));
create policy deciding on quota.llm_configs for select to leeway_quota
  using (org_id = any ((select quota.deciding_for())::uuid[]));

-- An organization's plan, its caps (-1 is unlimited, 0 off), what its buckets have used, and whether it has its own key.
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

-- Jobs of an organization that request a slot, in their order, and its gates before.
create type quota.asked as (org uuid, jobs uuid[], gates quota.standing);

-- Jobs with a slot or without the need for one (`kept`), jobs that take one (`fresh`), and the gates afterwards.
create type quota.decision as (org uuid, gates quota.standing, kept uuid[], fresh uuid[]);

-- Audit entries written with their changes, until the gateway has them in its audit log.
create table quota.audit_outbox (
  org_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  actor jsonb not null,
  -- <entity>.<verb>
  action text not null,
  target_id text,
  details jsonb not null,
  request_id text not null,
  primary key (org_id, id)
);

call quota.isolate('audit_outbox');

-- Check values of the master keys that this service has had, to reject another key with the same id.
create table quota.master_keys (
  id text primary key,
  -- Derived from the key; reveals nothing about it.
  check_value bytea not null
);

grant select, insert on quota.master_keys to leeway_quota;
