-- Deliveries grow without end and leave by the day. Their ids are UUIDs of version 7, which begin with the
-- time: a range of ids is a day, and the primary key stays what it is.
create table webhooks.deliveries (
  org_id uuid not null,
  id uuid not null,
  config_id uuid not null,
  source text not null check (source in ('planner', 'vcs')),
  kind text,
  body_sha256 bytea not null,
  size integer not null,
  outcome text not null check (outcome in ('pending', 'processed', 'ignored', 'failed')),
  reason text,
  attempts integer not null default 0,
  received_at timestamptz not null default now(),
  -- When the sweeper last gave it to the bus.
  offered_at timestamptz,
  processed_at timestamptz,
  -- How often it was replayed: each time it is another job of the analyzer's.
  replays integer not null default 0,
  job_id uuid,
  comment_url text,
  primary key (org_id, id)
) partition by range (id);

create index deliveries_config on webhooks.deliveries (org_id, config_id, id);
create index deliveries_pending on webhooks.deliveries (id) where outcome = 'pending';

-- What a delivery brought: packed, encrypted, and gone before it is.
create table webhooks.bodies (
  org_id uuid not null,
  id uuid not null,
  sealed bytea not null,
  primary key (org_id, id)
) partition by range (id);

alter table webhooks.bodies alter column sealed set storage external; -- it is packed already

-- What that means, as JSON, its secrets masked; there until the analyzer has taken it.
create table webhooks.events (
  org_id uuid not null,
  id uuid not null,
  event text not null,
  offered_at timestamptz not null default now(),
  primary key (org_id, id)
) partition by range (id);

-- Bodies that are known, so that each is processed once in a while.
create table webhooks.recent_bodies (
  org_id uuid not null,
  source text not null,
  body_sha256 bytea not null,
  delivery_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (org_id, source, body_sha256)
);

create index recent_bodies_age on webhooks.recent_bodies using brin (received_at);

call webhooks.isolate('deliveries');
call webhooks.isolate('bodies');
call webhooks.isolate('events');
call webhooks.isolate('recent_bodies');
