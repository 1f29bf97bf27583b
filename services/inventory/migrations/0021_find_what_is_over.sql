-- For keep_drift, which else goes through all that there is, until its time is up: then no month gets its partition.
create index drift_fingerprints_gone on inventory.drift_fingerprints (gone_at) where gone_at is not null;
create index drift_snapshots_created on inventory.drift_snapshots (created_at);
