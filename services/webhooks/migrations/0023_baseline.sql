-- Stands for the migrations up to 0023. Functions, views and triggers are in `repeatable/`.

create table webhooks.configs (
  org_id uuid not null,
  id uuid not null,
  source text not null check (source in ('planner', 'vcs')),
  name text,
  repo_path text,
  enabled boolean not null,
  provider_base_url text,
  sealed_api_token bytea,
  -- Latest report of the code host about the token.
  token_name text,
  token_username text,
  token_scopes text[],
  token_expires_on date,
  token_checked_at timestamptz,
  token_error text,
  last_event_at timestamptz,
  last_status text check (last_status in ('accepted', 'duplicate', 'ignored', 'rejected')),
  consecutive_rejects integer not null default 0,
  last_reject_at timestamptz,
  last_reject_reason text,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  check ((sealed_api_token is null) = (source = 'planner'))
);

create index configs_source on webhooks.configs (org_id, source);

call webhooks.isolate('configs');

-- Secrets of configs: one without an end, and the previous one while a rotation overlaps.
create table webhooks.secrets (
  org_id uuid not null,
  config_id uuid not null,
  -- First 14 characters of the secret.
  prefix text not null check (length(prefix) = 14),
  sealed bytea not null,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  -- Id of the attempt that rotated it. A retry after a failure finds it and doesn't rotate again, which would end the previous
  -- secret while it is in use.
  rotation_id uuid,
  primary key (org_id, config_id, prefix),
  foreign key (org_id, config_id) references webhooks.configs (org_id, id) on delete cascade
);

create unique index secrets_current on webhooks.secrets (org_id, config_id) where expires_at is null;

call webhooks.isolate('secrets');

-- Senders of a config's valid calls, with the rejected calls of each since then. Only these raise an alarm, because anyone can guess
-- an organization's id.
create table webhooks.senders (
  org_id uuid not null,
  config_id uuid not null,
  sender text not null,
  last_good_at timestamptz not null default now(),
  -- Rejected calls in a row.
  rejects integer not null default 0,
  last_reject_at timestamptz,
  primary key (org_id, config_id, sender),
  foreign key (org_id, config_id) references webhooks.configs (org_id, id) on delete cascade
);

create index senders_good on webhooks.senders (last_good_at);

call webhooks.isolate('senders');

-- Deliveries, dropped by the day. Ids are UUIDs of version 7, so a range of ids is a day.
create table webhooks.deliveries (
  org_id uuid not null,
  id uuid not null,
  config_id uuid not null,
  source text not null check (source in ('planner', 'vcs')),
  kind text,
  body_sha256 bytea not null,
  size integer not null,
  outcome text not null check (outcome in ('pending', 'processed', 'ignored', 'failed')),
  reason text,
  attempts integer not null default 0,
  received_at timestamptz not null default now(),
  -- When the sweep last published it.
  offered_at timestamptz,
  processed_at timestamptz,
  -- Number of replays. Each is another job of the analyzer.
  replays integer not null default 0,
  job_id uuid,
  comment_url text,
  primary key (org_id, id)
) partition by range (id);

create index deliveries_config on webhooks.deliveries (org_id, config_id, id);
create index deliveries_pending on webhooks.deliveries (id) where outcome = 'pending';

call webhooks.isolate('deliveries');

-- Bodies of deliveries: compressed and sealed. They are deleted before their deliveries.
create table webhooks.bodies (
  org_id uuid not null,
  id uuid not null,
  sealed bytea storage external not null,
  primary key (org_id, id)
) partition by range (id);

call webhooks.isolate('bodies');

-- Events that the analyzer hasn't taken yet, as JSON with masked secrets.
create table webhooks.events (
  org_id uuid not null,
  id uuid not null,
  event text not null,
  offered_at timestamptz not null default now(),
  primary key (org_id, id)
) partition by range (id);

call webhooks.isolate('events');

-- Digests of recent bodies, to process repeated ones once.
create table webhooks.recent_bodies (
  org_id uuid not null,
  source text not null,
  body_sha256 bytea not null,
  delivery_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (org_id, source, body_sha256)
);

create index recent_bodies_age on webhooks.recent_bodies using brin (received_at);

call webhooks.isolate('recent_bodies');

-- Leases of repositories: their holder may call the code host about them.
create table webhooks.turns (
  org_id uuid not null,
  -- SHA-256 of source and repository.
  place bytea not null check (length(place) = 32),
  holder uuid not null,
  ends_at timestamptz not null,
  primary key (org_id, place)
);

call webhooks.isolate('turns');

