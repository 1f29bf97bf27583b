-- Kinds of plan noise that an organization's plans had.
create table analyzer.noise (
  org_id uuid not null,
  fingerprint text not null,
  class text not null,
  title text not null,
  resource_type text not null,
  provider_name text not null,
  path_pattern text not null,
  confidence double precision not null,
  -- JSON, masked: what it looked like last.
  sample text not null,
  -- Where it was seen last.
  addresses text[] not null default '{}',
  -- Of tags that others set.
  keys text[] not null default '{}',
  occurrences integer not null default 0,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  status text not null default 'active' check (status in ('active', 'muted', 'fixed')),
  muted_until timestamptz,
  muted_reason text,
  fix_job_id uuid,
  primary key (org_id, fingerprint)
);

-- In which projects, and how often again after an apply.
create table analyzer.noise_projects (
  org_id uuid not null,
  fingerprint text not null,
  project text not null,
  repeats integer not null default 0,
  last_seen_at timestamptz not null default now(),
  primary key (org_id, fingerprint, project)
);

-- When a project's plan was last applied.
create table analyzer.applied_projects (
  org_id uuid not null,
  project text not null,
  applied_at timestamptz not null default now(),
  primary key (org_id, project)
);

create table analyzer.settings (
  org_id uuid primary key,
  risk_profile text check (risk_profile in ('baseline', 'strict')),
  comment_min_risk text check (comment_min_risk in ('critical', 'high', 'medium', 'low', 'none')),
  drift_narratives boolean
);

call analyzer.isolate('noise');
call analyzer.isolate('noise_projects');
call analyzer.isolate('applied_projects');
call analyzer.isolate('settings');
