-- Stands for the migrations up to 0018. Functions, views and triggers are in `repeatable/`.

-- Work that may call a model, and what webhooks brought. A job's id is that of its model slot and, if a delivery brought it, of the
-- delivery: so neither is used twice. Ids are UUIDs of version 7, so a range of ids is a day.
create table analyzer.jobs (
  org_id uuid not null,
  id uuid not null,
  kind text not null check (kind in (
    'analyze', 'plan_noise_fix', 'drift_narrative', 'merge_request', 'comment', 'plan_report', 'plan_comment'
  )),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'error')),
  -- The subject of the job, without the plan.
  subject jsonb not null,
  -- Result as JSON. A job that waits for its comment has it before it is done.
  result text,
  -- Result of a fix, sealed because it contains the caller's code.
  sealed_result bytea,
  error_code text,
  error_message text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  -- When the sweep last published it, or a later time until which it is left alone.
  offered_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  -- Copied from the result, which is large, for lists.
  risk_level text check (risk_level in ('critical', 'high', 'medium', 'low', 'none')),
  gate_passed boolean,
  primary key (org_id, id)
) partition by range (id);

create index jobs_waiting on analyzer.jobs (id) where status in ('queued', 'running');

call analyzer.isolate('jobs');

-- Plans and sources of jobs: masked, compressed and sealed. They are deleted before their jobs.
create table analyzer.inputs (
  org_id uuid not null,
  id uuid not null,
  sealed bytea storage external not null,
  primary key (org_id, id)
) partition by range (id);

call analyzer.isolate('inputs');

-- The latest analysis of each project of a merge or pull request. Services of earlier versions write it; the present ones write
-- `hosted_reviews`.
create table analyzer.reviews (
  org_id uuid not null,
  repository text not null,
  number integer not null,
  project text not null,
  -- The kind of code host for comments, and the config with its token.
  source text not null check (source in ('planner', 'vcs')),
  config_id uuid,
  job_id uuid not null,
  comment_url text,
  commented_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (org_id, repository, number, project)
);

call analyzer.isolate('reviews');

-- The latest analysis of each project of a merge or pull request, and its comment. Two hosts may have the same path and number.
create table analyzer.hosted_reviews (
  org_id uuid not null,
  -- Empty if no plan has named it.
  host text not null,
  repository text not null,
  number integer not null,
  project text not null,
  -- The kind of code host for comments, and the config with its token.
  source text not null check (source in ('planner', 'vcs')),
  config_id uuid,
  job_id uuid not null,
  comment_url text,
  commented_at timestamptz,
  updated_at timestamptz not null default now(),
  -- Commits that the comment is about, now and before.
  comment_commit text,
  previous_commit text,
  primary key (org_id, repository, number, project, host)
);

call analyzer.isolate('hosted_reviews');

-- Kinds of noise in an organization's plans.
create table analyzer.noise (
  org_id uuid not null,
  fingerprint text not null,
  class text not null,
  title text not null,
  resource_type text not null,
  provider_name text not null,
  path_pattern text not null,
  confidence double precision not null,
  -- Latest example, as masked JSON.
  sample text not null,
  -- Addresses and tag keys of `noise_projects`, for services of earlier versions.
  addresses text[] not null default '{}',
  keys text[] not null default '{}',
  occurrences integer not null default 0,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  status text not null default 'active' check (status in ('active', 'muted')),
  muted_until timestamptz,
  muted_reason text,
  fix_job_id uuid,
  primary key (org_id, fingerprint)
);

call analyzer.isolate('noise');

-- Projects that have a noise.
create table analyzer.noise_projects (
  org_id uuid not null,
  fingerprint text not null,
  project text not null,
  -- How often it came back after an apply.
  repeats integer not null default 0,
  last_seen_at timestamptz not null default now(),
  -- Since when the project's plans are without it; null while they have it.
  gone_at timestamptz,
  -- Latest addresses in this project.
  addresses text[] not null default '{}',
  -- Keys of tags that others set.
  keys text[] not null default '{}',
  primary key (org_id, fingerprint, project)
);

create index noise_projects_open on analyzer.noise_projects (org_id, project) where gone_at is null;

call analyzer.isolate('noise_projects');

-- Noise that a comment has muted, only in plans of its repository.
create table analyzer.noise_mutes (
  org_id uuid not null,
  fingerprint text not null,
  repository text not null,
  muted_until timestamptz,
  reason text,
  decided_by jsonb not null,
  decided_at timestamptz not null default now(),
  primary key (org_id, fingerprint, repository),
  foreign key (org_id, fingerprint) references analyzer.noise (org_id, fingerprint) on delete cascade
);

call analyzer.isolate('noise_mutes');

-- When each project's plan was last applied.
create table analyzer.applied_projects (
  org_id uuid not null,
  project text not null,
  applied_at timestamptz not null default now(),
  primary key (org_id, project)
);

call analyzer.isolate('applied_projects');

create table analyzer.settings (
  org_id uuid primary key,
  -- `profile` under its former names, for services of earlier versions.
  risk_profile text check (risk_profile in ('baseline', 'strict')),
  comment_min_risk text check (comment_min_risk in ('critical', 'high', 'medium', 'low', 'none')),
  drift_narratives boolean,
  profile text check (profile in ('standard', 'lenient')),
  -- Limit on what comments may decide; null is `acknowledge`.
  comment_decisions text check (comment_decisions in ('none', 'acknowledge', 'ignore'))
);

call analyzer.isolate('settings');

-- Audit entries written with their changes, until the gateway has them in its audit log.
create table analyzer.audit_outbox (
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

call analyzer.isolate('audit_outbox');

-- Check values of the master keys that this service has had, to reject another key with the same id.
create table analyzer.master_keys (
  id text primary key,
  -- Derived from the key; reveals nothing about it.
  check_value bytea not null
);

grant select, insert on analyzer.master_keys to leeway_analyzer;
