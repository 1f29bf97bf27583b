-- When the reading began that is told of: one that began before it, and ends after it, has nothing to tell.
alter table inventory.iac_sources
  add column read_began_at timestamptz;
