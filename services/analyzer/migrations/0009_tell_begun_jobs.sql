-- Of jobs that wait although the bus should have brought them, whether they were begun: only then can nobody be at them
-- any more. One that waits behind many is offered too, and may be begun by whoever heard of it first.
drop function analyzer.overdue_jobs;
create function analyzer.overdue_jobs(since_coming interval, since_offered interval, at_most integer)
returns table (org_id uuid, id uuid, begun boolean)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update analyzer.jobs j
     set offered_at = now()
    from (
      select w.org_id, w.id
        from analyzer.jobs w
       where w.status in ('queued', 'running')
         and coalesce(w.offered_at + since_offered, w.created_at + since_coming) < now()
       order by w.id
       limit at_most
         for update skip locked
    ) waiting
   where j.org_id = waiting.org_id
     and j.id = waiting.id
  returning j.org_id, j.id, j.status = 'running'
$$;

revoke all on function analyzer.overdue_jobs from public;
grant execute on function analyzer.overdue_jobs to leeway_analyzer;
