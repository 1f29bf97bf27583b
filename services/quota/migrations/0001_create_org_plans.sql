-- Organizations without a row are on the free plan.
create table quota.org_plans (
  org_id uuid primary key,
  plan text not null check (plan in ('free', 'team', 'enterprise')),
  -- What a contract sets in place of the plan's own cap: -1 unlimited, 0 hard-off.
  weekly_override integer check (weekly_override >= -1),
  hourly_override integer check (hourly_override >= -1),
  updated_at timestamptz not null default now()
);

call quota.isolate('org_plans');
