import { isObject } from "@leeway/shared/values/json";

import { mirroredMember } from "../../live-path.ts";
import type { MappingTable, Row, Shape } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { unlessPart } from "../../parts.ts";
import { document, ifSet, plain, references, row, same, sole, unlessGone } from "../../shapes.ts";
import { KMS_KEY } from "./data.ts";
import { ownParameters, parameters } from "./parameters.ts";

const ACCESS_POLICIES = row("AccessPolicies", document);

const PARAMETERS = { parameter: row("Parameters", parameters) };

/** Compares a single value that AWS Config writes as a list. */
const only: Shape = (live, declared) => sole(mirrored)([live].flat(), declared);

const PARAMETER_GROUP = row("DBParameterGroups[].DBParameterGroupName | DBParameterGroupName", only);

/** Compares the storage type. AWS reports `aurora` for the default, which the state leaves empty. */
const clusterStorage: Shape = (live, declared) =>
  live === "aurora" && !declared ? declared : mirrored(live, declared);

/**
 * Compares published logs by type. AWS Config may name them differently. Logs that were never published are missing.
 */
const publishedLogs: Shape = (live, declared) => {
  if (!isObject(live) || !Array.isArray(declared)) return undefined;
  if (!Object.keys(live).every((name) => /^[A-Z_]+$/.test(name))) return undefined;
  const options = declared.filter(isObject).map(({ log_type = null }) => {
    const option = typeof log_type === "string" ? live[log_type] : undefined;
    const target = mirroredMember(option, "cloud_watch_logs_log_group_arn");
    return {
      log_type,
      enabled: mirroredMember(option, "enabled") ?? false,
      ...(target !== undefined && { cloudwatch_log_group_arn: target }),
    };
  });
  return mirrored(options, declared);
};

const CLUSTER: Readonly<Record<string, string | Row>> = {
  ...same(`engine_version port backup_retention_period deletion_protection storage_encrypted preferred_backup_window
  preferred_maintenance_window`),
  vpc_security_group_ids: "VpcSecurityGroupIds",
};

const SEARCH: Readonly<Record<string, string | Row>> = {
  "encrypt_at_rest.enabled": "EncryptionAtRestOptions.Enabled",
  "node_to_node_encryption.enabled": "NodeToNodeEncryptionOptions.Enabled",
  "domain_endpoint_options.enforce_https": "DomainEndpointOptions.EnforceHTTPS",
  "domain_endpoint_options.tls_security_policy": "DomainEndpointOptions.TLSSecurityPolicy",
  "advanced_security_options.enabled": "AdvancedSecurityOptions.Enabled",
  "vpc_options.security_group_ids": "VPCOptions.SecurityGroupIds",
};

