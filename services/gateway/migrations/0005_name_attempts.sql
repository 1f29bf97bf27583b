alter table identity.idempotency_keys
  -- What an attempt names what it makes, so that the next one after a failure makes nothing twice.
  add column attempt_id uuid,
  add column has_failed boolean not null default false;
