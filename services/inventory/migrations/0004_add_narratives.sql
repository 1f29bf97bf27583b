-- What a snapshot means in words, or that a model failed to write it.
alter table inventory.drift_snapshots add column narrative jsonb;
