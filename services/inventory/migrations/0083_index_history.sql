-- For lists of what is rare in a long history: failed scans, scans started by hand, failed snapshots.
create index scans_status on inventory.scans (org_id, status, id);
create index scans_trigger on inventory.scans (org_id, trigger, id);
create index drift_snapshots_status on inventory.drift_snapshots (org_id, status, id);

-- An account's changes are mostly gone ones.
create index drift_fingerprints_present on inventory.drift_fingerprints (cloud_account_id, org_id, gone_at);
drop index inventory.drift_fingerprints_account;
