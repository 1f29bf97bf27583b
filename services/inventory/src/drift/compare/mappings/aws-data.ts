import type { MappingTable, Row, Shape } from "../mapping.ts";
import { mirrored } from "../mirrored.ts";
import { ownParameters, parameters } from "./aws-parameters.ts";
import { unlessPart } from "../parts.ts";
import {
  document,
  ifSet,
  plain,
  redrivePolicy,
  reference,
  references,
  row,
  same,
  sole,
  switched,
  unlessGone,
} from "../shapes.ts";

export const KMS_KEY = { kms_key_id: row("KmsKeyId", reference) };
const KEY_POLICY = row("KeyPolicy | supplementaryConfiguration.Policy", document);
const POLICY = row("Policy | PolicyDocument", document);
const REDRIVE_POLICY = row("RedrivePolicy", redrivePolicy);
const QUEUE_REDRIVE_POLICY = unlessGone(REDRIVE_POLICY, "MaximumMessageSize");
/** Of what has no attribute for a policy, which a resource of its own declares. */
const ownPolicy = (part: string, live: string): Record<string, Row> => ({
  policy: { ...unlessPart(part, row(live, document)), unstated: "" },
});
const TABLE_POLICY = "ResourcePolicy.PolicyDocument";
const ACCESS_POLICIES = row("AccessPolicies", document);

const PARAMETERS = { parameter: row("Parameters", parameters) };

/** AWS Config lists all that there may be of what is one. */
const only: Shape = (live, declared) => sole(mirrored)([live].flat(), declared);

const CLUSTER: Readonly<Record<string, string | Row>> = {
  ...same(`engine_version port backup_retention_period deletion_protection storage_encrypted preferred_backup_window
  preferred_maintenance_window`),
  vpc_security_group_ids: "VpcSecurityGroupIds",
  ...KMS_KEY,
};

const SEARCH: Readonly<Record<string, string | Row>> = {
  "encrypt_at_rest.enabled": "EncryptionAtRestOptions.Enabled",
  "node_to_node_encryption.enabled": "NodeToNodeEncryptionOptions.Enabled",
  "domain_endpoint_options.enforce_https": "DomainEndpointOptions.EnforceHTTPS",
  "domain_endpoint_options.tls_security_policy": "DomainEndpointOptions.TLSSecurityPolicy",
  "advanced_security_options.enabled": "AdvancedSecurityOptions.Enabled",
  "vpc_options.security_group_ids": "VPCOptions.SecurityGroupIds",
};

