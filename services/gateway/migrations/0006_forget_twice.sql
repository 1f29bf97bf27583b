-- What was under way when an organization was deleted may still write: its model key, say, that was being tried. So all
-- is forgotten at once and, when no request or job of before can last any more, once again. The bare row waits for that.
alter table identity.organizations add column forgotten_at timestamptz;

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

create or replace function identity.forget_organization(gone uuid)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from identity.idempotency_keys where org_id = gone;
  delete from identity.audit_log where org_id = gone;
  delete from identity.api_keys where org_id = gone; -- and their secrets
  delete from identity.members where org_id = gone;
  update identity.organizations set name = '', forgotten_at = now() where org_id = gone and deleted_at is not null;
  delete from identity.organizations where org_id = gone and deleted_at < now() - interval '1 hour';
$$;
