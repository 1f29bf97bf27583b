-- Leases scans that no worker has touched. Scans that read a cloud are in `unattended_scans` until their drift is computed.
create or replace function inventory.stalled_scans(older_than interval)
returns table (org_id uuid, scan_id uuid)
language sql security definer set search_path = pg_catalog, pg_temp
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

-- Leases scans that wait for a reader of their cloud: first those that lost their worker, then the longest waiting.
create or replace function inventory.unattended_scans(older_than interval)
returns table (org_id uuid, scan_id uuid)
language sql security definer set search_path = pg_catalog, pg_temp
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
      order by waiting.status = 'queued', waiting.touched_at
      limit 200
        for update skip locked
   )
  returning scans.org_id, scans.id
$$;

-- Lists ended scans that their schedules and channels don't know of yet, oldest first.
create or replace function inventory.unsettled_scans(most integer)
returns table (org_id uuid, scan_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select s.org_id, s.id
    from inventory.scans s
   where not s.settled
     and (s.status = 'failed' or s.schedule_id is not null)
     and s.finished_at is not null
   order by s.finished_at
   limit most
$$;

-- Deletes pages and shards of ended scans. Pages go in batches, because a large account has more than one statement may delete;
-- shards follow when their pages are gone.
create or replace function inventory.forget_shards()
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with ended as materialized (
    select s.org_id, s.id
      from (select distinct org_id, scan_id from inventory.scan_shards) h
      join inventory.scans s on s.org_id = h.org_id and s.id = h.scan_id
     where s.status not in ('queued', 'running') or s.phase = 'drift'
  ), pages as (
    delete from inventory.scan_pages
     where (org_id, scan_id, shard, number) in (
       select p.org_id, p.scan_id, p.shard, p.number
         from ended
         join inventory.scan_pages p on p.org_id = ended.org_id and p.scan_id = ended.id
        limit 500
          for update of p skip locked
     )
  )
  delete from inventory.scan_shards h
   using ended
   where h.org_id = ended.org_id
     and h.scan_id = ended.id
     and not exists (
       select from inventory.scan_pages p where p.org_id = ended.org_id and p.scan_id = ended.id
     )
$$;

-- Deletes a batch of scans older than `days`. An account's latest finished scan and a schedule's last run stay.
create or replace function inventory.forget_scans(days integer, at_most integer)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from inventory.scans s
   where (s.org_id, s.id) in (
     select old.org_id, old.id
       from inventory.scans old
      where old.created_at < now() - make_interval(days => days)
        and exists (
          select
            from inventory.scans later
           where later.org_id = old.org_id
             and later.account_id = old.account_id
             and later.status in ('succeeded', 'partial')
             and later.id > old.id
        )
        and not exists (
          select
            from inventory.scan_schedules c
           where c.org_id = old.org_id
             and c.last_scan_id = old.id
        )
      limit at_most
   )
$$;

-- Counts scans that wait or run, with the age of the oldest.
create or replace function inventory.backlog()
returns table (queue text, waiting integer, oldest_seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select 'scans', count(*)::int, coalesce(extract(epoch from now() - min(created_at)), 0)::float8
    from inventory.scans
   where status in ('queued', 'running')
$$;

grant execute on function
  inventory.stalled_scans, inventory.unattended_scans, inventory.unsettled_scans, inventory.forget_shards,
  inventory.forget_scans, inventory.backlog
to leeway_inventory;
