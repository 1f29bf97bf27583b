-- Serves the matching of one account's listing, which needs the declarations that name the account, or none.
create index iac_resources_account on inventory.iac_resources (org_id, cloud, account);
