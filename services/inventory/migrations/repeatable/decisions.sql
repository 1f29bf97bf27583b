-- Deletes a batch of decisions on many changes that can't be undone any more.
create or replace function inventory.forget_decisions(days integer, at_most integer)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from inventory.decided_changes d
   using (
     select c.org_id, c.decision_id, c.fingerprint
       from inventory.decided_changes c
       join inventory.drift_decisions o on o.org_id = c.org_id and o.id = c.decision_id
      where o.created_at < now() - make_interval(days => days)
      limit at_most
   ) old
   where d.org_id = old.org_id
     and d.decision_id = old.decision_id
     and d.fingerprint = old.fingerprint;
  delete from inventory.drift_decisions d
   using (
     select o.org_id, o.id
       from inventory.drift_decisions o
      where o.created_at < now() - make_interval(days => days)
        and not exists (
          select
            from inventory.decided_changes c
           where c.org_id = o.org_id
             and c.decision_id = o.id
        )
      limit at_most
   ) old
   where d.org_id = old.org_id
     and d.id = old.id;
end
$$;

grant execute on function inventory.forget_decisions to leeway_inventory;
