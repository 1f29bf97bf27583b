import { pairs } from "./table.ts";

/**
 * Terraform's types by those of AWS Cloud Control, as CloudFormation names them without `AWS::`, colons and capitals;
 * only where they aren't called the same. For what mirrors Cloud Control: the `awscc` provider, Pulumi's `aws-native`. A
 * test of the inventory holds it to its catalog.
 */
export const CLOUD_CONTROL = pairs(`
  ec2instance aws_instance
  ec2ec2fleet aws_ec2_fleet
  ec2spotfleet aws_spot_fleet_request
  ec2image aws_ami
  autoscalingautoscalinggroup aws_autoscaling_group
  lambdaurl aws_lambda_function_url
  s3expressdirectorybucket aws_s3_directory_bucket
  s3outpostsbucket aws_s3control_bucket
  storagegatewayvolume aws_storagegateway_cached_iscsi_volume
  ec2volume aws_ebs_volume
  ec2snapshot aws_ebs_snapshot
  ec2snapshotblockpublicaccess aws_ebs_snapshot_block_public_access
  ec2ebsencryptionbydefault aws_ebs_encryption_by_default
  fsxfilesystem aws_fsx_lustre_file_system
  fsxvolume aws_fsx_ontap_volume
  fsxstoragevirtualmachine aws_fsx_ontap_storage_virtual_machine
  fsxsnapshot aws_fsx_openzfs_snapshot
  backupbackupvault aws_backup_vault
  backuplogicallyairgappedbackupvault aws_backup_logically_air_gapped_vault
  apsworkspace aws_prometheus_workspace
  backupbackupplan aws_backup_plan
  backupbackupselection aws_backup_selection
  rdsdbinstance aws_db_instance
  rdsdbcluster aws_rds_cluster
  rdsdbshardgroup aws_rds_shard_group
  rdsdbsnapshot aws_db_snapshot
  rdsdbclustersnapshot aws_db_cluster_snapshot
  docdbdbcluster aws_docdb_cluster
  docdbdbinstance aws_docdb_cluster_instance
  docdbdbclustersnapshot aws_docdb_cluster_snapshot
  neptunedbcluster aws_neptune_cluster
  neptunedbinstance aws_neptune_cluster_instance
  neptunedbclustersnapshot aws_neptune_cluster_snapshot
  cassandrakeyspace aws_keyspaces_keyspace
  cassandratable aws_keyspaces_table
  timestreamdatabase aws_timestreamwrite_database
  timestreamtable aws_timestreamwrite_table
  timestreaminfluxdbinstance aws_timestreaminfluxdb_db_instance
  timestreaminfluxdbcluster aws_timestreaminfluxdb_db_cluster
  sdbdomain aws_simpledb_domain
  elasticachecachecluster aws_elasticache_cluster
  redshiftclustersecuritygroup aws_redshift_security_group
  opensearchservicedomain aws_opensearch_domain
  elasticsearchdomain aws_opensearch_domain
  mskserverlesscluster aws_msk_cluster
  amazonmqbroker aws_mq_broker
  gluedatabase aws_glue_catalog_database
  lakeformationprincipalpermissions aws_lakeformation_permissions
  ec2vpc aws_vpc
  ec2routetable aws_route_table
  ec2route aws_route
  ec2subnetroutetableassociation aws_route_table_association
  ec2gatewayroutetableassociation aws_route_table_association
  ec2internetgateway aws_internet_gateway
  ec2vpngatewayattachment aws_vpn_gateway_attachment
  ec2natgateway aws_nat_gateway
  ec2eip aws_eip
  ec2securitygroup aws_security_group
  ec2mainroutetableassociation aws_main_route_table_association
  ec2securitygrouprule aws_security_group_rule
  ec2securitygrouprulesexclusive aws_vpc_security_group_rules_exclusive
  ec2spotinstancerequest aws_spot_instance_request
  ec2securitygroupingress aws_vpc_security_group_ingress_rule
  ec2securitygroupegress aws_vpc_security_group_egress_rule
  ec2networkacl aws_network_acl
  ec2networkaclentry aws_network_acl_rule
  ec2flowlog aws_flow_log
  ec2prefixlist aws_ec2_managed_prefix_list
  ec2vpcendpoint aws_vpc_endpoint
  ec2vpcpeeringconnection aws_vpc_peering_connection
  ec2vpcblockpublicaccessoptions aws_vpc_block_public_access_options
  ec2vpngateway aws_vpn_gateway
  ec2vpngatewayroutepropagation aws_vpn_gateway_route_propagation
  ec2vpnconnection aws_vpn_connection
  ec2vpnconnectionroute aws_vpn_connection_route
  ec2vpnconcentrator aws_vpn_concentrator
  ec2subnetnetworkaclassociation aws_network_acl_association
  ec2customergateway aws_customer_gateway
  ec2transitgatewayattachment aws_ec2_transit_gateway_vpc_attachment
  ec2transitgatewaypeeringattachment aws_ec2_transit_gateway_vpc_attachment
  ec2transitgatewayconnect aws_ec2_transit_gateway_vpc_attachment
  elasticloadbalancingloadbalancer aws_elb
  elasticloadbalancingv2loadbalancer aws_lb
  elasticloadbalancingv2listener aws_lb_listener
  elasticloadbalancingv2listenerrule aws_lb_listener_rule
  elasticloadbalancingv2targetgroup aws_lb_target_group
  route53hostedzone aws_route53_zone
  route53recordset aws_route53_record
  route53queryloggingconfig aws_route53_query_log
  iammanagedpolicy aws_iam_policy
  iamoidcprovider aws_iam_openid_connect_provider
  iamusertogroupaddition aws_iam_group_membership
  kmsreplicakey aws_kms_key
  cloudhsmcluster aws_cloudhsm_v2_cluster
  secretsmanagerresourcepolicy aws_secretsmanager_secret_policy
  certificatemanagercertificate aws_acm_certificate
  directoryservicemicrosoftad aws_directory_service_directory
  directoryservicesimplead aws_directory_service_directory
  servicecatalogcloudformationprovisionedproduct aws_servicecatalog_provisioned_product
  logsloggroup aws_cloudwatch_log_group
  logsresourcepolicy aws_cloudwatch_log_resource_policy
  cloudtrailtrail aws_cloudtrail
  securityhubhub aws_securityhub_account
  inspectorv2enabler aws_inspector2_enabler
  maciesession aws_macie2_account
  wafv2loggingconfiguration aws_wafv2_web_acl_logging_configuration
`);

/** How Terraform's types of a service begin, where its name isn't Cloud Control's or, at last, Pulumi's. */
export const SERVICES = pairs(`
  directconnect dx
  route53resolver route53_resolver
  servicediscovery service_discovery
  sso ssoadmin
  configuration config
`);
