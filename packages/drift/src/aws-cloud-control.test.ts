import { describe, expect, test } from "bun:test";

import { detectDrift, type Change, type Pair } from "./detect-drift.fixture.ts";

const KEY = "arn:aws:kms:eu-west-1:111111111111:key/1";
const ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess";
const GROUP = { Id: "sg-1", GroupId: "sg-1", GroupName: "app", GroupDescription: "app", VpcId: "vpc-1" };
const EVERYWHERE = [{ CidrIp: "0.0.0.0/0", FromPort: -1, ToPort: -1, IpProtocol: "-1" }];
const egress = {
  cidr_blocks: ["0.0.0.0/0"],
  ipv6_cidr_blocks: [],
  prefix_list_ids: [],
  security_groups: [],
  self: false,
  protocol: "-1",
  from_port: 0,
  to_port: 0,
  description: "",
};
const ssh = { ...egress, cidr_blocks: ["10.0.0.0/8"], protocol: "tcp", from_port: 22, to_port: 22 };
const ROLE = {
  RoleName: "app",
  Path: "/",
  AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [] },
};
const BLOCKED = {
  block_public_acls: true,
  block_public_policy: true,
  ignore_public_acls: true,
  restrict_public_buckets: true,
};
const BUCKET = { BucketName: "b", RegionalDomainName: "b.s3.eu-west-1.amazonaws.com" };
const LOG_GROUP = {
  LogGroupName: "app",
  LogGroupClass: "STANDARD",
  Arn: "arn:aws:logs:eu-west-1:111111111111:log-group:app:*",
};
const REDRIVE = { deadLetterTargetArn: "arn:aws:sqs:eu-west-1:111111111111:failed", maxReceiveCount: 3 };
const TRAIL = { TrailName: "all", IsLogging: true, IsMultiRegionTrail: true, S3BucketName: "trail" };

