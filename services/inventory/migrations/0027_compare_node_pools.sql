-- What attributes are of is kept for the types alone that can be compared: states with node pools of AKS, which now can
-- be, are taken once more.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id and i.source_id = s.id and i.type = 'azurerm_kubernetes_cluster_node_pool'
 );
