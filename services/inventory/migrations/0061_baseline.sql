-- Stands for the migrations up to 0061. Functions, views and triggers are in `repeatable/`.

create table inventory.cloud_accounts (
  org_id uuid not null,
  id uuid not null,
  provider text not null,
  -- Module that knows its resources: aws, gcp, azure or other.
  cloud text not null,
  external_id text not null,
  name text,
  regions text[] not null default '{}',
  credential_kind text check (credential_kind in ('aws_role', 'gcp_wif', 'azure_federated', 'static')),
  sealed_credentials bytea,
  last_scan_id uuid,
  -- When a scan last saw the whole account, and every row that is still there.
  swept_at timestamptz,
  -- Types that any listing of the account has shown. A declared resource of such a type that isn't live is missing.
  observed_types text[] not null default '{}',
  -- Whether the last listing showed only tagged resources, so that an untagged one can't be missing from it.
  tagged_only boolean not null default false,
  live_count integer not null default 0,
  matched_count integer not null default 0,
  undeclared_count integer not null default 0,
  unchecked_count integer not null default 0,
  excluded_count integer not null default 0,
  missing_count integer not null default 0,
  -- Missing resources by the level of the loss.
  critical_losses integer not null default 0,
  high_losses integer not null default 0,
  medium_losses integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Regions that scans have looked at; null for all. Resources declared elsewhere aren't missing.
  observed_regions text[],
  -- Result of testing the account's present credentials; null if they haven't been tested.
  verification jsonb,
  -- Number of the latest finished snapshot.
  drift_number integer not null default 0,
  -- Id of a Google project that was added by its number, as a listing reported it.
  project_id text,
  -- The account's name in resource ids.
  named_as text not null generated always as (
    case when cloud = 'other' then external_id else lower(coalesce(project_id, external_id)) end
  ) stored,
  -- Types that the last listing was limited to; null if it wasn't.
  only_types text[],
  primary key (org_id, id),
  constraint cloud_accounts_unique unique (org_id, provider, named_as),
  check ((credential_kind is null) = (sealed_credentials is null))
);

call inventory.isolate('cloud_accounts');

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
  -- When its latest plan was submitted, and the SHA-256 of the report.
  planned_at timestamptz,
  plan_hash bytea,
  -- Where its state is read from; null if states are pushed.
  backend jsonb,
  sealed_backend_secret bytea,
  -- Version of the last state that was read, as the backend calls it.
  backend_edition text,
  read_at timestamptz,
  read_error jsonb,
  next_read_at timestamptz,
  -- Since when its backend can't be read, and whether the organization's channels were notified.
  unread_since timestamptz,
  unread_told boolean not null default false,
  -- Start of the reading whose result is stored. A reading that started before it and ends later is ignored.
  read_began_at timestamptz,
  -- Repository of its first plan; null until then.
  repository text,
  -- Code host with its port, if a plan named it.
  repository_host text,
  primary key (org_id, id),
  constraint iac_sources_unique unique (org_id, name),
  foreign key (org_id, cloud_account_id) references inventory.cloud_accounts (org_id, id)
    on delete set null (cloud_account_id)
);

create index iac_sources_account on inventory.iac_sources (org_id, cloud_account_id);
create index iac_sources_due on inventory.iac_sources (next_read_at) where next_read_at is not null;

call inventory.isolate('iac_sources');

-- Tables that a push fills with 100,000 rows have no foreign keys: each would cost a look-up per row, and the transaction locks the
-- parent anyway.
create table inventory.iac_resources (
  org_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  address text not null,
  module_address text,
  type text not null,
  -- Name of all variants of the type, in keys and in `observed_types`.
  canonical_type text not null,
  provider_name text,
  -- Cloud of the provider; 'other' for providers without a module.
  cloud text not null,
  -- Account, in lower case, and region that its identifiers name.
  account text,
  region text,
  keys text[] not null,
  -- Part of another resource of the state. It helps matching, and is never missing by itself.
  inline boolean not null,
  -- Whether listings of its cloud show the type.
  listed boolean not null,
  tagged boolean not null,
  loss text not null
    check (loss in ('key_material', 'container', 'stateful', 'maybe_stateful', 'serving', 'other')),
  -- Whether it is identified only by a part of an id, or in no account, so that no listing surely shows it. Then it isn't missing.
  is_unsure boolean not null default false,
  -- Whether a listing of tagged resources has shown it. Such listings also show formerly tagged resources, so it is missing if they
  -- no longer do, with or without tags in its state.
  shown_tagged boolean not null default false,
  primary key (org_id, id),
  constraint iac_resources_unique unique (org_id, source_id, address)
);