describe("a setting missing from a complete Cloud Control read was removed", () => {
  test.each<[fact: string, given: Pair, changes: Change[], rule: string]>([
    [
      "a bucket's public access block",
      {
        type: "aws_s3_bucket_public_access_block",
        declared: BLOCKED,
        live: BUCKET,
      },
      Object.keys(BLOCKED).map((name) => [name, false]),
      "R10",
    ],
    [
      "the last lifecycle rule of a bucket",
      {
        type: "aws_s3_bucket_lifecycle_configuration",
        declared: { rule: [{ id: "old", status: "Enabled", expiration: [{ days: 30 }] }] },
        live: BUCKET,
      },
      [["rule.0", null]],
      "R23",
    ],
    [
      "the CORS rules of a bucket",
      {
        type: "aws_s3_bucket_cors_configuration",
        declared: { cors_rule: [{ allowed_methods: ["GET"], allowed_origins: ["https://example.com"] }] },
        live: BUCKET,
      },
      [["cors_rule.0", null]],
      "R23",
    ],
    [
      "the log target of a bucket",
      {
        type: "aws_s3_bucket_logging",
        declared: { target_bucket: "logs", target_prefix: "b/" },
        live: BUCKET,
      },
      [
        ["target_bucket", null],
        ["target_prefix", null],
      ],
      "R14",
    ],
    [
      "the object ownership of a bucket",
      {
        type: "aws_s3_bucket_ownership_controls",
        declared: { rule: [{ object_ownership: "BucketOwnerEnforced" }] },
        live: BUCKET,
      },
      [["rule.0.object_ownership", "ObjectWriter"]],
      "R12",
    ],
    [
      "the versioning of a recreated bucket",
      {
        type: "aws_s3_bucket_versioning",
        declared: { versioning_configuration: [{ status: "Enabled", mfa_delete: "" }] },
        live: BUCKET,
      },
      [["versioning_configuration.0.status", "Disabled"]],
      "R02",
    ],
    [
      "the last ingress rule of a security group",
      {
        type: "aws_security_group",
        declared: { id: "sg-1", ingress: [ssh], egress: [egress] },
        live: { ...GROUP, SecurityGroupEgress: EVERYWHERE },
      },
      [["ingress.0", null]],
      "R08",
    ],
    [
      "the last inline policy of a role",
      {
        type: "aws_iam_role",
        declared: { inline_policy: [{ name: "app", policy: "{}" }] },
        live: ROLE,
      },
      [["inline_policy.0", null]],
      "R12",
    ],
    [
      "the last policy attached to a role",
      { type: "aws_iam_role", declared: { managed_policy_arns: [ADMIN] }, live: ROLE },
      [["managed_policy_arns", []]],
      "R12",
    ],
    [
      "the key of a topic",
      {
        type: "aws_sns_topic",
        declared: { kms_master_key_id: KEY },
        live: { TopicName: "t", TopicArn: "arn:aws:sns:eu-west-1:111111111111:t", FifoTopic: false },
      },
      [["kms_master_key_id", ""]],
      "R13",
    ],
    [
      "the key and the retention of a log group",
      {
        type: "aws_cloudwatch_log_group",
        declared: { kms_key_id: KEY, retention_in_days: 30 },
        live: { ...LOG_GROUP, DataProtectionPolicy: {} },
      },
      [
        ["kms_key_id", ""],
        ["retention_in_days", 0],
      ],
      "R13",
    ],
    [
      "the key and the log group of a trail",
      {
        type: "aws_cloudtrail",
        declared: { kms_key_id: KEY, cloud_watch_logs_group_arn: LOG_GROUP.Arn },
        live: TRAIL,
      },
      [
        ["kms_key_id", ""],
        ["cloud_watch_logs_group_arn", ""],
      ],
      "R13",
    ],
    [
      "the redrive policy of a queue",
      {
        type: "aws_sqs_queue_redrive_policy",
        declared: { redrive_policy: JSON.stringify(REDRIVE) },
        live: { QueueName: "q", VisibilityTimeout: 30, MaximumMessageSize: 262_144 },
      },
      [["redrive_policy", ""]],
      "R23",
    ],
    [
      "the filter and the redrive policy of a subscription",
      {
        type: "aws_sns_topic_subscription",
        declared: { filter_policy: '{"kind":["order"]}', redrive_policy: JSON.stringify(REDRIVE) },
        live: { Protocol: "sqs", RawMessageDelivery: false },
      },
      [
        ["filter_policy", ""],
        ["redrive_policy", ""],
      ],
      "R15",
    ],
    [
      "the key of a secret",
      {
        type: "aws_secretsmanager_secret",
        declared: { kms_key_id: KEY },
        live: { Name: "s", ReplicaRegions: [] },
      },
      [["kms_key_id", ""]],
      "R13",
    ],
    [
      "the instance profile of an instance",
      {
        type: "aws_instance",
        declared: { iam_instance_profile: "app" },
        live: { InstanceId: "i-1", MetadataOptions: { HttpTokens: "required" } },
      },
      [["iam_instance_profile", ""]],
      "R12",
    ],
    [
      "the variables, key and dead-letter queue of a function",
      {
        type: "aws_lambda_function",
        declared: {
          kms_key_arn: KEY,
          environment: [{ variables: { STAGE: "prod" } }],
          dead_letter_config: [{ target_arn: REDRIVE.deadLetterTargetArn }],
        },
        live: { FunctionName: "f", SnapStartResponse: { ApplyOn: "None" } },
      },
      [
        ["kms_key_arn", ""],
        ["environment.0.variables.STAGE", null],
        ["dead_letter_config.0.target_arn", ""],
      ],
      "R13",
    ],
    [
      "the network, layers and reserved concurrency of a function",
      {
        type: "aws_lambda_function",
        declared: {
          layers: ["arn:aws:lambda:eu-west-1:111111111111:layer:a:1"],
          reserved_concurrent_executions: 5,
          vpc_config: [{ subnet_ids: ["subnet-1"], security_group_ids: ["sg-1"] }],
        },
        live: { FunctionName: "f", SnapStartResponse: { ApplyOn: "None" } },
      },
      [
        ["layers", []],
        ["reserved_concurrent_executions", -1],
        ["vpc_config.0.subnet_ids", []],
        ["vpc_config.0.security_group_ids", []],
      ],
      "R08",
    ],
    [
      "the logs of a cluster",
      {
        type: "aws_eks_cluster",
        declared: { enabled_cluster_log_types: ["api", "audit"] },
        live: { Name: "c", ResourcesVpcConfig: { EndpointPublicAccess: false } },
      },
      [["enabled_cluster_log_types", []]],
      "R14",
    ],
    [
      "the key of a table",
      {
        type: "aws_dynamodb_table",
        declared: { server_side_encryption: [{ enabled: true, kms_key_arn: KEY }] },
        live: { TableName: "t", PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      },
      [["server_side_encryption.0.enabled", false]],
      "R13",
    ],
    [
      "the log and the web ACL of a distribution",
      {
        type: "aws_cloudfront_distribution",
        declared: { web_acl_id: "arn:acl", logging_config: [{ bucket: "logs.s3.amazonaws.com" }] },
        live: {
          Id: "E1",
          DistributionConfig: { Enabled: true, DefaultCacheBehavior: { TargetOriginId: "o" } },
        },
      },
      [
        ["web_acl_id", ""],
        ["logging_config.0.bucket", ""],
      ],
      "R14",
    ],
    [
      "the target groups of an autoscaling group",
      {
        type: "aws_autoscaling_group",
        declared: { target_group_arns: ["arn:tg"] },
        live: { AutoScalingGroupName: "g", DefaultCooldown: "300" },
      },
      [["target_group_arns", []]],
      "R23",
    ],
    [
      "the actions of an alarm",
      {
        type: "aws_cloudwatch_metric_alarm",
        declared: { alarm_actions: ["arn:topic"] },
        live: { AlarmName: "a", ComparisonOperator: "GreaterThanThreshold" },
      },
      [["alarm_actions", []]],
      "R23",
    ],
  ])("%s", (_, given, changes, rule) => {
    const found = detectDrift(given);
    expect(found.changes).toEqual(changes);
    expect(found.rules).toContain(rule);
  });

  test.each<[fact: string, given: Pair]>([
    [
      "not for a bucket that is only listed",
      { type: "aws_s3_bucket_public_access_block", declared: BLOCKED, live: { BucketName: "b" } },
    ],
    [
      "not for the log target of a bucket that is only listed",
      { type: "aws_s3_bucket_logging", declared: { target_bucket: "logs" }, live: { BucketName: "b" } },
    ],
    [
      "not for a bucket that never had versioning, a log or rules",
      {
        type: "aws_s3_bucket",
        declared: {
          versioning: [{ enabled: false, mfa_delete: false }],
          logging: [],
          object_lock_enabled: false,
        },
        live: BUCKET,
      },
    ],
    [
      "not for a security group that is only listed",
      { type: "aws_security_group", declared: { ingress: [ssh], egress: [egress] }, live: GROUP },
    ],
    [
      "not for a log group that is only listed",
      {
        type: "aws_cloudwatch_log_group",
        declared: { kms_key_id: KEY, retention_in_days: 30 },
        live: LOG_GROUP,
      },
    ],
    [
      "not for settings that were never set",
      {
        type: "aws_iam_role",
        declared: { inline_policy: [], managed_policy_arns: [], permissions_boundary: "" },
        live: ROLE,
      },
    ],
    [
      "not for a security group whose rules are separate resources",
      {
        type: "aws_security_group",
        declared: { ingress: [], egress: [egress] },
        live: { ...GROUP, SecurityGroupEgress: EVERYWHERE },
      },
    ],
    [
      "not for a function recorded by AWS Config without its variables",
      {
        type: "aws_lambda_function",
        declared: { environment: [{ variables: { STAGE: "prod" } }] },
        live: { functionName: "f", memorySize: 128, ephemeralStorage: { size: 512 } },
      },
    ],
    [
      "not for a function without reserved concurrency or a network",
      {
        type: "aws_lambda_function",
        declared: { layers: [], reserved_concurrent_executions: -1, vpc_config: [] },
        live: { FunctionName: "f", SnapStartResponse: { ApplyOn: "None" } },
      },
    ],
    [
      "not for a cluster recorded by AWS Config without its logs",
      {
        type: "aws_eks_cluster",
        declared: { enabled_cluster_log_types: ["api"] },
        live: { Name: "c", ResourcesVpcConfig: { SubnetIds: ["subnet-1"] } },
      },
    ],
    [
      "not for a queue without a redrive policy",
      { type: "aws_sqs_queue", declared: { redrive_policy: "" }, live: { MaximumMessageSize: 262_144 } },
    ],
    [
      "not for a queue that is only listed",
      {
        type: "aws_sqs_queue",
        declared: { redrive_policy: JSON.stringify(REDRIVE) },
        live: { QueueName: "q", VisibilityTimeout: 30 },
      },
    ],
    [
      "not for a log group that never expires",
      {
        type: "aws_cloudwatch_log_group",
        declared: { kms_key_id: "", retention_in_days: 0 },
        live: { ...LOG_GROUP, DataProtectionPolicy: {} },
      },
    ],
  ])("%s", (_, given) => {
    expect(detectDrift(given).changes).toEqual([]);
  });
});

const route = (gateway: string) => ({
  DestinationCidrBlock: "0.0.0.0/0",
  GatewayId: gateway,
  VpcEndpointId: gateway,
});
const toInternet = { gateway_id: "igw-1", nat_gateway_id: "", vpc_endpoint_id: "" };

describe("a route whose gateway Cloud Control also lists as an endpoint", () => {
  test("is unchanged when it points to the declared gateway", () => {
    expect(detectDrift({ type: "aws_route", declared: toInternet, live: route("igw-1") }).changes).toEqual(
      [],
    );
    const none = { ...toInternet, vpc_endpoint_id: null };
    expect(detectDrift({ type: "aws_route", declared: none, live: route("igw-1") }).changes).toEqual([]);
  });

  test("is reported once when it points to another gateway", () => {
    const { changes } = detectDrift({ type: "aws_route", declared: toInternet, live: route("igw-2") });
    expect(changes).toEqual([["gateway_id", "igw-2"]]);
  });

  test("is unchanged when it points to the declared endpoint", () => {
    const declared = { gateway_id: "", vpc_endpoint_id: "vpce-1" };
    expect(detectDrift({ type: "aws_route", declared, live: route("vpce-1") }).changes).toEqual([]);
  });

  test("is reported when it points to a gateway instead of an endpoint", () => {
    const declared = { gateway_id: "", vpc_endpoint_id: "vpce-1" };
    const { changes } = detectDrift({ type: "aws_route", declared, live: route("igw-1") });
    expect(changes).toEqual([
      ["gateway_id", "igw-1"],
      ["vpc_endpoint_id", ""],
    ]);
  });
});

test("a removed OK action of an alarm is reported", () => {
  const declared = { ok_actions: ["arn:aws:sns:eu-west-1:111111111111:t"] };
  const { changes } = detectDrift({ type: "aws_cloudwatch_metric_alarm", declared, live: { OKActions: [] } });
  expect(changes).toEqual([["ok_actions", []]]);
});

describe("a listener that forwards to one target group", () => {
  const declared = { default_action: [{ type: "forward", target_group_arn: "arn:tg-1", forward: [] }] };
  const sent = (...weights: number[]) => {
    const TargetGroups = weights.map((Weight, index) => ({ TargetGroupArn: `arn:tg-${index + 1}`, Weight }));
    const alone = TargetGroups.length === 1 ? { TargetGroupArn: "arn:tg-1" } : {};
    const live = { DefaultActions: [{ Type: "forward", ForwardConfig: { TargetGroups }, ...alone }] };
    return detectDrift({ type: "aws_lb_listener", declared, live });
  };

  test("is reported when part of the traffic goes to another group", () => {
    expect(sent(90, 10)).toEqual({ changes: [["default_action.0.target_group_arn", ""]], rules: ["R15"] });
  });

  test("is unchanged when all traffic goes to that group", () => {
    expect(sent(1).changes).toEqual([]);
  });
});

const profile = (...Roles: string[]) =>
  detectDrift({
    type: "aws_iam_instance_profile",
    declared: { path: "/", role: "app" },
    live: { InstanceProfileName: "app", Path: "/", Roles },
  });

describe("an instance profile", () => {
  test("is reported when its role was changed or removed", () => {
    expect(profile("admin")).toEqual({ changes: [["role", "admin"]], rules: ["R12"] });
    expect(profile().changes).toEqual([["role", ""]]);
  });

  test("is unchanged with the declared role", () => {
    expect(profile("app").changes).toEqual([]);
  });
});
