-- Databases of before the baseline have it without a validation.
alter table inventory.iac_resources validate constraint iac_resources_loss_check;
