-- An account's scans end one after the other, by the database's clock; ids are given by the clocks of whoever asked for them.
create index scans_read on inventory.scans (org_id, account_id, finished_at)
  where status in ('succeeded', 'partial') and kind <> 'drift';
