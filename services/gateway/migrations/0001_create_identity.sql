create table identity.organizations (
  org_id uuid primary key,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Nobody sees it from then on; the row goes when every service has forgotten it.
  deleted_at timestamptz
);

-- People as their identity provider names them; they belong to no organization by themselves.
create table identity.people (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  email text,
  name text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  constraint people_unique unique (issuer, subject)
);

create table identity.members (
  org_id uuid not null,
  id uuid not null,
  -- Null until the invited person has logged in.
  person_id uuid references identity.people (id),
  -- Null for a founder whose identity provider names none.
  email text,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  joined_at timestamptz,
  primary key (org_id, id),
  constraint members_person unique (org_id, person_id)
);
create unique index members_email on identity.members (org_id, lower(email));
create index members_of_person on identity.members (person_id);
create index members_invited on identity.members (lower(email)) where person_id is null;

create table identity.api_keys (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  role text not null check (role in ('admin', 'member', 'viewer')),
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  primary key (org_id, id)
);

-- A key has two secrets while a rotation overlaps.
create table identity.api_key_secrets (
  org_id uuid not null,
  key_id uuid not null,
  lookup text primary key,
  hash bytea not null,
  created_at timestamptz not null default now(),
  -- When the rotation's overlap is over.
  retired_at timestamptz,
  foreign key (org_id, key_id) references identity.api_keys (org_id, id) on delete cascade
);
create index api_key_secrets_key on identity.api_key_secrets (org_id, key_id);

create table identity.audit_log (
  org_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  actor jsonb not null,
  -- <entity>.<verb>
  action text not null,
  -- Null for what was never made.
  target_id text,
  details jsonb not null default '{}',
  -- Written before another service is asked, and settled after: what stays unknown was cut off.
  outcome text not null check (outcome in ('unknown', 'done', 'refused')),
  request_id text not null,
  primary key (org_id, id)
);
create index audit_log_at on identity.audit_log (at);

create table identity.idempotency_keys (
  -- The nil uuid where the request names no organization.
  org_id uuid not null,
  caller text not null,
  key text not null,
  request_hash bytea not null,
  -- Null while the first request is under way.
  sealed_answer bytea,
  created_at timestamptz not null default now(),
  primary key (org_id, caller, key)
);
create index idempotency_keys_created on identity.idempotency_keys (created_at);

call identity.isolate('organizations');
call identity.isolate('members');
call identity.isolate('api_keys');
call identity.isolate('api_key_secrets');
call identity.isolate('audit_log');
call identity.isolate('idempotency_keys');
grant select, insert, update on identity.people to leeway_gateway;

-- Requests of the current minute, summed over all gateways. It needn't outlive a crash.
create unlogged table identity.rate_windows (
  subject text not null,
  window_start timestamptz not null,
  used integer not null,
  primary key (subject, window_start)
);
grant select, insert, update, delete on identity.rate_windows to leeway_gateway;