/** AWS databases, caches and search domains, and their parameter and subnet groups; see `AWS`. */
export const AWS_DATABASES: MappingTable = {
  aws_db_instance: {
    ...same(`allocated_storage engine engine_version publicly_accessible storage_encrypted storage_type iops
    backup_retention_period deletion_protection auto_minor_version_upgrade copy_tags_to_snapshot
    monitoring_interval storage_throughput license_model network_type monitoring_role_arn
    performance_insights_retention_period`),
    option_group_name: row("OptionGroupMemberships[].OptionGroupName | OptionGroupName", only),
    // Only Cloud Control's answers have this member.
    max_allocated_storage: unlessGone(row("MaxAllocatedStorage"), "DBParameterGroupName"),
    port: "Endpoint.Port | Port",
    parameter_group_name: PARAMETER_GROUP,
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
    preferred_backup_window preferred_maintenance_window copy_tags_to_snapshot port backtrack_window`),
    storage_type: row("StorageType", clusterStorage),
    enable_http_endpoint: "EnableHttpEndpoint | HttpEndpointEnabled",
    db_cluster_parameter_group_name:
      "DBClusterParameterGroup | DBClusterParameterGroupName | dbclusterParameterGroup",
    "serverlessv2_scaling_configuration.min_capacity": "ServerlessV2ScalingConfiguration.MinCapacity",
    "serverlessv2_scaling_configuration.max_capacity": "ServerlessV2ScalingConfiguration.MaxCapacity",
    iam_database_authentication_enabled:
      "IAMDatabaseAuthenticationEnabled | EnableIAMDatabaseAuthentication | iamdatabaseAuthenticationEnabled",
    enabled_cloudwatch_logs_exports: "EnabledCloudwatchLogsExports | EnableCloudwatchLogsExports",
    vpc_security_group_ids: "VpcSecurityGroups[].VpcSecurityGroupId | VpcSecurityGroupIds",
    ...KMS_KEY,
  },
  aws_rds_cluster_instance: {
    ...same(`engine publicly_accessible auto_minor_version_upgrade promotion_tier monitoring_interval
    copy_tags_to_snapshot`),
    instance_class: "DBInstanceClass | dbInstanceClass",
    ca_cert_identifier: "CACertificateIdentifier",
    db_parameter_group_name: PARAMETER_GROUP,
    performance_insights_enabled: "PerformanceInsightsEnabled | EnablePerformanceInsights",
  },
  aws_rds_global_cluster: same("deletion_protection"),
  aws_db_proxy: {
    ...same("role_arn vpc_security_group_ids idle_client_timeout"),
    require_tls: "RequireTLS",
    debug_logging: "DebugLogging",
  },
  aws_docdb_cluster: {
    ...CLUSTER,
    ...KMS_KEY,
    enabled_cloudwatch_logs_exports: "EnableCloudwatchLogsExports",
  },
  aws_neptune_cluster: {
    ...CLUSTER,
    kms_key_arn: KMS_KEY.kms_key_id,
    iam_database_authentication_enabled: "IamAuthEnabled",
    enable_cloudwatch_logs_exports: "EnableCloudwatchLogsExports",
  },
  aws_memorydb_cluster: {
    ...same(`node_type num_shards snapshot_retention_limit security_group_ids parameter_group_name
    engine_version auto_minor_version_upgrade`),
    acl_name: "ACLName",
    tls_enabled: "TLSEnabled",
  },
  aws_elasticache_cluster: { ...same("engine engine_version num_cache_nodes"), node_type: "CacheNodeType" },
  aws_elasticache_replication_group: {
    ...same(`automatic_failover_enabled at_rest_encryption_enabled transit_encryption_enabled
    snapshot_retention_limit security_group_ids user_group_ids engine engine_version
    auto_minor_version_upgrade snapshot_window`),
    ...KMS_KEY,
    parameter_group_name: "CacheParameterGroupName",
    transit_encryption_mode: row("TransitEncryptionMode", ifSet),
    node_type: "CacheNodeType",
    multi_az_enabled: "MultiAZEnabled",
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
  aws_opensearch_domain: {
    engine_version: "EngineVersion",
    ...SEARCH,
    "cluster_config.instance_type": "ClusterConfig.InstanceType",
    "cluster_config.instance_count": "ClusterConfig.InstanceCount",
    ...same(
      `cluster_config.dedicated_master_enabled cluster_config.dedicated_master_type
      cluster_config.dedicated_master_count cluster_config.zone_awareness_enabled`,
    ),
    "ebs_options.volume_size": "EBSOptions.VolumeSize",
    log_publishing_options: row("LogPublishingOptions", publishedLogs),
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
    automated_snapshot_retention_period manual_snapshot_retention_period allow_version_upgrade`),
    port: "Endpoint.Port | Port",
    cluster_parameter_group_name: row(
      "ClusterParameterGroups[].ParameterGroupName | ClusterParameterGroupName",
      only,
    ),
    iam_roles: unlessPart(
      "aws_redshift_cluster_iam_roles",
      row("IamRoles[].IamRoleArn | IamRoles", references),
    ),
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
