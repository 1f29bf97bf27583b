-- Fixes of plan noise that the merge or pull request of a source should contain, until the code has them.
create table analyzer.requested_fixes (
  org_id uuid not null,
  source_id uuid not null,
  fingerprint text not null,
  strategy text not null check (strategy in ('auto', 'normalize', 'ignore_changes', 'upgrade_provider')),
  decided_by jsonb not null,
  decided_at timestamptz not null default now(),
  primary key (org_id, source_id, fingerprint)
);

call analyzer.isolate('requested_fixes');
