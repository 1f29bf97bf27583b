-- Work that may call a model, and what webhooks brought; kept by the day of its id, a UUID of version 7.
-- The id is the model slot's too, and a delivery's where one brought it: neither is taken twice.
create table analyzer.jobs (
  org_id uuid not null,
  id uuid not null,
  kind text not null
    check (kind in ('analyze', 'plan_noise_fix', 'drift_narrative', 'merge_request', 'comment')),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'error')),
  -- What it is about and how it is wanted; no plan.
  subject jsonb not null,
  -- JSON of what it came to; there before the job is done while its comment isn't.
  result text,
  -- The same, of a fix: it holds the caller's own code, with whatever is in it.
  sealed_result bytea,
  error_code text,
  error_message text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  -- When it was last given to the bus by the sweep.
  offered_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (org_id, id)
) partition by range (id);

create index jobs_waiting on analyzer.jobs (id) where status in ('queued', 'running');

-- A job's plan or sources: masked, packed, encrypted, and gone before it is.
create table analyzer.inputs (
  org_id uuid not null,
  id uuid not null,
  sealed bytea not null,
  primary key (org_id, id)
) partition by range (id);

alter table analyzer.inputs alter column sealed set storage external; -- it is packed already

-- The latest analysis of each project of a merge or pull request, and the comment that tells it.
create table analyzer.reviews (
  org_id uuid not null,
  repository text not null,
  number integer not null,
  project text not null,
  -- Where comments go: which kind of code host, and by whose token.
  source text not null check (source in ('planner', 'vcs')),
  config_id uuid,
  job_id uuid not null,
  comment_url text,
  commented_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (org_id, repository, number, project)
);

call analyzer.isolate('jobs');
call analyzer.isolate('inputs');
call analyzer.isolate('reviews');
