-- When the decision about a change was made; null for decisions of earlier versions.
alter table inventory.drift_fingerprints add column decided_at timestamptz;