-- Channels of notifications. The contract checks `kind`.
create table webhooks.channels (
  org_id uuid not null,
  id uuid not null,
  kind text not null,
  name text not null,
  events text[] not null,
  min_risk text not null check (min_risk in ('critical', 'high', 'medium', 'low', 'none')),
  digest text not null check (digest in ('none', 'hourly', 'daily')),
  enabled boolean not null,
  -- Address and, for webhooks, the signing secret.
  sealed_target bytea not null,
  -- Failed messages in a row.
  consecutive_failures integer not null default 0,
  disabled_at timestamptz,
  disabled_reason text,
  last_delivered_at timestamptz,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- End of a pause that the receiver asked for. Messages wait until then.
  paused_until timestamptz,
  primary key (org_id, id)
);

call webhooks.isolate('channels');

-- Published notifications.
create table webhooks.notifications (
  org_id uuid not null,
  id text not null,
  type text not null,
  created_at timestamptz not null,
  -- `data` and `url` as JSON text, so that receivers get exactly what was published.
  content text not null,
  published_at timestamptz not null default now(),
  primary key (org_id, id)
);

create index notifications_published on webhooks.notifications (published_at);

call webhooks.isolate('notifications');

-- Latest notification about a change, to skip repetitions.
create table webhooks.told (
  org_id uuid not null,
  change_key text not null,
  content_sha256 bytea not null,
  told_at timestamptz not null default now(),
  primary key (org_id, change_key)
);

create index told_when on webhooks.told (told_at);

call webhooks.isolate('told');

-- Messages to channels: the outbox and the log.
create table webhooks.messages (
  org_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  -- Id of the notification, or an own id for a digest.
  message_id text not null,
  type text not null,
  notification_ids text[] not null,
  -- Whether it is a digest that still takes notifications.
  gathering boolean not null default false,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  lease uuid,
  leased_until timestamptz,
  last_attempt_at timestamptz,
  response_status integer,
  reason text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  -- Recipients of an e-mail that the mail server put off when it took the others.
  sealed_left bytea,
  primary key (org_id, id),
  foreign key (org_id, channel_id) references webhooks.channels (org_id, id) on delete cascade
);

create index messages_channel on webhooks.messages (org_id, channel_id, id);
create index messages_due on webhooks.messages (next_attempt_at) where status = 'pending';
create index messages_leased on webhooks.messages (org_id, channel_id) where status = 'pending' and lease is not null;
create index messages_over on webhooks.messages (created_at) where status <> 'pending';
create unique index messages_gathering on webhooks.messages (org_id, channel_id) where gathering;

call webhooks.isolate('messages');

-- Whether addresses have agreed to a channel's mail. An address is a SHA-256 here; the channel has its text, sealed.
create table webhooks.recipients (
  org_id uuid not null,
  channel_id uuid not null,
  address_sha256 bytea not null,
  status text not null check (status in ('waiting', 'confirmed', 'unsubscribed')),
  -- In the link of the confirmation mail; null once used, so that a link works once.
  confirmation_id uuid,
  primary key (org_id, channel_id, address_sha256),
  foreign key (org_id, channel_id) references webhooks.channels (org_id, id) on delete cascade
);

create index recipients_address on webhooks.recipients (org_id, address_sha256);
create index recipients_confirmation on webhooks.recipients (org_id, confirmation_id) where confirmation_id is not null;

call webhooks.isolate('recipients');

-- Addresses that unsubscribed from a channel and haven't confirmed since. Other channels ask them first.
create table webhooks.refusals (
  org_id uuid not null,
  address_sha256 bytea not null,
  refused_at timestamptz not null default now(),
  primary key (org_id, address_sha256)
);

call webhooks.isolate('refusals');

-- Mails of an organization per day (UTC).
create table webhooks.mail_days (
  org_id uuid not null,
  day date not null,
  mails integer not null,
  primary key (org_id, day)
);

call webhooks.isolate('mail_days');

-- Confirmation mails of all organizations. A subject is a SHA-256 of an address, or of an organization and an address.
create table webhooks.confirmations_sent (
  subject bytea not null,
  sent_at timestamptz not null default now()
);

create index confirmations_sent_subject on webhooks.confirmations_sent (subject, sent_at);
create index confirmations_sent_at on webhooks.confirmations_sent (sent_at);

grant select, insert, delete on webhooks.confirmations_sent to leeway_webhooks;

-- Audit entries written with their changes, until the gateway has them in its audit log.
create table webhooks.audit_outbox (
  org_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  actor jsonb not null,
  -- <entity>.<verb>
  action text not null,
  target_id text,
  details jsonb not null,
  request_id text not null,
  primary key (org_id, id)
);

call webhooks.isolate('audit_outbox');

-- Check values of the master keys that this service has had, to reject another key with the same id.
create table webhooks.master_keys (
  id text primary key,
  -- Derived from the key; reveals nothing about it.
  check_value bytea not null
);

grant select, insert on webhooks.master_keys to leeway_webhooks;
