-- How much waits in each queue, over all organizations, and for how long the oldest of it has.
create function webhooks.backlog()
returns table (queue text, waiting integer, oldest_seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select 'deliveries', count(*)::int, coalesce(extract(epoch from now() - min(received_at)), 0)::float8
    from webhooks.deliveries
   where outcome = 'pending'
  union all
  -- The id of an event is its delivery's, and begins with the milliseconds of its coming.
  select 'events', count(*)::int,
         coalesce(extract(epoch from now() - uuid_extract_timestamp((select e.id from webhooks.events e order by e.id limit 1))), 0)::float8
    from webhooks.events
  union all
  select 'notifications', count(*)::int, coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8
    from webhooks.messages
   where status = 'pending' and next_attempt_at <= now()
$$;

revoke all on function webhooks.backlog from public;
grant execute on function webhooks.backlog to leeway_webhooks;
