-- Until when a receiver wants to be left alone: what is told meanwhile waits, too.
alter table webhooks.channels add column paused_until timestamptz;
