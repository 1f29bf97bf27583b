-- Lists organizations by their ids, in the order of the ids.
create or replace function identity.list_organizations(wanted jsonb)
returns table (org_id uuid, name text, created_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select o.org_id, o.name, o.created_at, o.updated_at
    from identity.organizations o
   where o.org_id in (select jsonb_array_elements_text(wanted)::uuid)
     and o.deleted_at is null
   order by o.org_id
$$;

-- Stores who creates an organization. Returns whether it is one of the first `most` (0: unlimited) that the person has. Those
-- deleted less than a week ago count.
create or replace function identity.note_founding(the_person uuid, the_organization uuid, most integer)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  free boolean;
begin
  -- Two concurrent calls would both take the last free place.
  perform pg_advisory_xact_lock(hashtextextended('identity.foundings ' || the_person, 0));
  select f.is_free into free from identity.foundings f where f.organization_id = the_organization;
  if found then
    return free;
  end if;
  delete from identity.foundings f
   where f.person_id = the_person
     and f.gone_at < now() - interval '7 days';
  select most = 0 or count(*) < most into free
    from identity.foundings f
   where f.person_id = the_person
     and f.is_free;
  insert into identity.foundings (organization_id, person_id, is_free)
  values (the_organization, the_person, free);
  return free;
end
$$;

-- Stores when an organization was deleted.
create or replace function identity.end_founding()
returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update identity.foundings set gone_at = new.deleted_at where organization_id = new.org_id;
  return null;
end
$$;

create or replace trigger organizations_deleted after update of deleted_at on identity.organizations
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function identity.end_founding();

-- Lists organizations to delete in every service. Each is deleted at once, and again an hour later: a request that was running
-- may have written something since, such as a model key.
create or replace function identity.deleted_organizations()
returns table (org_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select o.org_id
    from identity.organizations o
   where o.deleted_at is not null
     and (o.forgotten_at is null or o.deleted_at < now() - interval '1 hour')
   order by o.deleted_at
$$;

-- Deletes a batch of an organization's rows that may be too many for one statement. Returns whether there are more.
create or replace function identity.forget_some(gone uuid)
returns boolean
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from identity.idempotency_keys
   where ctid = any (array(select ctid from identity.idempotency_keys where org_id = gone limit 1000));
  delete from identity.audit_log
   where ctid = any (array(select ctid from identity.audit_log where org_id = gone limit 1000));
  delete from identity.audit_chains where org_id = gone;
  select exists (select from identity.idempotency_keys where org_id = gone)
      or exists (select from identity.audit_log where org_id = gone)
$$;

-- Deletes an organization's rows, and an hour after its deletion the organization itself.
create or replace function identity.forget_organization(gone uuid)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from identity.idempotency_keys where org_id = gone;
  delete from identity.audit_log where org_id = gone;
  delete from identity.api_keys where org_id = gone; -- and their secrets
  delete from identity.ci_identities where org_id = gone; -- and their tokens
  delete from identity.members where org_id = gone;
  delete from identity.positions where org_id = gone;
  update identity.organizations set name = '', forgotten_at = now() where org_id = gone and deleted_at is not null;
  delete from identity.organizations where org_id = gone and deleted_at < now() - interval '1 hour';
$$;

grant execute on function
  identity.list_organizations, identity.note_founding, identity.deleted_organizations, identity.forget_some,
  identity.forget_organization
to leeway_gateway;
