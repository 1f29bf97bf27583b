-- What each master key is known by that this service has had, so that another of its name is refused.
create table webhooks.master_keys (
  id text primary key,
  -- Derived from the key, of which it tells nothing.
  check_value bytea not null
);
grant select, insert on webhooks.master_keys to leeway_webhooks;
