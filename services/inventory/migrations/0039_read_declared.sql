-- When a scan last read all properties of a resource by itself: its listing tells only that it is there.
alter table inventory.live_resources add column read_at timestamptz;
