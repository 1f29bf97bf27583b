-- Deletes a batch of each kind of expired row. Returns whether there may be more.
create or replace function identity.forget_expired(audit_days integer, people_days integer, key_hours integer, at_most integer)
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  audited_since constant timestamptz := now() - make_interval(days => audit_days);
  seen_since constant timestamptz := now() - make_interval(days => people_days);
  used_since constant timestamptz := now() - make_interval(hours => key_hours);
  entries integer := 0;
  keys integer;
  strangers integer;
  old_org uuid;
begin
  for old_org in
    select distinct l.org_id
      from (select org_id from identity.audit_log where at < audited_since limit at_most) l
  loop
    entries := entries + identity.forget_entries(old_org, audited_since, at_most);
  end loop;
  delete from identity.idempotency_keys
   where ctid = any (array(
     select ctid from identity.idempotency_keys where created_at < used_since limit at_most
   ))
     and created_at < used_since; -- it may have been used again meanwhile
  get diagnostics keys = row_count;
  delete from identity.api_keys where person_id is not null and expires_at < now();
  delete from identity.rate_windows where window_start < now() - interval '2 minutes';
  delete from identity.people p
   where p.id = any (array(
     select old.id
       from identity.people old
      where old.last_seen_at < seen_since
        and not exists (select from identity.members m where m.person_id = old.id)
      limit at_most
   ))
     and p.last_seen_at < seen_since; -- it may have come back meanwhile
  get diagnostics strangers = row_count;
  return greatest(entries, keys, strangers) >= at_most;
end
$$;

grant execute on function identity.forget_expired to leeway_gateway;
