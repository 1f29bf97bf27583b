create table inventory.scan_schedules (
  org_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  cron text not null,
  timezone text not null,
  -- `{start, end, timezone}`: when scans may begin; null is always.
  run_window jsonb,
  enabled boolean not null,
  -- When it is due, and when it last was: then a scan was queued, or skipped.
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_scan_id uuid,
  skipped_at timestamptz,
  skip_reason text,
  -- Scans that failed in a row, of those that ended after `counted_from`.
  consecutive_failures integer not null default 0,
  counted_from timestamptz not null default now(),
  disabled_at timestamptz,
  disabled_reason text,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, account_id) references inventory.cloud_accounts (org_id, id) on delete cascade,
  check (enabled = (next_run_at is not null))
);

create index scan_schedules_account on inventory.scan_schedules (org_id, account_id);
create index scan_schedules_due on inventory.scan_schedules (next_run_at) where enabled;
create index scan_schedules_ahead on inventory.scan_schedules (last_run_at) where enabled;
call inventory.isolate('scan_schedules');

-- What is to be told to notification channels and has not been taken yet.
create table inventory.notices (
  org_id uuid not null,
  id uuid not null,
  -- What `webhooks.notifications.publish` takes, without the organization; JSON as text.
  publication text not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  primary key (org_id, id)
);

create index notices_due on inventory.notices (next_attempt_at);
call inventory.isolate('notices');

-- Scans from before have nobody who waits to be told of them.
alter table inventory.scans
  add column schedule_id uuid,
  add column settled boolean not null default true;
alter table inventory.scans alter column settled set default false;

create index scans_schedule on inventory.scans (org_id, schedule_id, finished_at) where schedule_id is not null;
create index scans_unsettled on inventory.scans (finished_at)
 where not settled and (status = 'failed' or schedule_id is not null);

-- Schedules of every organization whose time has come, or whose last run lies so far ahead that a clock was wrong.
create function inventory.due_schedules(at timestamptz, ahead interval, most integer)
  returns table (org_id uuid, schedule_id uuid)
  language sql
  stable
  security definer
  set search_path = ''
  as $$
    (select s.org_id, s.id
       from inventory.scan_schedules s
      where s.enabled
        and s.next_run_at <= at
      order by s.next_run_at
      limit most)
    union
    (select s.org_id, s.id
       from inventory.scan_schedules s
      where s.enabled
        and s.last_run_at > at + ahead
      limit most)
  $$;

-- Scans of every organization that have ended, and whose schedules and channels don't know it yet.
create function inventory.unsettled_scans(most integer)
  returns table (org_id uuid, scan_id uuid)
  language sql
  stable
  security definer
  set search_path = ''
  as $$
    select s.org_id, s.id
      from inventory.scans s
     where not s.settled
       and (s.status = 'failed' or s.schedule_id is not null)
       and s.finished_at is not null
     order by s.finished_at
     limit most
  $$;

-- Leases notices of every organization that are due, the oldest first.
create function inventory.lease_notices(seconds integer, most integer)
  returns table (org_id uuid, id uuid)
  language sql
  security definer
  set search_path = ''
  as $$
    update inventory.notices n
       set next_attempt_at = now() + make_interval(secs => seconds)
     where (n.org_id, n.id) in (
       select due.org_id, due.id
         from inventory.notices due
        where due.next_attempt_at <= now()
        order by due.next_attempt_at
        limit most
          for update skip locked
     )
    returning n.org_id, n.id
  $$;

grant execute on function inventory.due_schedules, inventory.unsettled_scans, inventory.lease_notices
  to leeway_inventory;
revoke execute on function inventory.due_schedules, inventory.unsettled_scans, inventory.lease_notices from public;