-- Explains a live resource's match by its keys.
create index iac_resources_keys on inventory.iac_resources using gin (keys);

call inventory.isolate('iac_resources');

-- Declared attributes that are compared: masked JSON as text. They aren't in `iac_resources`, because each push reads all of those.
create table inventory.declared_attributes (
  org_id uuid not null,
  iac_resource_id uuid not null,
  attributes text not null,
  -- Keys of the live resource that contains a separately declared part, such as a security group that contains a rule.
  whole_keys text[] not null default '{}',
  primary key (org_id, iac_resource_id)
);

create index declared_attributes_parts on inventory.declared_attributes (org_id) where whole_keys <> '{}';

call inventory.isolate('declared_attributes');

-- Findings of the latest plan of a source's state, until the state changes.
create table inventory.plan_changes (
  org_id uuid not null,
  source_id uuid not null,
  -- Position in the report.
  place integer not null,
  -- Drift that the plan's refresh found, or a declared change that isn't applied.
  kind text not null check (kind in ('drift', 'pending')),
  address text not null,
  -- Masked JSON as text: an element of the plan's `resource_drift`, or a pending change with its risk.
  content text not null,
  primary key (org_id, source_id, place)
);

call inventory.isolate('plan_changes');

-- Returns what two ids have in common if and only if they name the same resource: Azure's ids ignore case.
create function inventory.identity(provider_resource_id text)
returns text
language sql immutable parallel safe
as $$
  select case
    when starts_with(provider_resource_id, '/') -- faster for ids of other clouds
         and lower(left(provider_resource_id, 15) collate "C") = '/subscriptions/'
      then lower(provider_resource_id collate "C")
    else provider_resource_id
  end
$$;

create table inventory.live_resources (
  org_id uuid not null,
  id uuid not null,
  cloud_account_id uuid not null,
  provider_resource_id text not null,
  provider_type text not null,
  normalized_type text not null,
  region text,
  name text,
  content_hash bigint not null,
  -- Whether the catalog knows which type declares it.
  mapped boolean not null,
  keys text[] not null,
  owner_keys text[] not null,
  -- Rule that excludes it, unless it is declared or the rule is switched off.
  exclusion text,
  cloud_created_at text,
  enrichment_status text not null check (enrichment_status in ('none', 'enriched', 'failed', 'n/a')),
  enrichment_failure_reason text,
  enriched_at timestamptz,
  match_status text not null check (match_status in ('matched', 'undeclared', 'excluded', 'unchecked')),
  -- 1 identity, 2 id, 3 type and id, 4 name, 5 its owner.
  match_level smallint check (match_level between 1 and 5),
  match_conflict boolean not null default false,
  iac_resource_id uuid,
  -- JSON as text, because statements don't look into it.
  tags text,
  properties text,
  redactions text,
  first_seen_at timestamptz not null,
  seen_at timestamptz not null,
  -- Shards of the last scan that showed it; null if a pushed listing did.
  shards text[],
  -- When it was last seen, if later scans couldn't show whether it is still there.
  overlooked_since timestamptz,
  -- When a scan last read all of its properties, which listings don't show.
  read_at timestamptz,
  -- A listing writes changed resources as new rows with the next edition, and deletes the earlier rows in the same transaction.
  -- Until then it locks no row that others may update. One transaction at a time writes an account's editions.
  edition integer not null default 0,
  primary key (org_id, id, edition),
  check ((match_status = 'matched') = (iac_resource_id is not null))
) with (fillfactor = 85);

create unique index live_resources_unique on inventory.live_resources
  (org_id, inventory.identity(provider_resource_id), provider_type, cloud_account_id, edition);
create index live_resources_account on inventory.live_resources (org_id, cloud_account_id, id);

call inventory.isolate('live_resources');

-- Pairs of a declared and a live resource. A declaration that names no account may be found in several: it then has a row for
-- each, and none of them counts as matched.
create table inventory.matches (
  org_id uuid not null,
  iac_resource_id uuid not null,
  cloud_account_id uuid not null,
  live_resource_id uuid not null,
  level smallint not null check (level between 1 and 4),
  contested boolean not null,
  primary key (org_id, iac_resource_id, cloud_account_id)
);

