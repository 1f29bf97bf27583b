-- Leases due messages, longest due first: one per channel and a few per organization, so that a receiver that hangs delays only
-- itself.
create or replace function webhooks.lease_messages(holder uuid, seconds integer, most_of_org integer, at_most integer)
returns table (org_id uuid, id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- Two concurrent calls would both lease a message of the same channel.
  perform pg_advisory_xact_lock(hashtextextended('webhooks.lease_messages', 0));
  return query
  with busy as (
    select m.org_id, m.channel_id
      from webhooks.messages m
     where m.status = 'pending' and m.lease is not null and m.leased_until > now()
  ), first_of_channel as (
    select distinct on (m.org_id, m.channel_id) m.org_id, m.id, m.next_attempt_at
      from webhooks.messages m
     where m.status = 'pending'
       and m.next_attempt_at <= now()
       and (m.leased_until is null or m.leased_until <= now())
       and not exists (
         select from busy b where b.org_id = m.org_id and b.channel_id = m.channel_id
       )
     order by m.org_id, m.channel_id, m.next_attempt_at, m.id
  ), ranked as (
    select f.org_id, f.id, f.next_attempt_at,
           row_number() over (partition by f.org_id order by f.next_attempt_at)
             + (select count(*) from busy b where b.org_id = f.org_id) as place
      from first_of_channel f
  ), due as (
    select r.org_id, r.id from ranked r where r.place <= most_of_org order by r.next_attempt_at limit at_most
  )
  update webhooks.messages m
     set lease = holder, leased_until = now() + make_interval(secs => seconds), gathering = false
    from due d
   where m.org_id = d.org_id
     and m.id = d.id
     and m.status = 'pending'
  returning m.org_id, m.id;
end
$$;

-- Deletes a batch of each: ended messages, notifications, and changes that were last reported long ago. Returns the largest number of rows deleted from one table.
create or replace function webhooks.forget_notifications(
  message_days integer, notification_days integer, told_days integer, at_most integer
)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  messages integer;
  notifications integer;
  told integer;
begin
  delete from webhooks.messages t
   using (
     select org_id, id
       from webhooks.messages
      where status <> 'pending'
        and created_at < now() - make_interval(days => message_days)
      limit at_most
   ) old
   where t.org_id = old.org_id
     and t.id = old.id
     and status <> 'pending'; -- it may be sent again meanwhile
  get diagnostics messages = row_count;
  delete from webhooks.notifications t
   using (
     select org_id, id from webhooks.notifications where published_at < now() - make_interval(days => notification_days) limit at_most
   ) old
   where t.org_id = old.org_id
     and t.id = old.id;
  get diagnostics notifications = row_count;
  delete from webhooks.told t
   using (
     select org_id, change_key from webhooks.told where told_at < now() - make_interval(days => told_days) limit at_most
   ) old
   where t.org_id = old.org_id
     and t.change_key = old.change_key
     and told_at < now() - make_interval(days => told_days); -- it may have been reported again meanwhile
  get diagnostics told = row_count;
  return greatest(messages, notifications, told);
end
$$;

-- Deletes counts that no limit reads any more, those of confirmation mails after `days`.
create or replace function webhooks.forget_mail_counts(days integer)
returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from webhooks.mail_days where day < (now() at time zone 'utc')::date - 1;
  delete from webhooks.confirmations_sent where sent_at < now() - make_interval(days => days);
end
$$;

grant execute on function
  webhooks.lease_messages, webhooks.forget_notifications, webhooks.forget_mail_counts
to leeway_webhooks;
