-- The attempt that made a secret: made once more, it gives another in its place, since nobody has got the one before.
alter table identity.api_key_secrets add column attempt_id uuid;
