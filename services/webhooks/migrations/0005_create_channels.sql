create table webhooks.channels (
  org_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('webhook', 'slack', 'teams', 'email')),
  name text not null,
  events text[] not null,
  min_risk text not null check (min_risk in ('critical', 'high', 'medium', 'low', 'none')),
  digest text not null check (digest in ('none', 'hourly', 'daily')),
  enabled boolean not null,
  -- Where it leads, and of a webhook the secret that signs.
  sealed_target bytea not null,
  -- Deliveries in a row that were given up.
  consecutive_failures integer not null default 0,
  disabled_at timestamptz,
  disabled_reason text,
  last_delivered_at timestamptz,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- What happened, as it was published.
create table webhooks.notifications (
  org_id uuid not null,
  id text not null,
  type text not null,
  created_at timestamptz not null,
  -- `data` and `url`; JSON as text, so that a receiver gets what was given.
  content text not null,
  published_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- What was last told of a thing, so that the same isn't told twice in a row.
create table webhooks.told (
  org_id uuid not null,
  change_key text not null,
  content_sha256 bytea not null,
  told_at timestamptz not null default now(),
  primary key (org_id, change_key)
);

-- One message to one channel: the outbox, and the log of what became of it.
create table webhooks.messages (
  org_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  -- Of an event its own; of a digest one of its own.
  message_id text not null,
  type text not null,
  notification_ids text[] not null,
  -- A digest that still takes events in.
  gathering boolean not null default false,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  -- Who works on it, and until when that is believed.
  lease uuid,
  leased_until timestamptz,
  last_attempt_at timestamptz,
  response_status integer,
  reason text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, channel_id) references webhooks.channels (org_id, id) on delete cascade
);

create index messages_channel on webhooks.messages (org_id, channel_id, id);
create index messages_due on webhooks.messages (next_attempt_at) where status = 'pending';
create index messages_leased on webhooks.messages (org_id, channel_id) where status = 'pending' and lease is not null;
create unique index messages_gathering on webhooks.messages (org_id, channel_id) where gathering;

call webhooks.isolate('channels');
call webhooks.isolate('notifications');
call webhooks.isolate('told');
call webhooks.isolate('messages');

-- Leases messages that are due: the longest due first, one at a time of a channel and a few of an organization,
-- so that a receiver that hangs holds up nobody but itself.
create function webhooks.lease_messages(holder uuid, seconds integer, most_of_org integer, at_most integer)
returns table (org_id uuid, id uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- Two who look at the same moment would both take a channel's.
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

-- Enabled configs whose token has its last day within so many days and isn't over.
create function webhooks.expiring_tokens(days integer)
returns table (org_id uuid, config_id uuid, name text, provider_base_url text, expires_on date)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select c.org_id, c.id, c.name, c.provider_base_url, c.token_expires_on
    from webhooks.configs c
   where c.enabled
     and c.token_expires_on between (now() at time zone 'utc')::date and (now() at time zone 'utc')::date + days
$$;

-- Forgets what is over since long; an event a day after every message that tells it, none of which began after it
-- was published. What was last told of a thing stays, but not for ever.
create function webhooks.forget_notifications(days integer, told_days integer)
returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from webhooks.messages
   where status <> 'pending' and created_at < now() - make_interval(days => days);
  delete from webhooks.notifications where published_at < now() - make_interval(days => days + 1);
  delete from webhooks.told where told_at < now() - make_interval(days => told_days);
$$;

revoke all on function webhooks.lease_messages, webhooks.expiring_tokens, webhooks.forget_notifications from public;
grant execute on function webhooks.lease_messages, webhooks.expiring_tokens, webhooks.forget_notifications
to leeway_webhooks;
