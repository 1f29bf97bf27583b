-- Azure's usual listings hold no resource groups: none is missing in an account that has never shown one.
update inventory.iac_resources
   set listed = false
 where cloud = 'azure'
   and canonical_type = 'azurerm_resource_group';
