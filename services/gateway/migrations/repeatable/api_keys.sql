-- Finds the valid key behind a lookup id, with the time at which it becomes invalid. A key of `leeway login` comes with its person
-- and the role that they have now.
create or replace function identity.find_key(wanted text)
returns table (
  org_id uuid, id uuid, role text, repositories text[], hash bytea, expires_at timestamptz, person_id uuid, member_role text
)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select k.org_id, k.id, k.role, k.repositories, s.hash, least(k.expires_at, s.retired_at), k.person_id, m.role
    from identity.api_key_secrets s
    join identity.api_keys k on k.org_id = s.org_id and k.id = s.key_id
    join identity.organizations o on o.org_id = s.org_id
    left join identity.members m on m.org_id = k.org_id and m.person_id = k.person_id
   where s.lookup = wanted
     and o.deleted_at is null
     and (k.person_id is null or m.role is not null)
     and coalesce(least(k.expires_at, s.retired_at), 'infinity') > now()
$$;

-- Gateways of earlier builds call this. They don't know keys that act as people.
create or replace function identity.find_api_key(wanted text)
returns table (org_id uuid, id uuid, role text, repositories text[], hash bytea, expires_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select k.org_id, k.id, k.role, k.repositories, k.hash, k.expires_at
    from identity.find_key(wanted) k
   where k.person_id is null
$$;

-- Stores that keys were used, at most once a minute each. `used` is [{"org_id", "id"}, …]. Keys that another transaction locks
-- are skipped, because two gateways that wait for each other's keys would deadlock.
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

grant execute on function identity.find_key, identity.find_api_key, identity.mark_keys_used to leeway_gateway;
