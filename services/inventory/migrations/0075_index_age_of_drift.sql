-- Serves the list of changes in the order of their age.
create index drift_fingerprints_age on inventory.drift_fingerprints (org_id, first_seen_at) where gone_at is null;
