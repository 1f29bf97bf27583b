-- Drops what is too old to be kept, some of it at a time, and gives whether there may be more.
drop function identity.forget_expired();
create function identity.forget_expired()
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  at_most constant integer := 5000;
  entries integer;
  keys integer;
begin
  delete from identity.audit_log
   where ctid = any (array(
     select ctid from identity.audit_log where at < now() - interval '400 days' limit at_most
   ));
  get diagnostics entries = row_count;
  delete from identity.idempotency_keys
   where ctid = any (array(
     select ctid from identity.idempotency_keys where created_at < now() - interval '24 hours' limit at_most
   ))
     and created_at < now() - interval '24 hours'; -- one may have been used anew meanwhile
  get diagnostics keys = row_count;
  delete from identity.rate_windows where window_start < now() - interval '2 minutes';
  return greatest(entries, keys) = at_most;
end
$$;

revoke all on function identity.forget_expired from public;
grant execute on function identity.forget_expired to leeway_gateway;
