alter table inventory.scans
  -- Empty: all of the account's.
  add column regions text[] not null default '{}',
  -- Who reads the cloud for it now. Whoever isn't named here any more changes nothing.
  add column worker uuid,
  -- How often it was taken up since it last made progress.
  add column attempts integer not null default 0;

-- The parts of a scan that asks a cloud, while it does; a worker that takes it up goes on with what is pending.
create table inventory.scan_shards (
  org_id uuid not null,
  scan_id uuid not null,
  number integer not null,
  service text not null,
  region text,
  -- Its name in live_resources.shards.
  key text not null,
  status text not null default 'pending' check (status in ('pending', 'listed', 'failed')),
  attempts integer not null default 0,
  seen integer not null default 0,
  foreign_count integer not null default 0,
  formats text[] not null default '{}',
  error_code text,
  error_message text,
  -- Of a shard that failed for some types only.
  failed_types text[],
  primary key (org_id, scan_id, number),
  foreign key (org_id, scan_id) references inventory.scans (org_id, id) on delete cascade
);

create index scan_shards_key on inventory.scan_shards (org_id, scan_id, key);

-- What shards have shown so far: lines of COPY, redacted, until the scan is taken over.
create table inventory.scan_pages (
  org_id uuid not null,
  scan_id uuid not null,
  shard integer not null,
  number integer not null,
  lines text not null,
  primary key (org_id, scan_id, shard, number),
  foreign key (org_id, scan_id) references inventory.scans (org_id, id) on delete cascade
);

-- They live for minutes: not worth compressing.
alter table inventory.scan_pages alter column lines set storage external;

alter table inventory.live_resources
  -- Which shards of the last scan that saw it have shown it; null: a pushed listing did.
  add column shards text[],
  -- When it was last seen, as long as scans since then couldn't tell whether it is still there.
  add column overlooked_since timestamptz;

-- Regions that scans have looked at; null: all. What is declared elsewhere isn't missing.
alter table inventory.cloud_accounts add column observed_regions text[];

-- What the last scan couldn't look at: nothing declared there is missing. Null: every region, every type.
create table inventory.blind_spots (
  org_id uuid not null,
  cloud_account_id uuid not null,
  region text,
  canonical_type text,
  foreign key (org_id, cloud_account_id) references inventory.cloud_accounts (org_id, id) on delete cascade
);

create index blind_spots_account on inventory.blind_spots (org_id, cloud_account_id, canonical_type);

create or replace view inventory.declared_resources with (security_invoker = true) as
  select i.org_id, i.id, i.source_id, i.address, i.module_address, i.type, i.provider_name, i.region, i.keys,
         i.loss, a.id as cloud_account_id, m.live_resource_id, m.level as match_level,
         case
           when m.live_resource_id is not null then 'matched'
           when not (i.listed or i.canonical_type = any (coalesce(a.observed_types, '{}'))) then 'unobserved'
           when a.id is not null and a.swept_at is null then 'unobserved'
           when a.tagged_only and not i.tagged then 'unobserved'
           when i.region <> all (a.observed_regions) then 'unobserved'
           when exists (
             select from inventory.blind_spots b
              where b.org_id = i.org_id and b.cloud_account_id = a.id
                and (b.canonical_type is null or b.canonical_type = i.canonical_type)
                and (b.region is null or i.region is null or b.region = i.region)
           ) then 'unobserved'
           when exists (
             select from inventory.matches c
              where c.org_id = i.org_id and c.iac_resource_id = i.id and c.contested
           ) then 'unobserved'
           else 'missing'
         end as status
    from inventory.iac_resources i
    join inventory.iac_sources s on s.org_id = i.org_id and s.id = i.source_id
    left join inventory.cloud_accounts a
      on a.org_id = i.org_id
     and case
           when s.cloud_account_id is not null then a.id = s.cloud_account_id
           else a.cloud = i.cloud and lower(a.external_id) = i.account
         end
    left join inventory.matches m
      on m.org_id = i.org_id and m.iac_resource_id = i.id and not m.contested
   where not i.inline;

call inventory.isolate('scan_shards');
call inventory.isolate('scan_pages');
call inventory.isolate('blind_spots');

-- Scans that ask a cloud have a sweeper of their own until their drift is computed.
create or replace function inventory.stalled_scans(older_than interval)
  returns table (org_id uuid, scan_id uuid)
  language sql
  security definer
  set search_path = ''
  as $$
    update inventory.scans
       set touched_at = now()
     where (org_id, id) in (
       select stalled.org_id, stalled.id
         from inventory.scans stalled
        where stalled.status in ('queued', 'running')
          and (stalled.trigger = 'push' or stalled.phase = 'drift')
          and stalled.touched_at < now() - older_than
          for update skip locked
     )
    returning scans.org_id, scans.id
  $$;

-- Scans across organizations that nobody reads a cloud for, although they wait for it. Whoever did has lost them.
create function inventory.unattended_scans(older_than interval)
  returns table (org_id uuid, scan_id uuid)
  language sql
  security definer
  set search_path = ''
  as $$
    update inventory.scans
       set touched_at = now(), worker = null
     where (org_id, id) in (
       select waiting.org_id, waiting.id
         from inventory.scans waiting
        where waiting.status in ('queued', 'running')
          and waiting.trigger <> 'push'
          and waiting.phase <> 'drift'
          and waiting.touched_at < now() - older_than
          for update skip locked
     )
    returning scans.org_id, scans.id
  $$;

-- Forgets what scans across organizations have put down on their way, once it is of no use any more.
create function inventory.forget_shards()
  returns void
  language sql
  security definer
  set search_path = ''
  as $$
    with ended as materialized (
      select s.org_id, s.id
        from (select distinct org_id, scan_id from inventory.scan_shards) h
        join inventory.scans s on s.org_id = h.org_id and s.id = h.scan_id
       where s.status not in ('queued', 'running') or s.phase = 'drift'
    ), pages as (
      delete from inventory.scan_pages p using ended where p.org_id = ended.org_id and p.scan_id = ended.id
    )
    delete from inventory.scan_shards h using ended where h.org_id = ended.org_id and h.scan_id = ended.id
  $$;

grant execute on function inventory.unattended_scans, inventory.forget_shards to leeway_inventory;
revoke execute on function inventory.unattended_scans, inventory.forget_shards from public;
