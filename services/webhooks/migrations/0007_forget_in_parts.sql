-- Forgets which bodies are known from before, so many at a time, and gives how many it were: what a service that was
-- away for hours finds is more than one statement may take.
drop function webhooks.forget_recent_bodies;
create function webhooks.forget_recent_bodies(older_than interval, at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  forgotten integer;
begin
  delete from webhooks.recent_bodies
   where ctid = any (array(
           select ctid from webhooks.recent_bodies where received_at < now() - older_than limit at_most
         ))
     and received_at < now() - older_than; -- one may have come again meanwhile
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

revoke all on function webhooks.forget_recent_bodies from public;
grant execute on function webhooks.forget_recent_bodies to leeway_webhooks;
