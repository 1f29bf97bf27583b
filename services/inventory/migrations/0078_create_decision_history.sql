-- Decisions about each change.
create table inventory.decision_history (
  org_id uuid not null,
  fingerprint text not null,
  at timestamptz not null,
  cloud_account_id uuid not null,
  status text not null,
  ignored_until timestamptz,
  reason text,
  -- Null if nobody decided it: the change has another value, or the time of being ignored is over.
  decided_by jsonb,
  primary key (org_id, fingerprint, at)
);

create index decision_history_account on inventory.decision_history (org_id, cloud_account_id);
create index decision_history_at on inventory.decision_history (at);

call inventory.isolate('decision_history');
