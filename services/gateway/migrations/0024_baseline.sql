-- Stands for the migrations up to 0024. Functions, views and triggers are in `repeatable/`.

create table identity.organizations (
  org_id uuid primary key,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Hidden since then. The row is deleted once every service has deleted the organization's data.
  deleted_at timestamptz,
  -- When its data was deleted. It is deleted once more when no earlier request or job can be running.
  forgotten_at timestamptz
);

call identity.isolate('organizations');

-- People as their identity provider names them. They belong to no organization by themselves.
create table identity.people (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  email text,
  name text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- Whether the identity provider had verified the address when the person was last seen. Only then do they get mail there.
  email_verified boolean not null default false,
  constraint people_unique unique (issuer, subject)
);

grant select, insert, update on identity.people to leeway_gateway;

create table identity.members (
  org_id uuid not null,
  id uuid not null,
  -- Null until the invited person has signed in.
  person_id uuid references identity.people (id),
  -- Null for a founder whose identity provider names none.
  email text,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  joined_at timestamptz,
  primary key (org_id, id),
  constraint members_person unique (org_id, person_id)
);

-- Addresses are compared without the database's locale: in Turkish, `I` isn't the capital of `i`.
create unique index members_email on identity.members (org_id, lower(email collate "C"));
create index members_of_person on identity.members (person_id);
create index members_invited on identity.members (lower(email collate "C")) where person_id is null;

call identity.isolate('members');

-- Sessions of people in the dashboard.
create table identity.sessions (
  -- SHA-256 of the browser's token.
  token_hash bytea primary key,
  person_id uuid not null references identity.people (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sessions_expires on identity.sessions (expires_at);

grant select, insert, delete on identity.sessions to leeway_gateway;

-- The creator of an organization, and whether it includes the free plan's narratives. It contains no organization's data, and is
-- kept for a week after a deletion: narratives used in that week count.
create table identity.foundings (
  organization_id uuid primary key,
  person_id uuid not null references identity.people (id) on delete cascade,
  is_free boolean not null,
  founded_at timestamptz not null default now(),
  -- When the organization was deleted.
  gone_at timestamptz
);

create index foundings_person on identity.foundings (person_id);

create table identity.api_keys (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  role text not null check (role in ('admin', 'member', 'viewer')),
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  -- Patterns of the repositories that the key may speak for; null for all.
  repositories text[],
  primary key (org_id, id)
);

call identity.isolate('api_keys');

-- Secrets of API keys: two while a rotation overlaps.
create table identity.api_key_secrets (
  org_id uuid not null,
  key_id uuid not null,
  lookup text primary key,
  hash bytea not null,
  created_at timestamptz not null default now(),
  -- End of the rotation's overlap.
  retired_at timestamptz,
  -- Id of the attempt that created it. A retry replaces the secret, because no one has received it.
  attempt_id uuid,
  foreign key (org_id, key_id) references identity.api_keys (org_id, id) on delete cascade
);

create index api_key_secrets_key on identity.api_key_secrets (org_id, key_id);

call identity.isolate('api_key_secrets');

-- CI jobs that an organization recognizes, by the claims of their host.
create table identity.ci_identities (
  org_id uuid not null,
  id uuid not null,
  issuer text not null,
  -- First segment of the repository's path, without stars, by which identities are found.
  namespace text not null,
  -- {"project_path" or "repository", "ref"?, "environment"?}; `*` stands for any characters.
  claims jsonb not null,
  role text not null check (role in ('member', 'viewer')),
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (org_id, id)
);

create index ci_identities_namespace on identity.ci_identities (issuer, namespace);

call identity.isolate('ci_identities');

-- Tokens of CI jobs, valid for minutes. Each is deleted with its identity.
create table identity.ci_tokens (
  org_id uuid not null,
  lookup text primary key,
  hash bytea not null,
  identity_id uuid not null,
  subject text not null,
  repository text not null,
  host text not null,
  expires_at timestamptz not null,
  foreign key (org_id, identity_id) references identity.ci_identities (org_id, id) on delete cascade
);

create index ci_tokens_identity on identity.ci_tokens (org_id, identity_id);
create index ci_tokens_expires on identity.ci_tokens (expires_at);

call identity.isolate('ci_tokens');

-- Exchanged id tokens, to accept each once. They belong to no organization.
create table identity.ci_exchanges (
  -- SHA-256 of issuer and `jti`.
  token_hash bytea primary key,
  expires_at timestamptz not null
);

create index ci_exchanges_expires on identity.ci_exchanges (expires_at);

grant select, insert on identity.ci_exchanges to leeway_gateway;

create table identity.audit_log (
  org_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  actor jsonb not null,
  -- <entity>.<verb>
  action text not null,
  -- Null if nothing was created.
  target_id text,
  details jsonb not null default '{}',
  -- Unknown until another service has answered; it stays unknown if the request was cut off.
  outcome text not null check (outcome in ('unknown', 'done', 'refused')),
  request_id text not null,
  -- Copied from the actor, because row-level security keeps indexes from looking into it.
  actor_id text generated always as (actor ->> 'id') stored,
  -- Entries with a known outcome form a chain per organization: each has the next number, the previous entry's hash and its own.
  sequence bigint,
  previous_hash bytea,
  hash bytea,
  primary key (org_id, id)
);

create index audit_log_at on identity.audit_log (at);
create index audit_log_action on identity.audit_log (org_id, action, id);
create index audit_log_actor on identity.audit_log (org_id, actor_id, id);
create unique index audit_log_sequence on identity.audit_log (org_id, sequence) where sequence is not null;

call identity.isolate('audit_log');

create table identity.audit_chains (
  org_id uuid primary key,
  -- Number and hash of the newest entry.
  sequence bigint not null,
  hash bytea not null,
  -- Number and hash of the newest expired entry: verification starts after it.
  kept_sequence bigint not null default 0,
  kept_hash bytea not null default ''
);

call identity.isolate('audit_chains');

create table identity.idempotency_keys (
  -- The nil UUID if the request names no organization.
  org_id uuid not null,
  caller text not null,
  key text not null,
  request_hash bytea not null,
  -- Null while the first request is running.
  sealed_answer bytea,
  created_at timestamptz not null default now(),
  -- Id of what the attempt creates, so that a retry after a failure creates nothing twice.
  attempt_id uuid,
  has_failed boolean not null default false,
  primary key (org_id, caller, key)
);

create index idempotency_keys_created on identity.idempotency_keys (created_at);

call identity.isolate('idempotency_keys');

-- Requests of the current minute, summed over all gateways. Unlogged, because it may be lost in a crash.
create unlogged table identity.rate_windows (
  subject text not null,
  window_start timestamptz not null,
  used integer not null,
  primary key (subject, window_start)
);

grant select, insert, update, delete on identity.rate_windows to leeway_gateway;

-- Check values of the master keys that this service has had, to reject another key with the same id.
create table identity.master_keys (
  id text primary key,
  -- Derived from the key; reveals nothing about it.
  check_value bytea not null
);

grant select, insert on identity.master_keys to leeway_gateway;