/** Types of AWS that hold data, or keys; see `AWS`. */
export const AWS_DATA: MappingTable = {
  aws_ebs_volume: {
    ...same("size iops throughput encrypted availability_zone snapshot_id multi_attach_enabled"),
    type: "VolumeType",
    ...KMS_KEY,
  },
  aws_kms_key: {
    ...same("description key_usage multi_region"),
    enable_key_rotation: "EnableKeyRotation | supplementaryConfiguration.KeyRotationStatus",
    is_enabled: "Enabled",
    customer_master_key_spec: "KeySpec",
    policy: unlessPart("aws_kms_key_policy", KEY_POLICY),
  },
  aws_kms_key_policy: { policy: KEY_POLICY },
  aws_kms_alias: { target_key_id: row("TargetKeyId", reference) },
  aws_sqs_queue: {
    ...same("delay_seconds fifo_queue content_based_deduplication sqs_managed_sse_enabled"),
    visibility_timeout_seconds: "VisibilityTimeout",
    max_message_size: "MaximumMessageSize",
    message_retention_seconds: "MessageRetentionPeriod",
    receive_wait_time_seconds: "ReceiveMessageWaitTimeSeconds",
    kms_master_key_id: unlessGone(row("KmsMasterKeyId", reference), "VisibilityTimeout"),
    redrive_policy: unlessPart("aws_sqs_queue_redrive_policy", QUEUE_REDRIVE_POLICY),
    policy: unlessPart("aws_sqs_queue_policy", POLICY),
  },
  aws_sqs_queue_policy: { policy: POLICY },
  aws_sqs_queue_redrive_policy: { redrive_policy: QUEUE_REDRIVE_POLICY },
  aws_sns_topic: {
    ...same("display_name fifo_topic content_based_deduplication"),
    // The second is what AWS Config has of each topic.
    kms_master_key_id: unlessGone(row("KmsMasterKeyId", reference), "FifoTopic | Owner"),
    policy: unlessPart("aws_sns_topic_policy", POLICY),
  },
  aws_sns_topic_policy: { policy: POLICY },
  aws_sns_topic_subscription: {
    ...same("protocol endpoint topic_arn raw_message_delivery"),
    filter_policy: unlessGone(row("FilterPolicy", document), "RawMessageDelivery"),
    redrive_policy: unlessGone(REDRIVE_POLICY, "RawMessageDelivery"),
  },
  aws_dynamodb_table: {
    ...same("deletion_protection_enabled"),
    ...ownPolicy("aws_dynamodb_resource_policy", TABLE_POLICY),
    billing_mode: "BillingModeSummary.BillingMode | BillingMode",
    table_class: "TableClassSummary.TableClass | TableClass",
    read_capacity: "ProvisionedThroughput.ReadCapacityUnits",
    write_capacity: "ProvisionedThroughput.WriteCapacityUnits",
    "point_in_time_recovery.enabled": "PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled",
    "ttl.enabled": "TimeToLiveSpecification.Enabled",
    "ttl.attribute_name": "TimeToLiveSpecification.AttributeName",
    // AWS Config has the key alone, and none where AWS's own is used.
    "server_side_encryption.enabled": unlessGone(
      row("SSESpecification.SSEEnabled | ssedescription.status", switched),
      "PointInTimeRecoverySpecification",
    ),
  },
  aws_dynamodb_resource_policy: { policy: row(TABLE_POLICY, document) },
  aws_db_instance: {
    ...same(`allocated_storage engine engine_version publicly_accessible storage_encrypted storage_type iops
    backup_retention_period deletion_protection auto_minor_version_upgrade copy_tags_to_snapshot
    monitoring_interval`),
    // Cloud Control's alone names the one group of parameters.
    max_allocated_storage: unlessGone(row("MaxAllocatedStorage"), "DBParameterGroupName"),
    port: "Endpoint.Port | Port",
    parameter_group_name: row("DBParameterGroups[].DBParameterGroupName | DBParameterGroupName", only),
    instance_class: "DBInstanceClass | dbInstanceClass",
    multi_az: "MultiAZ",
    ca_cert_identifier: "CACertificateIdentifier",
    backup_window: "PreferredBackupWindow",
    maintenance_window: "PreferredMaintenanceWindow",
    iam_database_authentication_enabled: "IAMDatabaseAuthenticationEnabled | EnableIAMDatabaseAuthentication",
    performance_insights_enabled: "PerformanceInsightsEnabled | EnablePerformanceInsights",
    enabled_cloudwatch_logs_exports: "EnabledCloudwatchLogsExports | EnableCloudwatchLogsExports",
    vpc_security_group_ids: "VpcSecurityGroups[].VpcSecurityGroupId | VPCSecurityGroups",
    db_subnet_group_name: row("DBSubnetGroup.DBSubnetGroupName | DBSubnetGroupName", plain),
    ...KMS_KEY,
  },
  aws_rds_cluster: {
    ...same(`engine engine_version backup_retention_period deletion_protection storage_encrypted
    preferred_backup_window preferred_maintenance_window copy_tags_to_snapshot port`),
    enable_http_endpoint: "EnableHttpEndpoint | HttpEndpointEnabled",
    db_cluster_parameter_group_name: "DBClusterParameterGroup | DBClusterParameterGroupName",
    "serverlessv2_scaling_configuration.min_capacity": "ServerlessV2ScalingConfiguration.MinCapacity",
    "serverlessv2_scaling_configuration.max_capacity": "ServerlessV2ScalingConfiguration.MaxCapacity",
    iam_database_authentication_enabled: "IAMDatabaseAuthenticationEnabled | EnableIAMDatabaseAuthentication",
    enabled_cloudwatch_logs_exports: "EnabledCloudwatchLogsExports | EnableCloudwatchLogsExports",
    vpc_security_group_ids: "VpcSecurityGroups[].VpcSecurityGroupId | VpcSecurityGroupIds",
    ...KMS_KEY,
  },
  aws_rds_cluster_instance: {
    ...same("engine publicly_accessible auto_minor_version_upgrade promotion_tier"),
    instance_class: "DBInstanceClass | dbInstanceClass",
    performance_insights_enabled: "PerformanceInsightsEnabled | EnablePerformanceInsights",
  },
  aws_rds_global_cluster: same("deletion_protection"),
  aws_db_proxy: { require_tls: "RequireTLS", debug_logging: "DebugLogging" },
  aws_docdb_cluster: {
    ...CLUSTER,
    enabled_cloudwatch_logs_exports: "EnableCloudwatchLogsExports",
  },
  aws_neptune_cluster: {
    ...CLUSTER,
    iam_database_authentication_enabled: "IamAuthEnabled",
    enable_cloudwatch_logs_exports: "EnableCloudwatchLogsExports",
  },
  aws_memorydb_cluster: {
    ...same("node_type num_shards snapshot_retention_limit"),
    acl_name: "ACLName",
    tls_enabled: "TLSEnabled",
  },
  aws_mq_broker: same("publicly_accessible auto_minor_version_upgrade host_instance_type deployment_mode"),
  aws_msk_cluster: {
    kafka_version: "CurrentBrokerSoftwareInfo.KafkaVersion | KafkaVersion",
    ...same(`number_of_broker_nodes enhanced_monitoring broker_node_group_info.instance_type
    broker_node_group_info.security_groups broker_node_group_info.connectivity_info.public_access.type
    encryption_info.encryption_in_transit.client_broker encryption_info.encryption_in_transit.in_cluster`),
  },
  aws_elasticache_cluster: { ...same("engine engine_version num_cache_nodes"), node_type: "CacheNodeType" },
  aws_elasticache_replication_group: {
    ...same(`automatic_failover_enabled at_rest_encryption_enabled transit_encryption_enabled
    snapshot_retention_limit security_group_ids user_group_ids`),
    parameter_group_name: "CacheParameterGroupName",
    transit_encryption_mode: row("TransitEncryptionMode", ifSet),
    node_type: "CacheNodeType",
    multi_az_enabled: "MultiAZEnabled",
  },
  aws_secretsmanager_secret: {
    ...same("description"),
    kms_key_id: unlessGone(KMS_KEY.kms_key_id, "ReplicaRegions"),
  },
  aws_db_parameter_group: PARAMETERS,
  aws_rds_cluster_parameter_group: PARAMETERS,
  aws_db_subnet_group: {
    description: "DBSubnetGroupDescription",
    subnet_ids: row("SubnetIds | Subnets[].SubnetIdentifier", references),
  },
  aws_elasticache_parameter_group: { parameter: row("Properties", ownParameters) },
  aws_elasticache_subnet_group: {
    description: "Description",
    subnet_ids: row("SubnetIds", references),
  },
  aws_backup_vault: ownPolicy("aws_backup_vault_policy", "AccessPolicy"),
  aws_backup_vault_policy: { policy: row("AccessPolicy", document) },
  aws_efs_file_system_policy: { policy: row("FileSystemPolicy", document) },
  aws_efs_backup_policy: { "backup_policy.status": "BackupPolicy.Status" },
  aws_efs_file_system: {
    ...ownPolicy("aws_efs_file_system_policy", "FileSystemPolicy"),
    ...same("encrypted performance_mode throughput_mode provisioned_throughput_in_mibps"),
    ...KMS_KEY,
  },
  aws_opensearch_domain: {
    engine_version: "EngineVersion",
    ...SEARCH,
    "cluster_config.instance_type": "ClusterConfig.InstanceType",
    "cluster_config.instance_count": "ClusterConfig.InstanceCount",
    "ebs_options.volume_size": "EBSOptions.VolumeSize",
    access_policies: unlessPart("aws_opensearch_domain_policy", ACCESS_POLICIES),
  },
  aws_opensearch_domain_policy: { access_policies: ACCESS_POLICIES },
  aws_elasticsearch_domain: {
    elasticsearch_version: "ElasticsearchVersion",
    ...SEARCH,
    "cluster_config.instance_type": "ElasticsearchClusterConfig.InstanceType",
    "cluster_config.instance_count": "ElasticsearchClusterConfig.InstanceCount",
  },
  aws_redshift_cluster: {
    ...same(`node_type number_of_nodes publicly_accessible encrypted enhanced_vpc_routing
    automated_snapshot_retention_period`),
    vpc_security_group_ids: "VpcSecurityGroups[].VpcSecurityGroupId | VpcSecurityGroupIds",
    ...KMS_KEY,
  },
  aws_db_event_subscription: {
    ...same("enabled source_type"),
    sns_topic: "SnsTopicArn",
    event_categories: row("EventCategories", references),
    source_ids: row("SourceIds", references),
  },
  aws_docdb_cluster_instance: {
    instance_class: "DBInstanceClass",
    ...same("auto_minor_version_upgrade enable_performance_insights"),
  },
  aws_redshift_subnet_group: { ...same("description"), subnet_ids: row("SubnetIds", references) },
};
