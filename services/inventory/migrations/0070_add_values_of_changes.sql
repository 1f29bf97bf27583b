-- Values by which changes are filtered and grouped, because reading them from `content` takes too long for many rows. A row of an
-- earlier version has no `resource_type`, and its values are read from `content`.
alter table inventory.drift_changes
  add column resource_type text,
  add column module_address text,
  -- The same for the same difference in resources of the same type.
  add column cause text;
