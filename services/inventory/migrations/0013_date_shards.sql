-- When what became of a shard was written down; of one that is pending, when it was planned.
alter table inventory.scan_shards add column touched_at timestamptz not null default now();
