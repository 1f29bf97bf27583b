-- Lists organizations with entries that are due in the gateway's audit log.
create or replace function quota.audited_organizations(at_most integer)
returns table (org_id uuid)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select distinct o.org_id from quota.audit_outbox o where o.at <= now() limit at_most
$$;

grant execute on function quota.audited_organizations to leeway_quota;
