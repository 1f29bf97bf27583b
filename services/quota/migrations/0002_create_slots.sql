-- One row an organization: both gates are decided under one lock. A bucket that is over has no counter
-- any more, and the next slot that is taken begins the new one.
create table quota.usage (
  org_id uuid primary key,
  week_start timestamptz not null,
  week_used integer not null check (week_used >= 0),
  hour_start timestamptz not null,
  hour_used integer not null check (hour_used >= 0)
) with (fillfactor = 50); -- updated in place, time and again

-- A slot of a job. It ends consumed or released, never both.
create table quota.reservations (
  org_id uuid not null,
  -- The job's.
  id uuid not null,
  -- The buckets that it was taken from; null where the gate was unlimited.
  week_start timestamptz,
  hour_start timestamptz,
  state text not null check (state in ('held', 'consumed', 'released')),
  reserved_at timestamptz not null,
  -- The day of that in UTC.
  reserved_on date not null,
  -- Held for longer, its worker is dead.
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (org_id, id),
  check ((state = 'held') = (ended_at is null))
);

create index reservations_held on quota.reservations (expires_at) where state = 'held';
-- Not by organization first: a job must be found by its id, whatever the planner knows of the table.
create index reservations_day on quota.reservations (reserved_on, org_id);

call quota.isolate('usage');
call quota.isolate('reservations');
