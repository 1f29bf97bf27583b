/** Types in the risk tables that the provider's current schema lacks, with the reason. `*` matches any characters. */
export const OTHER_TYPES: Readonly<Record<string, string>> = {
  aws_db_security_group: "AWS provider 3, for EC2-Classic",
  aws_redshift_security_group: "AWS provider 3, for EC2-Classic",
  aws_elasticache_security_group: "AWS provider 4, for EC2-Classic",
  aws_vpc_security_group_rules_exclusive: "a newer AWS provider",
  "aws_s3files_*_policy": "a newer AWS provider",
  aws_dsql_cluster_policy: "a newer AWS provider",
  aws_organizations_aws_service_access: "a newer AWS provider",
  aws_datazone_policy_grant: "a newer AWS provider",
  azurerm_sql_firewall_rule: "Azure provider 3",
  azurerm_sql_active_directory_administrator: "Azure provider 3",
  "azurerm_sql_*": "Azure provider 3",
  azurerm_mysql_firewall_rule: "Azure provider 3",
  azurerm_mysql_configuration: "Azure provider 3",
  azurerm_mariadb_firewall_rule: "Azure provider 3",
  "azurerm_mariadb_*": "Azure provider 3",
  azurerm_monitor_log_profile: "Azure provider 3",
};

/** Attributes in the risk tables that no type in the current schema has, with the reason. */
export const OTHER_ATTRIBUTES: Readonly<Record<string, string>> = {
  "storage_profile.auto_grow": "Azure provider 2",
  "log.enabled": "Azure provider 3",
  server_version: "Azure's API, through Pulumi",
  tier: "Azure's API, through Pulumi",
  "transparent_data_encryption.state": "Azure's API, through Pulumi",
  enabled: "Azure's API, through Pulumi",
  instance_type: "Neptune's and DocumentDB's own names, through Pulumi",
  "access_rules.get_object": "CloudFormation",
  cidr_ip: "CloudFormation",
  cidr_ipv_6: "CloudFormation",
  "security_group_ingress.cidr_ip": "CloudFormation",
  "security_group_ingress.cidr_ipv_6": "CloudFormation",
};
