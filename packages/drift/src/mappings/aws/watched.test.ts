import { testEach, type Case } from "../../detect-drift.fixture.ts";

const KEY = "arn:aws:kms:eu-west-1:111111111111:key/1";
const OTHER_KEY = "arn:aws:kms:eu-west-1:111111111111:key/2";
const ROLE = "arn:aws:iam::111111111111:role/app";
const ADMIN = "arn:aws:iam::111111111111:role/admin";

const CASES: Case[] = [
  {
    type: "aws_db_instance",
    declared: { storage_throughput: 125, license_model: "postgresql-license", network_type: "IPV4" },
    same: { StorageThroughput: 125, LicenseModel: "postgresql-license", NetworkType: "IPV4" },
    changed: { StorageThroughput: 500, LicenseModel: "postgresql-license", NetworkType: "DUAL" },
    changes: [
      ["network_type", "DUAL"],
      ["storage_throughput", 500],
    ],
    rule: "R23",
  },
  {
    type: "aws_db_instance",
    declared: { option_group_name: "default:mysql-8-0", performance_insights_retention_period: 7 },
    same: {
      optionGroupMemberships: [{ optionGroupName: "default:mysql-8-0", status: "in-sync" }],
      performanceInsightsRetentionPeriod: 7,
    },
    changed: { OptionGroupName: "audited", PerformanceInsightsRetentionPeriod: 7 },
    changes: [["option_group_name", "audited"]],
    rule: "R23",
  },
  {
    type: "aws_rds_cluster",
    declared: { storage_type: "", backtrack_window: 3600 },
    same: { StorageType: "aurora", BacktrackWindow: 3600 },
    changed: { StorageType: "aurora-iopt1", BacktrackWindow: 0 },
    changes: [
      ["backtrack_window", 0],
      ["storage_type", "aurora-iopt1"],
    ],
    rule: "R02",
  },
  {
    type: "aws_rds_cluster_instance",
    declared: { ca_cert_identifier: "rds-ca-rsa2048-g1", db_parameter_group_name: "app" },
    same: { CACertificateIdentifier: "rds-ca-rsa2048-g1", DBParameterGroupName: "app" },
    changed: {
      CACertificateIdentifier: "rds-ca-2019",
      DBParameterGroups: [{ DBParameterGroupName: "default.aurora15" }],
    },
    changes: [
      ["ca_cert_identifier", "rds-ca-2019"],
      ["db_parameter_group_name", "default.aurora15"],
    ],
    rule: "R07",
  },
  {
    type: "aws_db_proxy",
    declared: {
      role_arn: ROLE,
      vpc_security_group_ids: ["sg-1"],
    },
    same: {
      RoleArn: ROLE,
      VpcSecurityGroupIds: ["sg-1"],
    },
    changed: {
      RoleArn: ADMIN,
      VpcSecurityGroupIds: ["sg-1"],
    },
    changes: [["role_arn", ADMIN]],
    rule: "R12",
  },
  {
    type: "aws_elasticache_replication_group",
    declared: { kms_key_id: KEY, auto_minor_version_upgrade: "true", engine_version: "7.1" },
    same: { KmsKeyId: KEY, AutoMinorVersionUpgrade: true, EngineVersion: "7.1" },
    changed: { KmsKeyId: OTHER_KEY, AutoMinorVersionUpgrade: false, EngineVersion: "7.1" },
    changes: [
      ["auto_minor_version_upgrade", "false"],
      ["kms_key_id", OTHER_KEY],
    ],
    rule: "R07",
  },
  {
    type: "aws_memorydb_cluster",
    declared: { security_group_ids: ["sg-1", "sg-2"], parameter_group_name: "app", engine_version: "7.1" },
    same: { SecurityGroupIds: ["sg-2", "sg-1"], ParameterGroupName: "app", EngineVersion: "7.1" },
    changed: { SecurityGroupIds: ["sg-1"], ParameterGroupName: "app", EngineVersion: "7.1" },
    changes: [["security_group_ids", ["sg-1"]]],
    rule: "R08",
  },
  {
    type: "aws_mq_broker",
    declared: { security_groups: ["sg-1"], logs: [{ audit: "true", general: true }] },
    same: { SecurityGroups: ["sg-1"], Logs: { Audit: true, General: true } },
    changed: { SecurityGroups: ["sg-1"], Logs: { Audit: false, General: true } },
    changes: [["logs.0.audit", "false"]],
    rule: "R14",
  },
  {
    type: "aws_msk_cluster",
    declared: {
      client_authentication: [{ unauthenticated: false, sasl: [{ iam: true, scram: false }] }],
      configuration_info: [{ arn: "arn:c", revision: 1 }],
    },
    same: {
      ClientAuthentication: { Unauthenticated: { Enabled: false }, Sasl: { Iam: { Enabled: true } } },
      ConfigurationInfo: { Arn: "arn:c", Revision: 1 },
    },
    changed: {
      ClientAuthentication: { Unauthenticated: { Enabled: true }, Sasl: { Iam: { Enabled: true } } },
      ConfigurationInfo: { Arn: "arn:c", Revision: 2 },
    },
    changes: [
      ["client_authentication.0.unauthenticated", true],
      ["configuration_info.0.revision", 2],
    ],
    rule: "R02",
  },
  {
    type: "aws_dynamodb_table",
    declared: {
      stream_enabled: true,
      stream_view_type: "NEW_IMAGE",
      server_side_encryption: [{ enabled: true, kms_key_arn: KEY }],
    },
    same: {
      StreamSpecification: { StreamViewType: "NEW_IMAGE" },
      SSESpecification: { SSEEnabled: true, KMSMasterKeyId: KEY },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    },
    changed: {
      SSESpecification: { SSEEnabled: true, KMSMasterKeyId: OTHER_KEY },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    },
    changes: [
      ["server_side_encryption.0.kms_key_arn", OTHER_KEY],
      ["stream_enabled", false],
      ["stream_view_type", ""],
    ],
    rule: "R23",
  },
  {
    type: "aws_dynamodb_table",
    declared: { stream_enabled: false, stream_view_type: "" },
    same: { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    changed: {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
    },
    changes: [
      ["stream_enabled", true],
      ["stream_view_type", "NEW_AND_OLD_IMAGES"],
    ],
    rule: "R23",
  },
  {
    type: "aws_opensearch_domain",
    declared: {
      cluster_config: [{ dedicated_master_enabled: true, dedicated_master_type: "m6g.large.search" }],
      log_publishing_options: [
        { log_type: "AUDIT_LOGS", enabled: true, cloudwatch_log_group_arn: "arn:audit" },
        { log_type: "ES_APPLICATION_LOGS", enabled: true, cloudwatch_log_group_arn: "arn:app" },
      ],
    },
    same: {
      ClusterConfig: { DedicatedMasterEnabled: true, DedicatedMasterType: "m6g.large.search" },
      LogPublishingOptions: {
        ES_APPLICATION_LOGS: { Enabled: true, CloudWatchLogsLogGroupArn: "arn:app" },
        AUDIT_LOGS: { Enabled: true, CloudWatchLogsLogGroupArn: "arn:audit" },
      },
    },
    changed: {
      ClusterConfig: { DedicatedMasterEnabled: false, DedicatedMasterType: "m6g.large.search" },
      LogPublishingOptions: {
        ES_APPLICATION_LOGS: { Enabled: true, CloudWatchLogsLogGroupArn: "arn:app" },
        AUDIT_LOGS: { Enabled: false },
      },
    },
    changes: [
      ["cluster_config.0.dedicated_master_enabled", false],
      ["log_publishing_options.0.enabled", false],
    ],
    rule: "R14",
  },
  {
    type: "aws_opensearch_domain",
    declared: { log_publishing_options: [{ log_type: "AUDIT_LOGS", enabled: true }] },
    same: { logPublishingOptions: { auditLogs: { enabled: true } } },
    changed: { LogPublishingOptions: {} },
    changes: [["log_publishing_options.0.enabled", false]],
    rule: "R14",
  },
  {
    type: "aws_redshift_cluster",
    declared: {
      cluster_parameter_group_name: "tls",
      iam_roles: [ROLE],
      allow_version_upgrade: true,
      port: 5439,
    },
    same: {
      clusterParameterGroups: [{ parameterGroupName: "tls", parameterApplyStatus: "in-sync" }],
      iamRoles: [{ iamRoleArn: ROLE, applyStatus: "in-sync" }],
      allowVersionUpgrade: true,
      endpoint: { port: 5439 },
    },
    changed: {
      ClusterParameterGroupName: "default.redshift-1.0",
      IamRoles: [ROLE, ADMIN],
      AllowVersionUpgrade: true,
      Port: 5439,
      Endpoint: { Port: "5439" },
    },
    changes: [
      ["cluster_parameter_group_name", "default.redshift-1.0"],
      ["iam_roles", [ROLE, ADMIN]],
    ],
    rule: "R12",
  },
  {
    type: "aws_efs_file_system",
    declared: { protection: [{ replication_overwrite: "ENABLED" }] },
    same: { FileSystemProtection: { ReplicationOverwriteProtection: "ENABLED" } },
    changed: { FileSystemProtection: { ReplicationOverwriteProtection: "DISABLED" } },
    changes: [["protection.0.replication_overwrite", "DISABLED"]],
    rule: "R02",
  },
  {
    type: "aws_cloudwatch_metric_alarm",
    declared: { dimensions: { InstanceId: "i-1" }, threshold: 80 },
    same: { ComparisonOperator: "X", Threshold: 80, Dimensions: [{ Name: "InstanceId", Value: "i-1" }] },
    changed: { ComparisonOperator: "X", Threshold: 80, Dimensions: [{ Name: "InstanceId", Value: "i-2" }] },
    changes: [["dimensions.InstanceId", "i-2"]],
    rule: "R23",
  },
  {
    type: "aws_eks_node_group",
    declared: {
      launch_template: [{ id: "lt-1", name: "nodes", version: "1" }],
      release_version: "1.31.0-20260101",
      taint: [{ key: "gpu", value: "", effect: "NO_SCHEDULE" }],
    },
    same: {
      LaunchTemplate: { Id: "lt-1", Name: "nodes", Version: "1" },
      ReleaseVersion: "1.31.0-20260101",
      Taints: [{ Key: "gpu", Effect: "NO_SCHEDULE" }],
    },
    changed: {
      LaunchTemplate: { Id: "lt-1", Name: "nodes", Version: "2" },
      ReleaseVersion: "1.31.0-20260101",
      Taints: [],
    },
    changes: [
      ["launch_template.0.version", "2"],
      ["taint.0", null],
    ],
    rule: "R23",
  },
  {
    type: "aws_autoscaling_group",
    declared: { protect_from_scale_in: false, max_instance_lifetime: 0, capacity_rebalance: false },
    same: { MinSize: "1", NewInstancesProtectedFromScaleIn: false },
    changed: { MinSize: "1", NewInstancesProtectedFromScaleIn: true, MaxInstanceLifetime: 86_400 },
    changes: [
      ["max_instance_lifetime", 86_400],
      ["protect_from_scale_in", true],
    ],
    rule: "R23",
  },
  {
    type: "aws_lambda_function_url",
    declared: { authorization_type: "AWS_IAM", cors: [{ allow_origins: ["https://a.example"] }] },
    same: { AuthType: "AWS_IAM", Cors: { AllowOrigins: ["https://a.example"] } },
    changed: { AuthType: "AWS_IAM", Cors: { AllowOrigins: ["*"] } },
    changes: [["cors.0.allow_origins.0", "*"]],
    rule: "R23",
  },
  {
    type: "aws_apigatewayv2_api",
    declared: {
      cors_configuration: [{ allow_origins: ["https://a.example"], allow_credentials: false, max_age: 0 }],
    },
    same: { CorsConfiguration: { AllowOrigins: ["https://a.example"] } },
    changed: { CorsConfiguration: { AllowOrigins: ["*"], AllowCredentials: true } },
    changes: [
      ["cors_configuration.0.allow_origins.0", "*"],
      ["cors_configuration.0.allow_credentials", true],
    ],
    rule: "R23",
  },
  {
    type: "aws_lb",
    declared: {
      connection_logs: [{ enabled: true, bucket: "logs", prefix: "" }],
      preserve_host_header: false,
      xff_header_processing_mode: "append",
    },
    same: {
      LoadBalancerAttributes: [
        { Key: "connection_logs.s3.enabled", Value: "true" },
        { Key: "connection_logs.s3.bucket", Value: "logs" },
        { Key: "routing.http.preserve_host_header.enabled", Value: "false" },
        { Key: "routing.http.xff_header_processing.mode", Value: "append" },
      ],
    },
    changed: {
      LoadBalancerAttributes: [
        { Key: "connection_logs.s3.enabled", Value: "false" },
        { Key: "connection_logs.s3.bucket", Value: "" },
        { Key: "routing.http.preserve_host_header.enabled", Value: "false" },
        { Key: "routing.http.xff_header_processing.mode", Value: "preserve" },
      ],
    },
    changes: [
      ["connection_logs.0.enabled", false],
      ["connection_logs.0.bucket", ""],
      ["xff_header_processing_mode", "preserve"],
    ],
    rule: "R14",
  },
  {
    type: "aws_lb_listener",
    declared: { mutual_authentication: [{ mode: "verify", trust_store_arn: "arn:trust" }] },
    same: { MutualAuthentication: { Mode: "verify", TrustStoreArn: "arn:trust" } },
    changed: { MutualAuthentication: { Mode: "passthrough" } },
    changes: [["mutual_authentication.0.mode", "passthrough"]],
    rule: "R12",
  },
  {
    type: "aws_cloudfront_distribution",
    declared: {
      default_cache_behavior: [
        { allowed_methods: ["GET", "HEAD"], cache_policy_id: "p-1", response_headers_policy_id: "h-1" },
      ],
      ordered_cache_behavior: [
        { path_pattern: "/api/*", target_origin_id: "api", viewer_protocol_policy: "https-only" },
      ],
    },
    same: {
      DistributionConfig: {
        DefaultCacheBehavior: {
          AllowedMethods: ["HEAD", "GET"],
          CachePolicyId: "p-1",
          ResponseHeadersPolicyId: "h-1",
        },
        CacheBehaviors: [
          {
            PathPattern: "/api/*",
            TargetOriginId: "api",
            ViewerProtocolPolicy: "https-only",
            Compress: true,
          },
        ],
      },
    },
    changed: {
      distributionConfig: {
        defaultCacheBehavior: {
          allowedMethods: { quantity: 2, items: ["HEAD", "GET"] },
          cachePolicyId: "p-1",
          responseHeadersPolicyId: "h-2",
        },
        cacheBehaviors: {
          quantity: 1,
          items: [{ pathPattern: "/api/*", targetOriginId: "api", viewerProtocolPolicy: "allow-all" }],
        },
      },
    },
    changes: [
      ["default_cache_behavior.0.response_headers_policy_id", "h-2"],
      ["ordered_cache_behavior.0.viewer_protocol_policy", "allow-all"],
    ],
    rule: "R13",
  },
  {
    type: "aws_codebuild_project",
    declared: { project_visibility: "PRIVATE", source: [{ type: "GITHUB", buildspec: "buildspec.yml" }] },
    same: { Visibility: "PRIVATE", Source: { Type: "GITHUB", BuildSpec: "buildspec.yml" } },
    changed: { Visibility: "PUBLIC_READ", Source: { Type: "GITHUB", BuildSpec: "other.yml" } },
    changes: [
      ["project_visibility", "PUBLIC_READ"],
      ["source.0.buildspec", "other.yml"],
    ],
    rule: "R10",
  },
];

testEach(CASES);
