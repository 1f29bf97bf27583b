-- What has to look across organizations, and nothing else. Each function runs as the owner, whom
-- row-level security lets see all, and gives no more than its caller needs.

-- The key behind a lookup id, with the moment from which it is good for nothing.
create function identity.find_api_key(wanted text)
returns table (org_id uuid, id uuid, role text, hash bytea, expires_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select k.org_id, k.id, k.role, s.hash, least(k.expires_at, s.retired_at)
    from identity.api_key_secrets s
    join identity.api_keys k on k.org_id = s.org_id and k.id = s.key_id
    join identity.organizations o on o.org_id = s.org_id
   where s.lookup = wanted
     and o.deleted_at is null
     and coalesce(least(k.expires_at, s.retired_at), 'infinity') > now()
$$;

-- Notes that keys were used, at most once a minute for each. `used` is [{"org_id", "id"}, …].
create function identity.mark_keys_used(used jsonb)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update identity.api_keys k
     set last_used_at = now()
    from jsonb_to_recordset(used) as u (org_id uuid, id uuid)
   where k.org_id = u.org_id
     and k.id = u.id
     and coalesce(k.last_used_at, '-infinity') < now() - interval '1 minute'
$$;

-- The person that an identity provider names, made on first sight, and what they may do where. An
-- invitation to an address that the provider has verified becomes theirs.
create function identity.sign_in(
  new_id uuid, the_issuer text, the_subject text, the_email text, email_verified boolean, the_name text
)
returns table (id uuid, roles jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  person uuid;
begin
  select p.id into person
    from identity.people p
   where p.issuer = the_issuer
     and p.subject = the_subject
     and p.last_seen_at > now() - interval '1 minute'
     and p.email is not distinct from the_email
     and p.name is not distinct from the_name;
  if person is null then
    insert into identity.people as p (id, issuer, subject, email, name)
    values (new_id, the_issuer, the_subject, the_email, the_name)
    on conflict (issuer, subject) do update
       set email = excluded.email, name = excluded.name, last_seen_at = now()
    returning p.id into person;
  end if;

  if email_verified then
    update identity.members m
       set person_id = person, joined_at = now()
     where lower(m.email) = lower(the_email)
       and m.person_id is null
       and not exists (
         select 1 from identity.members other where other.org_id = m.org_id and other.person_id = person
       );
  end if;

  return query
    select person, coalesce(jsonb_object_agg(m.org_id, m.role), '{}')
      from identity.members m
      join identity.organizations o on o.org_id = m.org_id
     where m.person_id = person
       and o.deleted_at is null;
end
$$;

-- Organizations by their ids, in the order of these.
create function identity.list_organizations(wanted jsonb)
returns table (org_id uuid, name text, created_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select o.org_id, o.name, o.created_at, o.updated_at
    from identity.organizations o
   where o.org_id in (select jsonb_array_elements_text(wanted)::uuid)
     and o.deleted_at is null
   order by o.org_id
$$;

-- Organizations that are to be forgotten everywhere.
create function identity.deleted_organizations()
returns table (org_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select o.org_id from identity.organizations o where o.deleted_at is not null order by o.deleted_at
$$;

-- The last step of forgetting one.
create function identity.forget_organization(gone uuid)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from identity.idempotency_keys where org_id = gone;
  delete from identity.audit_log where org_id = gone;
  delete from identity.api_keys where org_id = gone; -- and their secrets
  delete from identity.members where org_id = gone;
  delete from identity.organizations where org_id = gone and deleted_at is not null;
$$;

-- Drops what is too old to be kept, some of it at a time.
create function identity.forget_expired()
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from identity.audit_log
   where ctid = any (array(
     select ctid from identity.audit_log where at < now() - interval '400 days' limit 5000
   ));
  delete from identity.idempotency_keys
   where ctid = any (array(
     select ctid from identity.idempotency_keys where created_at < now() - interval '24 hours' limit 5000
   ));
  delete from identity.rate_windows where window_start < now() - interval '2 minutes';
$$;

revoke all on all functions in schema identity from public;
grant execute on function
  identity.find_api_key, identity.mark_keys_used, identity.sign_in, identity.list_organizations,
  identity.deleted_organizations, identity.forget_organization, identity.forget_expired
to leeway_gateway;
