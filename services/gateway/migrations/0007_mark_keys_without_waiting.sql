-- As before, but who is being changed, or marked by another gateway, is passed over: two that waited for each other's
-- keys were ended by the server, and what one of them had noted was lost.
create or replace function identity.mark_keys_used(used jsonb)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with free as (
    select k.org_id, k.id
      from identity.api_keys k
      join jsonb_to_recordset(used) as u (org_id uuid, id uuid) on u.org_id = k.org_id and u.id = k.id
     where coalesce(k.last_used_at, '-infinity') < now() - interval '1 minute'
       for no key update of k skip locked
  )
  update identity.api_keys k
     set last_used_at = now()
    from free
   where k.org_id = free.org_id
     and k.id = free.id
$$;
