-- Properties that the listing of a shard lacks because they were denied: what is known of them stays.
alter table inventory.scan_shards add column untold text[];
