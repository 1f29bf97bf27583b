-- `uuid_extract_timestamp` tells nothing of such ids before PostgreSQL 18.
create or replace function webhooks.backlog()
returns table (queue text, waiting integer, oldest_seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select 'deliveries', count(*)::int, coalesce(extract(epoch from now() - min(received_at)), 0)::float8
    from webhooks.deliveries
   where outcome = 'pending'
  union all
  -- The id of an event is its delivery's, and begins with the milliseconds of its coming.
  select 'events', count(*)::int,
         coalesce(
           extract(epoch from now()) - (
             select ('x' || left(replace(e.id::text, '-', ''), 12))::bit(48)::bigint
               from webhooks.events e
              order by e.id
              limit 1
           ) / 1000.0,
           0
         )::float8
    from webhooks.events
  union all
  select 'notifications', count(*)::int, coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8
    from webhooks.messages
   where status = 'pending' and next_attempt_at <= now()
$$;
