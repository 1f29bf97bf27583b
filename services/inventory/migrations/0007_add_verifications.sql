-- What the account's credentials were found to be good for; null when nobody has tried those that it has now.
alter table inventory.cloud_accounts add column verification jsonb;
