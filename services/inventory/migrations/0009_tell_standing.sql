-- How many scans wait or are under way, over all organizations, and for how long the oldest has been there.
create function inventory.backlog()
returns table (queue text, waiting integer, oldest_seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select 'scans', count(*)::int, coalesce(extract(epoch from now() - min(created_at)), 0)::float8
    from inventory.scans
   where status in ('queued', 'running')
$$;

-- What became of the live resources of all organizations.
create function inventory.match_counts()
returns table (matched bigint, undeclared bigint, unchecked bigint, excluded bigint, missing bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(sum(matched_count), 0), coalesce(sum(undeclared_count - unchecked_count), 0),
         coalesce(sum(unchecked_count), 0), coalesce(sum(excluded_count), 0), coalesce(sum(missing_count), 0)
    from inventory.cloud_accounts
$$;

revoke all on function inventory.backlog, inventory.match_counts from public;
grant execute on function inventory.backlog, inventory.match_counts to leeway_inventory;
