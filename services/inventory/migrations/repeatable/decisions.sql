-- Deletes a batch of decisions on many changes that can't be undone any more.
create or replace function inventory.forget_decisions(days integer, at_most integer)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from inventory.decided_changes d
   where d.ctid = any (array(
           select c.ctid
             from inventory.decided_changes c
             join inventory.drift_decisions o on o.org_id = c.org_id and o.id = c.decision_id
            where o.created_at < now() - make_interval(days => days)
            limit at_most
         ));
  delete from inventory.drift_decisions d
   where d.ctid = any (array(
           select o.ctid
             from inventory.drift_decisions o
            where o.created_at < now() - make_interval(days => days)
              and not exists (
                select
                  from inventory.decided_changes c
                 where c.org_id = o.org_id
                   and c.decision_id = o.id
              )
            limit at_most
         ))
$$;

grant execute on function inventory.forget_decisions to leeway_inventory;
