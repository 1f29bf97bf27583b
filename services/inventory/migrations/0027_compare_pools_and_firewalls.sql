-- What attributes are of is kept for the types alone that can be compared: states with node pools of AKS, and what is of
-- AWS WAF, which now can be, are taken once more.
update inventory.iac_sources s
   set content_hash = null
 where exists (
   select from inventory.iac_resources i
    where i.org_id = s.org_id
      and i.source_id = s.id
      and i.canonical_type in (
        'azurerm_kubernetes_cluster_node_pool', 'aws_wafv2_web_acl', 'aws_wafv2_web_acl_rule',
        'aws_wafv2_web_acl_rule_group_association', 'aws_wafv2_rule_group', 'aws_wafv2_ip_set',
        'aws_wafv2_regex_pattern_set'
      )
 );
