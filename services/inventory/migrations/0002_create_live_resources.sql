create table inventory.live_resources (
  org_id uuid not null,
  id uuid not null,
  cloud_account_id uuid not null,
  provider_resource_id text not null,
  provider_type text not null,
  normalized_type text not null,
  canonical_type text not null,
  region text,
  name text,
  -- The members of its JSON that only a scan changes, ready to be put into a page.
  head text not null,
  content_hash bigint not null,
  -- Whether the catalog knows what would declare it.
  mapped boolean not null,
  keys text[] not null,
  owner_keys text[] not null,
  -- The rule that would exclude it, unless it is declared or the rule is switched off.
  exclusion text,
  cloud_created_at text,
  enrichment_status text not null check (enrichment_status in ('none', 'enriched', 'failed', 'n/a')),
  enrichment_failure_reason text,
  enriched_at timestamptz,
  match_status text not null check (match_status in ('matched', 'undeclared', 'excluded', 'unchecked')),
  match_key text,
  match_level text check (match_level in ('identity', 'id', 'type_id', 'name', 'owner')),
  match_conflict boolean not null default false,
  iac_resource_id uuid,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (org_id, id),
  constraint live_resources_unique unique (org_id, provider_resource_id, provider_type, cloud_account_id),
  check ((match_status = 'matched') = (iac_resource_id is not null))
) with (fillfactor = 80);

create index live_resources_account on inventory.live_resources (org_id, cloud_account_id, id);

create table inventory.resource_properties (
  org_id uuid not null,
  resource_id uuid not null,
  tags jsonb,
  properties jsonb,
  redactions jsonb,
  primary key (org_id, resource_id)
);

-- Which declared resource is which live one. A declaration that names no account can be found in
-- several; then it is in each of them, and none of them is matched.
create table inventory.matches (
  org_id uuid not null,
  iac_resource_id uuid not null,
  cloud_account_id uuid not null,
  live_resource_id uuid not null,
  key text not null,
  level text not null check (level in ('identity', 'id', 'type_id', 'name')),
  primary key (org_id, iac_resource_id, cloud_account_id)
);

create index matches_live on inventory.matches (org_id, live_resource_id);
create index matches_account on inventory.matches (org_id, cloud_account_id);

create table inventory.disabled_exclusions (
  org_id uuid not null,
  rule_id text not null,
  primary key (org_id, rule_id)
);

call inventory.isolate('live_resources');
call inventory.isolate('resource_properties');
call inventory.isolate('matches');
call inventory.isolate('disabled_exclusions');
