-- Decisions about drift that the code of a source should follow, until the change is gone.
create table analyzer.settlements (
  org_id uuid not null,
  fingerprint text not null,
  source_id uuid not null,
  how text not null check (how in ('accept', 'forget')),
  decided_by jsonb not null,
  decided_at timestamptz not null default now(),
  primary key (org_id, fingerprint)
);

create index settlements_source on analyzer.settlements (org_id, source_id);

call analyzer.isolate('settlements');

-- The branch with the settlements of a source, and the repository that it is in.
create table analyzer.settlement_branches (
  org_id uuid not null,
  source_id uuid not null,
  branch text not null,
  repository jsonb not null,
  -- Addresses of the settled resources, each with how it is settled.
  promised jsonb not null default '[]',
  opened_at timestamptz not null default now(),
  -- When its request was last compared with the decisions.
  checked_at timestamptz not null default now(),
  primary key (org_id, source_id),
  constraint settlement_branches_unique unique (org_id, branch)
);

create index settlement_branches_due on analyzer.settlement_branches (checked_at);

call analyzer.isolate('settlement_branches');
