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
  -- When whoever works on it last gave a sign of life.
  touched_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, account_id) references inventory.cloud_accounts (org_id, id) on delete cascade
);

-- One scan at a time per account.
create unique index scans_active on inventory.scans (org_id, account_id) where status in ('queued', 'running');
create index scans_account on inventory.scans (org_id, account_id, id);
create index scans_open on inventory.scans (touched_at) where status in ('queued', 'running');

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
  -- An errored computation counts nothing and so reads 100: coverage_reliable tells it apart.
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
  primary key (org_id, id),
  foreign key (org_id, cloud_account_id) references inventory.cloud_accounts (org_id, id) on delete cascade
);

create index drift_snapshots_account on inventory.drift_snapshots (org_id, cloud_account_id, id);

call inventory.isolate('scans');
call inventory.isolate('drift_snapshots');

-- The sweeper's view across organizations: which scans wait although nobody works on them.
create function inventory.stalled_scans(older_than interval)
  returns table (org_id uuid, scan_id uuid)
  language sql
  security definer
  set search_path = ''
  as $$
    update inventory.scans
       set touched_at = now()
     where (org_id, id) in (
       select stalled.org_id, stalled.id
         from inventory.scans stalled
        where stalled.status in ('queued', 'running')
          and stalled.touched_at < now() - older_than
          for update skip locked
     )
    returning scans.org_id, scans.id
  $$;

grant execute on function inventory.stalled_scans to leeway_inventory;
revoke execute on function inventory.stalled_scans from public;
