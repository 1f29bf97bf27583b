import { testEach, type Case } from "../../detect-drift.fixture.ts";

const BUCKET = { BucketName: "b", RegionalDomainName: "b.s3.eu-west-1.amazonaws.com" };
const LOCK = {
  ...BUCKET,
  ObjectLockConfiguration: {
    ObjectLockEnabled: "Enabled",
    Rule: { DefaultRetention: { Mode: "COMPLIANCE", Days: 30 } },
  },
};
const KEPT = { rule: [{ default_retention: [{ mode: "COMPLIANCE", days: 30, years: 0 }] }] };
const POLICY = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: "*", Action: "kms:*" }] };
const OWN = { ...POLICY, Statement: [{ ...POLICY.Statement[0], Principal: { AWS: "111111111111" } }] };
const NIGHTLY = {
  rule_name: "nightly",
  target_vault_name: "main",
  schedule: "cron(0 5 * * ? *)",
  start_window: 60,
  completion_window: 180,
  enable_continuous_backup: false,
  lifecycle: [{ cold_storage_after: 0, delete_after: 35 }],
};
const LIVE_NIGHTLY = {
  RuleName: "nightly",
  TargetBackupVault: "main",
  ScheduleExpression: "cron(0 5 * * ? *)",
  StartWindowMinutes: 60,
  CompletionWindowMinutes: 180,
  Lifecycle: { DeleteAfterDays: 35 },
};

