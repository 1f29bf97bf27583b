-- The planner takes an organization that no sample has seen for one without rows, so that any index by organization looks as good as
-- one by id, and each lookup reads all of its rows. Without a sample it assumes that each has the 200th part of the table.
alter table inventory.live_resources alter column org_id set statistics 0;
alter table inventory.iac_resources alter column org_id set statistics 0;
alter table inventory.declared_attributes alter column org_id set statistics 0;
alter table inventory.matches alter column org_id set statistics 0;
alter table inventory.drift_changes alter column org_id set statistics 0;
alter table inventory.drift_fingerprints alter column org_id set statistics 0;
