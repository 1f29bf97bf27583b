alter table inventory.iac_sources
  -- Since when its backend can't be read, and whether the organization's channels were told.
  add column unread_since timestamptz,
  add column unread_told boolean not null default false;
