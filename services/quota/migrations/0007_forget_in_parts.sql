-- Forgets slots that were taken before a day, but for those that are held still; so many at a time: a day of them is
-- more than one statement may take. Gives how many it were.
drop function quota.forget_reservations;
create function quota.forget_reservations(before date, at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  forgotten integer;
begin
  delete from quota.reservations
   where ctid = any (array(
           select ctid from quota.reservations where reserved_on < before and state <> 'held' limit at_most
         ))
     and reserved_on < before -- one may have been taken again meanwhile
     and state <> 'held';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

revoke all on function quota.forget_reservations from public;
grant execute on function quota.forget_reservations to leeway_quota;
