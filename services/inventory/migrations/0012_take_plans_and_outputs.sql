-- What the latest plan of a source's state says of it, until the state is another one.
create table inventory.plan_changes (
  org_id uuid not null,
  source_id uuid not null,
  -- In the report.
  place integer not null,
  -- What the plan's refresh found, or what is declared and not yet applied.
  kind text not null check (kind in ('drift', 'pending')),
  address text not null,
  -- JSON as text, masked: an element of a plan's resource_drift, or a pending change as it is judged.
  content text not null,
  primary key (org_id, source_id, place)
);

call inventory.isolate('plan_changes');

alter table inventory.iac_sources
  -- When that plan was submitted, and the SHA-256 of what it says.
  add column planned_at timestamptz,
  add column plan_hash bytea;

-- Outputs of Pulumi's resources are kept from the next push on, so that the stack that is known is taken once more.
update inventory.iac_sources set content_hash = null where kind = 'pulumi';
