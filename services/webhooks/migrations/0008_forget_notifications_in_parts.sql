-- Forgets what is over since long, so many of each at a time, and gives how many it were of what it were most; an event a
-- day after every message that tells it, none of which began after it was published. What was last told of a thing stays,
-- but not for ever.
drop function webhooks.forget_notifications;
create function webhooks.forget_notifications(days integer, told_days integer, at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  messages integer;
  notifications integer;
  told integer;
begin
  delete from webhooks.messages
   where ctid = any (array(
           select ctid
             from webhooks.messages
            where status <> 'pending'
              and created_at < now() - make_interval(days => days)
            limit at_most
         ))
     and status <> 'pending'; -- one may be sent once more meanwhile
  get diagnostics messages = row_count;
  delete from webhooks.notifications
   where ctid = any (array(
           select ctid from webhooks.notifications where published_at < now() - make_interval(days => days + 1) limit at_most
         ));
  get diagnostics notifications = row_count;
  delete from webhooks.told
   where ctid = any (array(
           select ctid from webhooks.told where told_at < now() - make_interval(days => told_days) limit at_most
         ))
     and told_at < now() - make_interval(days => told_days); -- one may have been told again meanwhile
  get diagnostics told = row_count;
  return greatest(messages, notifications, told);
end
$$;

revoke all on function webhooks.forget_notifications from public;
grant execute on function webhooks.forget_notifications to leeway_webhooks;
