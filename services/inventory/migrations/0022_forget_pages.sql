-- Forgets what scans across organizations have put down on their way, once it is of no use any more: some pages at a time,
-- since those of a large account are more than one statement may take, and a scan's shards once its pages are gone.
create or replace function inventory.forget_shards()
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