create index matches_account on inventory.matches (org_id, cloud_account_id, live_resource_id);
create index matches_contested on inventory.matches (org_id, iac_resource_id) where contested;

call inventory.isolate('matches');

-- Declared resources without a match in an account that has several live candidates with their keys. They aren't missing.
create table inventory.ambiguities (
  org_id uuid not null,
  iac_resource_id uuid not null,
  cloud_account_id uuid not null,
  primary key (org_id, iac_resource_id, cloud_account_id)
);

create index ambiguities_account on inventory.ambiguities (org_id, cloud_account_id);

call inventory.isolate('ambiguities');

-- Results of a source's resources at the last matching, by cloud and by the account that they name ('' for none).
create table inventory.source_counts (
  org_id uuid not null,
  source_id uuid not null,
  cloud text not null,
  account text not null,
  -- Account that it counted for; null if there was none then.
  cloud_account_id uuid,
  matched integer not null,
  missing integer not null,
  unobserved integer not null,
  primary key (org_id, source_id, cloud, account)
);

call inventory.isolate('source_counts');

-- Whether an organization's `source_counts` are right. Without a row they aren't.
create table inventory.counted_orgs (
  org_id uuid primary key,
  is_right boolean not null
);

call inventory.isolate('counted_orgs');

create table inventory.disabled_exclusions (
  org_id uuid not null,
  rule_id text not null,
  primary key (org_id, rule_id)
);

call inventory.isolate('disabled_exclusions');

create table inventory.scans (
  org_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('inventory', 'drift', 'full')),
  trigger text not null check (trigger in ('manual', 'schedule', 'api', 'webhook', 'push')),
  status text not null check (status in ('queued', 'running', 'succeeded', 'partial', 'failed', 'canceled')),
  phase text not null check (phase in ('discover', 'match', 'drift')),
  requested_by jsonb not null,
  format text,
  stats jsonb not null default '{}',
  errors jsonb not null default '[]',
  drift_snapshot_id uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- Last sign of life of its worker.
  touched_at timestamptz not null default now(),
  schedule_id uuid,
  -- Whether its schedule and the channels know that it has ended.
  settled boolean not null default false,
  -- Empty for all regions of the account.
  regions text[] not null default '{}',
  -- Worker that reads the cloud. Any other worker changes nothing.
  worker uuid,
  -- Times it was started since it last made progress.
  attempts integer not null default 0,
  primary key (org_id, id),
  foreign key (org_id, account_id) references inventory.cloud_accounts (org_id, id) on delete cascade
);

-- One scan at a time per account.
create unique index scans_active on inventory.scans (org_id, account_id) where status in ('queued', 'running');
create index scans_account on inventory.scans (org_id, account_id, id);
create index scans_open on inventory.scans (touched_at) where status in ('queued', 'running');
create index scans_schedule on inventory.scans (org_id, schedule_id, finished_at) where schedule_id is not null;
create index scans_unsettled on inventory.scans (finished_at)
  where not settled and (status = 'failed' or schedule_id is not null);
create index scans_created on inventory.scans (created_at);
-- An account's scans end one after the other by the database's clock. Their ids come from the clocks of requesters.
create index scans_read on inventory.scans (org_id, account_id, finished_at)
  where status in ('succeeded', 'partial') and kind <> 'drift';

call inventory.isolate('scans');

-- Parts of a running scan that reads a cloud. A worker that takes the scan over continues with the pending ones.
create table inventory.scan_shards (
  org_id uuid not null,
  scan_id uuid not null,
  number integer not null,
  service text not null,
  region text,
  -- Name in `live_resources.shards`.
  key text not null,
  status text not null default 'pending' check (status in ('pending', 'listed', 'failed')),
  attempts integer not null default 0,
  seen integer not null default 0,
  foreign_count integer not null default 0,
  formats text[] not null default '{}',
  error_code text,
  error_message text,
  -- Types that failed, if not all of the shard's did.
  failed_types text[],
  -- When its result was stored or, if it is pending, when it was planned.
  touched_at timestamptz not null default now(),
  -- The cloud's types of which it shows only tagged resources.
  tagged_types text[] not null default '{}',
  -- Properties that its listing lacks because access was denied. Their known values stay.
  untold text[],
  primary key (org_id, scan_id, number),
  foreign key (org_id, scan_id) references inventory.scans (org_id, id) on delete cascade
);

