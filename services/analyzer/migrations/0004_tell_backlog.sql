-- How many jobs wait or are under way, over all organizations, and for how long the oldest has been there.
create function analyzer.backlog()
returns table (queue text, waiting integer, oldest_seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select 'jobs', count(*)::int, coalesce(extract(epoch from now() - min(created_at)), 0)::float8
    from analyzer.jobs
   where status in ('queued', 'running')
$$;

revoke all on function analyzer.backlog from public;
grant execute on function analyzer.backlog to leeway_analyzer;
