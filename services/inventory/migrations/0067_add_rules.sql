-- Rules of organizations, which hide, raise or label drift changes, and findings and noise of plans.
create table inventory.rules (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  subjects text[] not null,
  -- In CEL, checked when it was saved.
  condition text not null,
  effect jsonb not null,
  reason text not null,
  owner text,
  enabled boolean not null,
  expires_at timestamptz,
  -- Whether its end was carried out, and when its coming end was announced.
  ended boolean not null default false,
  announced_at timestamptz,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint rules_name unique (org_id, name)
);

create index rules_ending on inventory.rules (expires_at) where enabled and not ended;

call inventory.isolate('rules');

-- Accounts whose current changes wait to be judged by changed rules.
create table inventory.due_rules (
  org_id uuid not null,
  cloud_account_id uuid not null,
  due_at timestamptz not null default now(),
  -- Counts the reasons, so that a worker doesn't delete one that it hasn't seen.
  version bigint not null default 1,
  primary key (org_id, cloud_account_id)
);

create index due_rules_due on inventory.due_rules (due_at);

call inventory.isolate('due_rules');

-- Effects of rules: `hidden_by`, `raised` with the earlier level, `labels`, and the ids of the rules. `risk_level` is the raised
-- level. Hiding has a column of its own, because lists filter by it.
alter table inventory.drift_changes add column effects jsonb, add column hidden_by uuid;
alter table inventory.drift_fingerprints add column hidden_by uuid;
alter table inventory.drift_snapshots add column hidden_count integer not null default 0;

create index drift_changes_ruled on inventory.drift_changes (org_id) where effects is not null;
