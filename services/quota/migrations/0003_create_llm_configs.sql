-- An organization's own key for a language model, and how its last calls went.
create table quota.llm_configs (
  org_id uuid primary key,
  -- Of the key: another one is another row's worth of failures.
  id uuid not null,
  provider text not null
    check (provider in ('anthropic', 'openai', 'azure_openai', 'bedrock', 'google', 'openai_compatible')),
  model text not null,
  base_url text,
  options jsonb,
  sealed_key bytea not null,
  key_hint text not null,
  key_fingerprint text not null,
  -- The breaker: open before retry_at; after it one call at a time may try, until leased_until.
  failures integer not null default 0 check (failures >= 0),
  trips integer not null default 0 check (trips >= 0),
  retry_at timestamptz,
  leased_until timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

call quota.isolate('llm_configs');
