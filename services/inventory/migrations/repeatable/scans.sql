-- Leases scans that no worker has touched. Scans that read a cloud are in `unattended_scans` until their drift is computed.
create or replace function inventory.stalled_scans(older_than interval)
returns table (org_id uuid, scan_id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  stalled record;
begin
  for stalled in
    select w.org_id, w.id, w.phase, w.touched_at
      from inventory.scans w
     where w.status in ('queued', 'running')
       and (w.trigger = 'push' or w.phase = 'drift')
       and w.touched_at < now() - older_than
  loop
    return query
    update inventory.scans s
       set touched_at = now()
     where s.org_id = stalled.org_id
       and s.id = (
         select w.id
           from inventory.scans w
          where w.org_id = stalled.org_id
            and w.id = stalled.id
            and w.status in ('queued', 'running')
            and w.phase = stalled.phase
            and w.touched_at = stalled.touched_at
            for update skip locked
       )
    returning s.org_id, s.id;
  end loop;
end
$$;

-- Leases scans that wait for a reader of their cloud: first those that lost their worker, then the longest waiting.
create or replace function inventory.unattended_scans(older_than interval)
returns table (org_id uuid, scan_id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  waiting record;
begin
  for waiting in
    select w.org_id, w.id, w.touched_at
      from inventory.scans w
     where w.status in ('queued', 'running')
       and w.trigger <> 'push'
       and w.phase <> 'drift'
       and w.touched_at < now() - older_than
     order by w.status = 'queued', w.touched_at
     limit 200
  loop
    return query
    update inventory.scans s
       set touched_at = now(), worker = null
     where s.org_id = waiting.org_id
       and s.id = (
         select w.id
           from inventory.scans w
          where w.org_id = waiting.org_id
            and w.id = waiting.id
            and w.status in ('queued', 'running')
            and w.phase <> 'drift'
            and w.touched_at = waiting.touched_at
            for update skip locked
       )
    returning s.org_id, s.id;
  end loop;
end
$$;

-- Lists ended scans that their schedules and channels don't know of yet, oldest first.
create or replace function inventory.unsettled_scans(most integer)
returns table (org_id uuid, scan_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.org_id, s.id
    from inventory.scans s
   where not s.settled
     and (s.status = 'failed' or s.schedule_id is not null)
     and s.finished_at is not null
   order by s.finished_at
   limit most;
end
$$;

-- Deletes pages and shards of ended scans. Pages go in batches, because a large account has more than one statement may delete;
-- shards follow when their pages are gone.
create or replace function inventory.forget_shards()
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  ended record;
  deleted integer;
  at_most integer := 500;
begin
  for ended in
    select s.org_id, s.id
      from (select distinct org_id, scan_id from inventory.scan_shards) h
      join inventory.scans s on s.org_id = h.org_id and s.id = h.scan_id
     where s.status not in ('queued', 'running') or s.phase = 'drift'
  loop
    delete from inventory.scan_pages
     where org_id = ended.org_id
       and scan_id = ended.id
       and (shard, number) in (
         select p.shard, p.number
           from inventory.scan_pages p
          where p.org_id = ended.org_id
            and p.scan_id = ended.id
          limit at_most
       );
    get diagnostics deleted = row_count;
    at_most := at_most - deleted;
    exit when at_most = 0;
    delete from inventory.scan_shards h
     where h.org_id = ended.org_id
       and h.scan_id = ended.id
       and not exists (
         select from inventory.scan_pages p where p.org_id = ended.org_id and p.scan_id = ended.id
       );
  end loop;
end
$$;

-- Deletes a batch of scans older than `days`. An account's latest finished scan and a schedule's last run stay.
create or replace function inventory.forget_scans(days integer, at_most integer)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from inventory.scans s
   using (
     select w.org_id, w.id
       from inventory.scans w
      where w.created_at < now() - make_interval(days => days)
        and exists (
          select
            from inventory.scans later
           where later.org_id = w.org_id
             and later.account_id = w.account_id
             and later.status in ('succeeded', 'partial')
             and later.id > w.id
        )
        and not exists (
          select
            from inventory.scan_schedules c
           where c.org_id = w.org_id
             and c.last_scan_id = w.id
        )
      limit at_most
   ) old
   where s.org_id = old.org_id
     and s.id = old.id;
end
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
