-- As before, and people who belong to no organization and weren't seen for as long as the audit log goes back, in which their
-- ids stand, are forgotten, too. A day more: a session outlasts the last sight of its person by half a day.
create or replace function identity.forget_expired()
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  at_most constant integer := 5000;
  entries integer;
  keys integer;
  strangers integer;
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
  delete from identity.people p
   where p.id = any (array(
     select old.id
       from identity.people old
      where old.last_seen_at < now() - interval '401 days'
        and not exists (select from identity.members m where m.person_id = old.id)
      limit at_most
   ))
     and p.last_seen_at < now() - interval '401 days'; -- one may have come back meanwhile
  get diagnostics strangers = row_count;
  return greatest(entries, keys, strangers) = at_most;
end
$$;