create index scan_shards_key on inventory.scan_shards (org_id, scan_id, key);

call inventory.isolate('scan_shards');

-- Resources that shards have listed so far, as redacted lines of COPY. They live for minutes, so they aren't compressed.
create table inventory.scan_pages (
  org_id uuid not null,
  scan_id uuid not null,
  shard integer not null,
  number integer not null,
  lines text storage external not null,
  primary key (org_id, scan_id, shard, number),
  foreign key (org_id, scan_id) references inventory.scans (org_id, id) on delete cascade
);

call inventory.isolate('scan_pages');

-- Gaps of the last scan: nothing declared there is missing. Null means every region or type.
create table inventory.blind_spots (
  org_id uuid not null,
  cloud_account_id uuid not null,
  region text,
  canonical_type text,
  -- Whether it looked at tagged resources there.
  untagged_only boolean not null default false,
  foreign key (org_id, cloud_account_id) references inventory.cloud_accounts (org_id, id) on delete cascade
);

create index blind_spots_account on inventory.blind_spots (org_id, cloud_account_id, canonical_type);

call inventory.isolate('blind_spots');

create table inventory.scan_schedules (
  org_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  cron text not null,
  timezone text not null,
  -- `{start, end, timezone}`: when scans may begin; null for always.
  run_window jsonb,
  enabled boolean not null,
  -- When it is due, and when it last queued or skipped a scan.
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_scan_id uuid,
  skipped_at timestamptz,
  skip_reason text,
  -- Failed scans in a row, of those that ended after `counted_from`.
  consecutive_failures integer not null default 0,
  counted_from timestamptz not null default now(),
  disabled_at timestamptz,
  disabled_reason text,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, account_id) references inventory.cloud_accounts (org_id, id) on delete cascade,
  check (enabled = (next_run_at is not null))
);

create index scan_schedules_account on inventory.scan_schedules (org_id, account_id);
create index scan_schedules_due on inventory.scan_schedules (next_run_at) where enabled;
create index scan_schedules_ahead on inventory.scan_schedules (last_run_at) where enabled;

call inventory.isolate('scan_schedules');

-- Outbox of notifications.
create table inventory.notices (
  org_id uuid not null,
  id uuid not null,
  -- Input of `webhooks.notifications.publish` without the organization, as JSON text.
  publication text not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  primary key (org_id, id)
);

create index notices_due on inventory.notices (next_attempt_at);

call inventory.isolate('notices');

create table inventory.drift_snapshots (
  org_id uuid not null,
  id uuid not null,
  cloud_account_id uuid not null,
  scan_id uuid,
  status text not null check (status in ('pending', 'ready', 'error')),
  error_code text,
  error_message text,
  live_count integer not null default 0,
  matched_count integer not null default 0,
  undeclared_count integer not null default 0,
  unchecked_count integer not null default 0,
  excluded_count integer not null default 0,
  missing_count integer not null default 0,
  -- A failed computation counts nothing and so has 100, but isn't reliable.
  coverage_pct numeric(5, 2) not null generated always as (
    case when live_count = 0 then 100 else round(100.0 * matched_count / live_count, 2) end
  ) stored,
  coverage_reliable boolean not null generated always as (
    status = 'ready' and unchecked_count * 20 < greatest(live_count, 1)
  ) stored,
  critical_count integer not null default 0,
  high_count integer not null default 0,
  medium_count integer not null default 0,
  low_count integer not null default 0,
  risk_level text not null generated always as (
    case
      when critical_count > 0 then 'critical'
      when high_count > 0 then 'high'
      when medium_count > 0 then 'medium'
      when low_count > 0 then 'low'
      else 'none'
    end
  ) stored,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Text of the snapshot, or the failure of the model that should write it.
  narrative jsonb,
  changed_count integer not null default 0,
  -- Position among the account's finished snapshots.
  number integer,
  -- Whether it has something new, and no narrative was requested yet.
  wordless boolean not null default false,
  -- When a worker last took it up.
  touched_at timestamptz not null default now(),
  -- Undeclared resources by risk level, without ignored ones; null in failed snapshots, and in those of earlier versions.
  undeclared_critical_count integer,
  undeclared_high_count integer,
  undeclared_medium_count integer,
  undeclared_low_count integer,
  primary key (org_id, id),
  foreign key (org_id, cloud_account_id) references inventory.cloud_accounts (org_id, id) on delete cascade
);

