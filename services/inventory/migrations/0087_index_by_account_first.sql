-- An index that begins with the organization serves any lookup, by reading all of the organization's rows. While statistics are those of
-- a nearly empty table, it looks as good as the one by id.
drop index inventory.matches_account;
create index matches_account on inventory.matches (cloud_account_id, org_id, live_resource_id);
drop index inventory.iac_resources_account;
create index iac_resources_account on inventory.iac_resources (account, cloud, org_id);
