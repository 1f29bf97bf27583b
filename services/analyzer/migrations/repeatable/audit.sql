-- Lists organizations with entries that are due in the gateway's audit log.
create or replace function analyzer.audited_organizations(at_most integer)
returns table (org_id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select distinct o.org_id from analyzer.audit_outbox o where o.at <= now() limit at_most;
end
$$;

grant execute on function analyzer.audited_organizations to leeway_analyzer;