create index drift_snapshots_account on inventory.drift_snapshots (org_id, cloud_account_id, id);
create index drift_snapshots_number on inventory.drift_snapshots (org_id, cloud_account_id, number);
create index drift_snapshots_unfinished on inventory.drift_snapshots (touched_at)
  where status = 'pending' or wordless;
create index drift_snapshots_created on inventory.drift_snapshots (created_at);

call inventory.isolate('drift_snapshots');

-- Returns the position of a risk level, worst first. It uses only `case` and `=`, which the planner knows to be leakproof: with any
-- other function, row-level security would keep the index from being used.
create function inventory.risk_rank(risk_level text)
returns integer
language sql immutable
as $$
  select case risk_level when 'critical' then 1 when 'high' then 2 when 'medium' then 3 when 'low' then 4 when 'none' then 5 end
$$;

-- Differences between declared and live resources. Each row is unchanged in snapshots from `from_number` until before
-- `until_number`. Partitions are the months in which changes ended.
create table inventory.drift_changes (
  org_id uuid not null,
  id uuid not null,
  cloud_account_id uuid not null,
  fingerprint text not null,
  kind text not null check (kind in ('changed', 'missing', 'undeclared', 'pending')),
  risk_level text not null check (risk_level in ('critical', 'high', 'medium', 'low', 'none')),
  -- Whether all of it is noise.
  hidden boolean not null,
  -- Everything else as JSON text, and its hash.
  content text not null,
  content_hash text not null,
  from_number integer not null,
  until_number integer,
  gone_at timestamptz not null default 'infinity',
  primary key (org_id, cloud_account_id, fingerprint, gone_at),
  check ((until_number is null) = (gone_at = 'infinity'))
) partition by range (gone_at);

create index drift_changes_worst on inventory.drift_changes (org_id, inventory.risk_rank(risk_level), id);

call inventory.isolate('drift_changes');

-- Changes that an account's snapshots have shown, and people's decisions about them.
create table inventory.drift_fingerprints (
  org_id uuid not null,
  fingerprint text not null,
  cloud_account_id uuid not null,
  kind text not null,
  risk_level text not null,
  hidden boolean not null,
  -- Differs if a value differs.
  values_hash text not null,
  first_seen_at timestamptz not null default now(),
  -- Snapshot since which every snapshot has it, and the number of earlier ones with it.
  from_number integer not null,
  seen_before integer not null default 0,
  gone_at timestamptz,
  status text not null default 'open' check (status in ('open', 'acknowledged', 'ignored')),
  ignored_until timestamptz,
  reason text,
  decided_by jsonb,
  -- The author of the change according to the cloud's audit log, the period to search, and the time of the next search: logs are late.
  actor jsonb,
  actor_between tstzrange,
  actor_due_at timestamptz,
  actor_tries smallint not null default 0,
  primary key (org_id, fingerprint)
);

create index drift_fingerprints_account on inventory.drift_fingerprints (org_id, cloud_account_id);
create index drift_fingerprints_ignored on inventory.drift_fingerprints (ignored_until) where status = 'ignored';
create index drift_fingerprints_actor_due on inventory.drift_fingerprints (actor_due_at) where actor_due_at is not null;
create index drift_fingerprints_gone on inventory.drift_fingerprints (gone_at) where gone_at is not null;

call inventory.isolate('drift_fingerprints');

-- Keys that sign this installation's id tokens for clouds that trust its issuer.
create table inventory.signing_keys (
  id uuid primary key,
  sealed_key bytea not null,
  public_jwk jsonb not null,
  created_at timestamptz not null default now()
);

grant select, insert, delete on inventory.signing_keys to leeway_inventory;

-- Audit entries written with their changes, until the gateway has them in its audit log.
create table inventory.audit_outbox (
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

call inventory.isolate('audit_outbox');

-- Check values of the master keys that this service has had, to reject another key with the same id.
create table inventory.master_keys (
  id text primary key,
  -- Derived from the key; reveals nothing about it.
  check_value bytea not null
);

grant select, insert on inventory.master_keys to leeway_inventory;
