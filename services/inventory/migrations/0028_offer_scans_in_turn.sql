-- Scans across organizations that nobody reads a cloud for, although they wait for it, some at a time: first those that
-- somebody has lost, then whichever have waited longest since they were offered.
create or replace function inventory.unattended_scans(older_than interval)
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
        order by waiting.status = 'queued', waiting.touched_at
        limit 200
          for update skip locked
     )
    returning scans.org_id, scans.id
  $$;
