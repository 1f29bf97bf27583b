-- What is declared of a resource whose attributes can be compared with what is live: JSON as text, its secrets masked.
-- Beside iac_resources, since each push goes through all of those.
create table inventory.declared_attributes (
  org_id uuid not null,
  iac_resource_id uuid not null,
  attributes text not null,
  primary key (org_id, iac_resource_id)
);

-- One difference between what is declared and what is live, for as long as it stays the same: a snapshot has it when
-- its number is from `from_number` on and below `until_number`. It is kept by the month in which it went.
create table inventory.drift_changes (
  org_id uuid not null,
  id uuid not null,
  cloud_account_id uuid not null,
  fingerprint text not null,
  kind text not null check (kind in ('changed', 'missing', 'undeclared', 'pending')),
  risk_level text not null check (risk_level in ('critical', 'high', 'medium', 'low', 'none')),
  -- Nothing of it is more than noise.
  hidden boolean not null,
  -- All else that is told of it: JSON as text, and its hash.
  content text not null,
  content_hash text not null,
  from_number integer not null,
  until_number integer,
  gone_at timestamptz not null default 'infinity',
  primary key (org_id, cloud_account_id, fingerprint, gone_at),
  check ((until_number is null) = (gone_at = 'infinity'))
) partition by range (gone_at);

-- Of what makes a change the one that it is; no value goes into it.
create function inventory.drift_fingerprint(parts text[])
  returns text
  language sql
  immutable
  as $$ select 'dc1_' || left(encode(sha256(convert_to(array_to_string(parts, E'\x1f'), 'UTF8')), 'hex'), 32) $$;

-- Worst first.
create function inventory.risk_rank(risk_level text)
  returns integer
  language sql
  immutable
  as $$ select array_position(array['critical', 'high', 'medium', 'low', 'none'], risk_level) $$;

create index drift_changes_worst on inventory.drift_changes (org_id, inventory.risk_rank(risk_level), id);

-- What an account's snapshots have found, and what people decided about it.
create table inventory.drift_fingerprints (
  org_id uuid not null,
  fingerprint text not null,
  cloud_account_id uuid not null,
  kind text not null,
  risk_level text not null,
  hidden boolean not null,
  -- Another one when a value is another one.
  values_hash text not null,
  first_seen_at timestamptz not null default now(),
  -- The snapshot since which it is there without a break, and how many had it before that.
  from_number integer not null,
  seen_before integer not null default 0,
  gone_at timestamptz,
  status text not null default 'open' check (status in ('open', 'acknowledged', 'ignored')),
  ignored_until timestamptz,
  reason text,
  decided_by jsonb,
  primary key (org_id, fingerprint)
);

create index drift_fingerprints_account on inventory.drift_fingerprints (org_id, cloud_account_id);
create index drift_fingerprints_ignored on inventory.drift_fingerprints (ignored_until) where status = 'ignored';

call inventory.isolate('declared_attributes');
call inventory.isolate('drift_changes');
call inventory.isolate('drift_fingerprints');

-- Whether somebody has it left out of the risk, now.
create function inventory.is_ignored(status text, ignored_until timestamptz)
  returns boolean
  language sql
  stable
  as $$ select status = 'ignored' and coalesce(ignored_until > now(), true) $$;

alter table inventory.drift_snapshots
  add column changed_count integer not null default 0,
  -- Its place among the finished ones of its account.
  add column number integer,
  -- What is to be told of it, until it has been told.
  add column news jsonb,
  -- When somebody last took it up.
  add column touched_at timestamptz not null default now();

alter table inventory.cloud_accounts
  -- Of the latest finished snapshot.
  add column drift_number integer not null default 0;

create index drift_snapshots_number on inventory.drift_snapshots (org_id, cloud_account_id, number);
create index drift_snapshots_unfinished on inventory.drift_snapshots (touched_at)
  where status = 'pending' or news is not null;

-- What has to look across organizations, and nothing else.

-- Accounts whose drift waits to be computed or told although nobody works on it; each is given out once for a while.
create function inventory.unfinished_drift(older_than interval, at_most integer)
  returns table (org_id uuid, account_id uuid)
  language sql
  security definer
  set search_path = ''
  as $$
    with given as (
      update inventory.drift_snapshots s
         set touched_at = now()
        from (
          select w.org_id, w.id
            from inventory.drift_snapshots w
           where (w.status = 'pending' or w.news is not null)
             and w.touched_at < now() - older_than
           order by w.touched_at
           limit at_most
             for update skip locked
        ) waiting
       where s.org_id = waiting.org_id
         and s.id = waiting.id
      returning s.org_id, s.cloud_account_id
    )
    select distinct given.org_id, given.cloud_account_id from given
  $$;

-- Accounts in which something isn't ignored any more since its time is over.
create function inventory.ended_ignores(at_most integer)
  returns table (org_id uuid, account_id uuid)
  language sql
  stable
  security definer
  set search_path = ''
  as $$
    select distinct f.org_id, f.cloud_account_id
      from inventory.drift_fingerprints f
     where f.status = 'ignored'
       and f.ignored_until <= now()
     limit at_most
  $$;

-- Makes the partitions of what is there, and of what goes this month and the next two; forgets what is over since
-- so many days. The latest snapshot of an account stays.
create function inventory.keep_drift(days integer)
  returns void
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
  as $$
  declare
    this_month constant date := date_trunc('month', now() at time zone 'utc')::date;
    wanted date;
    expired text;
  begin
    -- Every instance calls this: one works, the others find nothing left to do.
    perform pg_advisory_xact_lock(hashtextextended('inventory.keep_drift', 0));
    if to_regclass('inventory.drift_changes_present') is null then
      execute 'create table inventory.drift_changes_present partition of inventory.drift_changes
                 for values from (''infinity'') to (maxvalue)';
    end if;
    for wanted in
      select month::date from generate_series(this_month, this_month + interval '2 months', interval '1 month') m (month)
    loop
      if to_regclass('inventory.drift_changes' || to_char(wanted, '_YYYYMM')) is null then
        execute format(
          'create table inventory.%I partition of inventory.drift_changes for values from (%L) to (%L)',
          'drift_changes' || to_char(wanted, '_YYYYMM'),
          wanted::timestamp at time zone 'utc', (wanted + interval '1 month') at time zone 'utc'
        );
      end if;
    end loop;
    for expired in
      select child.relname
        from pg_inherits i
        join pg_class child on child.oid = i.inhrelid and child.relkind = 'r'
       where i.inhparent = 'inventory.drift_changes'::regclass
         and to_date(substring(child.relname from '_(\d{6})$'), 'YYYYMM') + interval '1 month'
             < now() - make_interval(days => days)
    loop
      execute format('drop table inventory.%I', expired);
    end loop;
    delete from inventory.drift_fingerprints where gone_at < now() - make_interval(days => days);
    delete from inventory.drift_snapshots s
     where s.created_at < now() - make_interval(days => days)
       and exists (
         select
           from inventory.drift_snapshots later
          where later.org_id = s.org_id
            and later.cloud_account_id = s.cloud_account_id
            and later.status = 'ready'
            and later.id > s.id
       );
  end
  $$;

revoke all on function inventory.unfinished_drift, inventory.ended_ignores, inventory.keep_drift from public;
grant execute on function inventory.unfinished_drift, inventory.ended_ignores, inventory.keep_drift
to leeway_inventory;

select inventory.keep_drift(400);
