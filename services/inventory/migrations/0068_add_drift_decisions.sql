-- Decisions on many changes at once, and what each change had before, so that they can be undone.
create table inventory.drift_decisions (
  org_id uuid not null,
  id uuid not null,
  status text not null check (status in ('open', 'acknowledged', 'ignored')),
  ignored_until timestamptz,
  reason text,
  decided_by jsonb not null,
  decided_count integer not null,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  restored_count integer,
  primary key (org_id, id)
);

create index drift_decisions_created on inventory.drift_decisions (created_at);

call inventory.isolate('drift_decisions');

create table inventory.decided_changes (
  org_id uuid not null,
  decision_id uuid not null,
  fingerprint text not null,
  cloud_account_id uuid not null,
  status text not null,
  ignored_until timestamptz,
  reason text,
  decided_by jsonb,
  decided_at timestamptz,
  primary key (org_id, decision_id, fingerprint)
);

call inventory.isolate('decided_changes');

-- The decision that a change has, if it was made on many at once.
alter table inventory.drift_fingerprints add column decision_id uuid;
