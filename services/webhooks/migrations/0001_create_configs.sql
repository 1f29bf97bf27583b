create table webhooks.configs (
  org_id uuid not null,
  id uuid not null,
  source text not null check (source in ('planner', 'vcs')),
  name text,
  repo_path text,
  enabled boolean not null,
  provider_base_url text,
  sealed_api_token bytea,
  -- What the code host said of the token when it was last asked.
  token_name text,
  token_username text,
  token_scopes text[],
  token_expires_on date,
  token_checked_at timestamptz,
  token_error text,
  last_event_at timestamptz,
  last_status text check (last_status in ('accepted', 'duplicate', 'ignored', 'rejected')),
  consecutive_rejects integer not null default 0,
  last_reject_at timestamptz,
  last_reject_reason text,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  check ((sealed_api_token is null) = (source = 'planner'))
);

create index configs_source on webhooks.configs (org_id, source);

-- A config has one secret without an end, and after a rotation the one before until it ends.
create table webhooks.secrets (
  org_id uuid not null,
  config_id uuid not null,
  -- The first 14 characters of the secret.
  prefix text not null check (length(prefix) = 14),
  sealed bytea not null,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, config_id, prefix),
  foreign key (org_id, config_id) references webhooks.configs (org_id, id) on delete cascade
);

create unique index secrets_current on webhooks.secrets (org_id, config_id) where expires_at is null;

call webhooks.isolate('configs');
call webhooks.isolate('secrets');
