-- What an attempt names the rotation that it makes, so that the next one after a failure doesn't rotate again: that would end
-- the secret before, which is still in use.
alter table webhooks.secrets add column rotation_id uuid;
