create table inventory.cloud_accounts (
  org_id uuid not null,
  id uuid not null,
  provider text not null,
  -- The module that knows its resources: aws, gcp, azure, or other.
  cloud text not null,
  external_id text not null,
  name text,
  regions text[] not null default '{}',
  credential_kind text check (credential_kind in ('aws_role', 'gcp_wif', 'azure_federated', 'static')),
  sealed_credentials bytea,
  last_scan_id uuid,
  -- When a scan last saw the whole account: each row that is still there was seen then.
  swept_at timestamptz,
  -- Types that a listing of this account has ever shown; what is declared of them and not live is missing.
  observed_types text[] not null default '{}',
  -- The last listing showed tagged resources only, so that an untagged one can't be missed in it.
  tagged_only boolean not null default false,
  live_count integer not null default 0,
  matched_count integer not null default 0,
  undeclared_count integer not null default 0,
  unchecked_count integer not null default 0,
  excluded_count integer not null default 0,
  missing_count integer not null default 0,
  -- What the missing ones mean: how many of them are a loss of which level.
  critical_losses integer not null default 0,
  high_losses integer not null default 0,
  medium_losses integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint cloud_accounts_unique unique (org_id, provider, external_id),
  check ((credential_kind is null) = (sealed_credentials is null))
);

create table inventory.iac_sources (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  cloud_account_id uuid,
  kind text check (kind in ('terraform', 'pulumi', 'cloudformation')),
  serial bigint,
  lineage text,
  content_hash bytea,
  resource_count integer not null default 0,
  pushed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint iac_sources_unique unique (org_id, name),
  foreign key (org_id, cloud_account_id) references inventory.cloud_accounts (org_id, id)
    on delete set null (cloud_account_id)
);

create index iac_sources_account on inventory.iac_sources (org_id, cloud_account_id);

-- No foreign key here or on any table that a push fills by the hundred thousand: each would cost a
-- look-up a row, and the transaction that fills it holds its parent anyway.
create table inventory.iac_resources (
  org_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  address text not null,
  module_address text,
  type text not null,
  -- The name under which every variant of the type is known, in keys and in observed_types.
  canonical_type text not null,
  provider_name text,
  -- Which cloud it belongs to; 'other' for every provider without a module of its own.
  cloud text not null,
  -- The account, in lower case, and the region that its own identifiers name.
  account text,
  region text,
  keys text[] not null,
  -- Held inside another resource of the state; it helps to match and is never missing by itself.
  inline boolean not null,
  -- Its cloud lists the type in its own right.
  listed boolean not null,
  tagged boolean not null,
  loss text not null check (loss in ('stateful', 'key_material', 'container', 'serving', 'other')),
  primary key (org_id, id),
  constraint iac_resources_unique unique (org_id, source_id, address)
);

-- For one live resource's keys: why does it match, or not?
create index iac_resources_keys on inventory.iac_resources using gin (keys);

call inventory.isolate('cloud_accounts');
call inventory.isolate('iac_sources');
call inventory.isolate('iac_resources');
