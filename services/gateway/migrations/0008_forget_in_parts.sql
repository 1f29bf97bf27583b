-- Some of what there is most of, of an organization that is to be forgotten, and whether there is more: a statement that
-- removed a million rows at once would be ended before it is done, each time anew.
create function identity.forget_some(gone uuid)
returns boolean
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from identity.idempotency_keys
   where ctid = any (array(select ctid from identity.idempotency_keys where org_id = gone limit 1000));
  delete from identity.audit_log
   where ctid = any (array(select ctid from identity.audit_log where org_id = gone limit 1000));
  select exists (select from identity.idempotency_keys where org_id = gone)
      or exists (select from identity.audit_log where org_id = gone)
$$;

revoke all on function identity.forget_some from public;
grant execute on function identity.forget_some to leeway_gateway;
