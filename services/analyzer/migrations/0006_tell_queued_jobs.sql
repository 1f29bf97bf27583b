-- What waits to be begun, over all organizations, oldest first.
create function analyzer.queued_jobs(at_most integer)
returns table (org_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select j.org_id, j.id
    from analyzer.jobs j
   where j.status = 'queued'
   order by j.id
   limit at_most
$$;

revoke all on function analyzer.queued_jobs from public;
grant execute on function analyzer.queued_jobs to leeway_analyzer;
