-- Shared view of the inventory that selects the drift which the channel reports; null for all drift.
alter table webhooks.channels add column view_id uuid;