const ONE_TO_ONE: Case[] = [
  {
    type: "aws_s3_bucket_object_lock_configuration",
    declared: KEPT,
    same: LOCK,
    changed: {
      ...BUCKET,
      ObjectLockConfiguration: {
        ObjectLockEnabled: "Enabled",
        Rule: { DefaultRetention: { Mode: "GOVERNANCE", Days: 1 } },
      },
    },
    changes: [
      ["rule.0.default_retention.0.mode", "GOVERNANCE"],
      ["rule.0.default_retention.0.days", 1],
    ],
    rule: "R02",
  },
  {
    type: "aws_s3_bucket_object_lock_configuration",
    declared: KEPT,
    same: { BucketName: "b" },
    changed: { ...BUCKET, ObjectLockConfiguration: { ObjectLockEnabled: "Enabled" } },
    changes: [
      ["rule.0.default_retention.0.mode", null],
      ["rule.0.default_retention.0.days", null],
    ],
    rule: "R02",
  },
  {
    type: "aws_backup_vault_lock_configuration",
    declared: { min_retention_days: 30, max_retention_days: 365 },
    same: { LockConfiguration: { MinRetentionDays: 30, MaxRetentionDays: 365 } },
    changed: { LockConfiguration: { MinRetentionDays: 1, MaxRetentionDays: 365 } },
    changes: [["min_retention_days", 1]],
    rule: "R02",
  },
  {
    type: "aws_backup_plan",
    declared: { rule: [NIGHTLY] },
    same: { BackupPlan: { BackupPlanName: "main", BackupPlanRule: [LIVE_NIGHTLY] } },
    changed: {
      BackupPlan: {
        BackupPlanRule: [{ ...LIVE_NIGHTLY, Lifecycle: { DeleteAfterDays: 1 } }],
      },
    },
    changes: [["rule.0.lifecycle.0.delete_after", 1]],
    rule: "R02",
  },
  {
    type: "aws_backup_plan",
    declared: { rule: [{ ...NIGHTLY, rule_name: "weekly" }, NIGHTLY] },
    same: {
      BackupPlan: { BackupPlanRule: [LIVE_NIGHTLY, { ...LIVE_NIGHTLY, RuleName: "weekly" }] },
    },
    changed: { BackupPlan: { BackupPlanRule: [LIVE_NIGHTLY] } },
    changes: [["rule.0", null]],
    rule: "R23",
  },
  {
    type: "aws_kms_replica_key",
    declared: { enabled: true, policy: JSON.stringify(OWN) },
    same: { Enabled: true, KeyPolicy: OWN },
    changed: { Enabled: false, KeyPolicy: POLICY },
    changes: [
      ["enabled", false],
      ["policy", JSON.stringify(POLICY)],
    ],
    rule: "R03",
  },
  {
    type: "aws_ec2_managed_prefix_list",
    declared: { max_entries: 5, entry: [{ cidr: "10.0.0.0/8", description: "inside" }] },
    parts: [{ type: "aws_ec2_managed_prefix_list_entry", attributes: { cidr: "192.0.2.0/24" } }],
    same: {
      MaxEntries: 5,
      Entries: [{ Cidr: "192.0.2.0/24" }, { Cidr: "10.0.0.0/8", Description: "inside" }],
    },
    changed: {
      MaxEntries: 5,
      Entries: [
        { Cidr: "0.0.0.0/0", Description: "inside" },
        { Cidr: "10.0.0.0/8", Description: "inside" },
      ],
    },
    changes: [["entry.1", { cidr: "0.0.0.0/0", description: "inside" }]],
    rule: "R09",
  },
  {
    type: "aws_redshiftserverless_workgroup",
    declared: { publicly_accessible: false, enhanced_vpc_routing: true, base_capacity: 32, port: 5439 },
    same: {
      Workgroup: {
        PubliclyAccessible: false,
        EnhancedVpcRouting: true,
        BaseCapacity: 32,
        Endpoint: { Port: 5439 },
      },
    },
    changed: { Workgroup: { PubliclyAccessible: true, EnhancedVpcRouting: true, BaseCapacity: 32 } },
    changes: [["publicly_accessible", true]],
    rule: "R10",
  },
  {
    type: "aws_redshiftserverless_namespace",
    declared: {
      iam_roles: ["arn:r"],
      log_exports: ["userlog", "connectionlog"],
      kms_key_id: "AWS_OWNED_KMS_KEY",
    },
    same: {
      Namespace: {
        IamRoles: ["IamRole(applyStatus=in-sync, iamRoleArn=arn:r)"],
        LogExports: ["connectionlog", "userlog"],
        KmsKeyId: "AWS_OWNED_KMS_KEY",
      },
    },
    changed: { LogExports: ["userlog"], Namespace: { KmsKeyId: "AWS_OWNED_KMS_KEY" } },
    changes: [["log_exports", ["userlog"]]],
    rule: "R14",
  },
  {
    type: "aws_elasticache_serverless_cache",
    declared: { security_group_ids: ["sg-1"], snapshot_retention_limit: 7, user_group_id: "app" },
    same: { SecurityGroupIds: ["sg-1"], SnapshotRetentionLimit: 7, UserGroupId: "app" },
    changed: { SecurityGroupIds: ["sg-1"], SnapshotRetentionLimit: 0, UserGroupId: "app" },
    changes: [["snapshot_retention_limit", 0]],
    rule: "R02",
  },
  {
    type: "aws_timestreaminfluxdb_db_instance",
    declared: { publicly_accessible: false, db_instance_type: "db.influx.medium" },
    same: { PubliclyAccessible: false, DbInstanceType: "db.influx.medium" },
    changed: { PubliclyAccessible: true, DbInstanceType: "db.influx.medium" },
    changes: [["publicly_accessible", true]],
    rule: "R10",
  },
  {
    type: "aws_neptunegraph_graph",
    declared: { public_connectivity: false, deletion_protection: true, provisioned_memory: 16 },
    same: { PublicConnectivity: false, DeletionProtection: true, ProvisionedMemory: 16 },
    changed: { PublicConnectivity: true, DeletionProtection: false, ProvisionedMemory: 16 },
    changes: [
      ["public_connectivity", true],
      ["deletion_protection", false],
    ],
    rule: "R10",
  },
  {
    type: "aws_dsql_cluster",
    declared: { deletion_protection_enabled: true },
    same: { DeletionProtectionEnabled: true },
    changed: { DeletionProtectionEnabled: false },
    changes: [["deletion_protection_enabled", false]],
    rule: "R02",
  },
  {
    type: "aws_docdbelastic_cluster",
    declared: { backup_retention_period: 7, shard_capacity: 2, vpc_security_group_ids: ["sg-1"] },
    same: { BackupRetentionPeriod: 7, ShardCapacity: 2, VpcSecurityGroupIds: ["sg-1"] },
    changed: { BackupRetentionPeriod: 7, ShardCapacity: 4, VpcSecurityGroupIds: ["sg-2"] },
    changes: [
      ["shard_capacity", 4],
      ["vpc_security_group_ids.0", "sg-2"],
    ],
    rule: "R08",
  },
  {
    type: "aws_neptune_cluster_instance",
    declared: { instance_class: "db.r6g.large", auto_minor_version_upgrade: true },
    same: { DBInstanceClass: "db.r6g.large", AutoMinorVersionUpgrade: true },
    changed: { DBInstanceClass: "db.r6g.xlarge", AutoMinorVersionUpgrade: true },
    changes: [["instance_class", "db.r6g.xlarge"]],
    rule: "R07",
  },
  {
    type: "aws_redshift_parameter_group",
    declared: { parameter: [{ name: "require_ssl", value: "true" }] },
    same: { Parameters: [{ ParameterName: "require_ssl", ParameterValue: "true" }] },
    changed: { Parameters: [{ ParameterName: "require_ssl", ParameterValue: "false" }] },
    changes: [["parameter.0.value", "false"]],
    rule: "R13",
  },
  {
    type: "aws_mwaa_environment",
    declared: { webserver_access_mode: "PRIVATE_ONLY", execution_role_arn: "arn:r", max_workers: 5 },
    same: { WebserverAccessMode: "PRIVATE_ONLY", ExecutionRoleArn: "arn:r", MaxWorkers: 5 },
    changed: { WebserverAccessMode: "PUBLIC_ONLY", ExecutionRoleArn: "arn:admin", MaxWorkers: 5 },
    changes: [
      ["webserver_access_mode", "PUBLIC_ONLY"],
      ["execution_role_arn", "arn:admin"],
    ],
    rule: "R10",
  },
  {
    type: "aws_dms_replication_instance",
    declared: { publicly_accessible: false, replication_instance_class: "dms.t3.small", multi_az: false },
    same: { PubliclyAccessible: false, ReplicationInstanceClass: "dms.t3.small", MultiAZ: false },
    changed: { PubliclyAccessible: true, ReplicationInstanceClass: "dms.t3.small", MultiAZ: false },
    changes: [["publicly_accessible", true]],
    rule: "R10",
  },
  {
    type: "aws_sagemaker_notebook_instance",
    declared: { root_access: "Disabled", instance_type: "ml.t3.medium", role_arn: "arn:r" },
    same: { RootAccess: "Disabled", InstanceType: "ml.t3.medium", RoleArn: "arn:r" },
    changed: { RootAccess: "Enabled", InstanceType: "ml.t3.medium", RoleArn: "arn:admin" },
    changes: [
      ["root_access", "Enabled"],
      ["role_arn", "arn:admin"],
    ],
    rule: "R12",
  },
  {
    type: "aws_api_gateway_domain_name",
    declared: { security_policy: "TLS_1_2", regional_certificate_arn: "arn:c" },
    same: { SecurityPolicy: "TLS_1_2", RegionalCertificateArn: "arn:c" },
    changed: { SecurityPolicy: "TLS_1_0", RegionalCertificateArn: "arn:c" },
    changes: [["security_policy", "TLS_1_0"]],
    rule: "R13",
  },
  {
    type: "aws_apigatewayv2_domain_name",
    declared: { domain_name_configuration: [{ certificate_arn: "arn:c", security_policy: "TLS_1_2" }] },
    same: { DomainNameConfigurations: [{ CertificateArn: "arn:c", SecurityPolicy: "TLS_1_2" }] },
    changed: { DomainNameConfigurations: [{ CertificateArn: "arn:d", SecurityPolicy: "TLS_1_2" }] },
    changes: [["domain_name_configuration.0.certificate_arn", "arn:d"]],
    rule: "R23",
  },
  {
    type: "aws_eks_pod_identity_association",
    declared: { role_arn: "arn:r" },
    same: { RoleArn: "arn:r" },
    changed: { RoleArn: "arn:admin" },
    changes: [["role_arn", "arn:admin"]],
    rule: "R12",
  },
  {
    type: "aws_cognito_user_pool_client",
    declared: {
      callback_urls: ["https://a.example", "https://b.example"],
      allowed_oauth_flows: ["code"],
      explicit_auth_flows: ["ALLOW_USER_SRP_AUTH"],
      logout_urls: [],
    },
    same: {
      CallbackURLs: ["https://b.example", "https://a.example"],
      AllowedOAuthFlows: ["code"],
      ExplicitAuthFlows: ["ALLOW_USER_SRP_AUTH"],
      LogoutURLs: [],
    },
    changed: {
      CallbackURLs: ["https://b.example", "https://a.example"],
      AllowedOAuthFlows: ["implicit"],
      ExplicitAuthFlows: ["ALLOW_USER_SRP_AUTH"],
      LogoutURLs: [],
    },
    changes: [["allowed_oauth_flows.0", "implicit"]],
    rule: "R12",
  },
];

testEach(ONE_TO_ONE);
