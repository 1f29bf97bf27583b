import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import {
  ACL_RULE,
  ADMIN,
  BOUNDARY,
  cloudControlRole,
  document,
  GIVEN_ROUTES,
  OPEN_BUCKET,
  routeTo,
  settings,
} from "./aws.fixture.ts";
import { detectDrift, type Change } from "./detect-drift.fixture.ts";
import type { Part } from "./mapping.ts";

type Case = [fact: string, type: string, declared: JsonObject, live: JsonObject, parts: Part[]];

const SHIPPED = "PoaAEeOCmEFZojnrhEJvNzs+jg7/w1lL9GiFYvlM6aw=";
const PASTED = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
const encrypted = (sse_algorithm: string) => [
  { rule: [{ apply_server_side_encryption_by_default: [{ sse_algorithm }], bucket_key_enabled: true }] },
];
const ALGORITHM =
  "server_side_encryption_configuration.0.rule.0.apply_server_side_encryption_by_default.0.sse_algorithm";

const origin = (origin_id: string, domain_name: string) => ({
  origin_id,
  domain_name,
  origin_path: "",
  custom_header: [],
  connection_attempts: 3,
});

const forward = (target_group_arn: string) => [{ type: "forward", target_group_arn, order: 1 }];

describe("a change made by hand is reported with its risk", () => {
  test.each<[...Case, changes: Change[], rule: string]>([
    [
      "a policy added to a role",
      "aws_iam_role",
      { inline_policy: [] },
      cloudControlRole({ Policies: [{ PolicyName: "admin", PolicyDocument: document("*") }] }),
      [],
      [["inline_policy.0", { name: "admin", policy: ADMIN }]],
      "R11",
    ],
    [
      "a role policy that allows more, as AWS Config records it",
      "aws_iam_role",
      { inline_policy: [{ name: "app", policy: JSON.stringify(document("s3:Get*")) }] },
      { rolePolicyList: [{ policyName: "app", policyDocument: encodeURIComponent(ADMIN) }] },
      [],
      [["inline_policy.0.policy", ADMIN]],
      "R11",
    ],
    [
      "a policy removed from a role",
      "aws_iam_role",
      { inline_policy: [{ name: "app", policy: ADMIN }] },
      { Policies: [] },
      [],
      [["inline_policy.0", null]],
      "R12",
    ],
    [
      "a role that lost its permissions boundary",
      "aws_iam_role",
      { permissions_boundary: BOUNDARY },
      cloudControlRole({}),
      [],
      [["permissions_boundary", ""]],
      "R02",
    ],
    [
      "a role that lost its permissions boundary, as AWS Config records it",
      "aws_iam_role",
      { permissions_boundary: BOUNDARY },
      { assumeRolePolicyDocument: encodeURIComponent(ADMIN), permissionsBoundary: null },
      [],
      [["permissions_boundary", ""]],
      "R02",
    ],
    [
      "a bucket without a policy that was made public",
      "aws_s3_bucket",
      { policy: "" },
      { supplementaryConfiguration: { BucketPolicy: { policyText: OPEN_BUCKET } } },
      [],
      [["policy", OPEN_BUCKET]],
      "R10",
    ],
    [
      "a different bucket encryption key",
      "aws_s3_bucket",
      { server_side_encryption_configuration: encrypted("aws:kms") },
      {
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            { ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" }, BucketKeyEnabled: true },
          ],
        },
      },
      [],
      [[ALGORITHM, "AES256"]],
      "R13",
    ],
    [
      "a load balancer that no longer writes access logs",
      "aws_lb",
      { enable_deletion_protection: true, access_logs: [{ enabled: true, bucket: "logs" }] },
      {
        LoadBalancerAttributes: settings({
          "deletion_protection.enabled": "false",
          "access_logs.s3.enabled": "false",
          "access_logs.s3.bucket": "logs",
        }),
      },
      [],
      [
        ["enable_deletion_protection", false],
        ["access_logs.0.enabled", false],
      ],
      "R14",
    ],
    [
      "a listener under its older type name that accepts unencrypted traffic",
      "aws_alb_listener",
      { port: 443, protocol: "HTTPS" },
      { Port: 443, Protocol: "HTTP" },
      [],
      [["protocol", "HTTP"]],
      "R13",
    ],
    [
      "a listener that forwards to a different target group",
      "aws_lb_listener",
      { default_action: forward("arn:tg-1") },
      { DefaultActions: [{ Type: "forward", TargetGroupArn: "arn:tg-2" }] },
      [],
      [["default_action.0.target_group_arn", "arn:tg-2"]],
      "R15",
    ],
    [
      "a distribution that allows plain HTTP",
      "aws_cloudfront_distribution",
      { default_cache_behavior: [{ viewer_protocol_policy: "redirect-to-https" }] },
      { DistributionConfig: { DefaultCacheBehavior: { ViewerProtocolPolicy: "allow-all" } } },
      [],
      [["default_cache_behavior.0.viewer_protocol_policy", "allow-all"]],
      "R13",
    ],
    [
      "a function URL that anyone can call",
      "aws_lambda_function_url",
      { authorization_type: "AWS_IAM" },
      { AuthType: "NONE" },
      [],
      [["authorization_type", "NONE"]],
      "R10",
    ],
    [
      "a user pool without MFA",
      "aws_cognito_user_pool",
      { mfa_configuration: "ON", password_policy: [{ minimum_length: 14 }] },
      { MfaConfiguration: "OFF", Policies: { PasswordPolicy: { MinimumLength: 6 } } },
      [],
      [
        ["mfa_configuration", "OFF"],
        ["password_policy.0.minimum_length", 6],
      ],
      "R02",
    ],
    [
      "a disabled detector",
      "aws_guardduty_detector",
      { enable: true },
      { Enable: false },
      [],
      [["enable", false]],
      "R14",
    ],
    [
      "a trail that writes to another bucket and log group",
      "aws_cloudtrail",
      { cloud_watch_logs_group_arn: "arn:logs:1", s3_bucket_name: "trail" },
      { CloudWatchLogsLogGroupArn: "arn:logs:2", S3BucketName: "other" },
      [],
      [
        ["cloud_watch_logs_group_arn", "arn:logs:2"],
        ["s3_bucket_name", "other"],
      ],
      "R14",
    ],
    [
      "a cache cluster with a different ACL",
      "aws_memorydb_cluster",
      { acl_name: "app", tls_enabled: true },
      { ACLName: "open-access", TLSEnabled: true },
      [],
      [["acl_name", "open-access"]],
      "R02",
    ],
    [
      "a disabled event rule",
      "aws_cloudwatch_event_rule",
      { state: "ENABLED" },
      { State: "DISABLED" },
      [],
      [["state", "DISABLED"]],
      "R16",
    ],
    [
      "a queue that is no longer encrypted",
      "aws_sqs_queue",
      { kms_master_key_id: "alias/app" },
      { VisibilityTimeout: 30, SqsManagedSseEnabled: false },
      [],
      [["kms_master_key_id", ""]],
      "R13",
    ],
    [
      "a search domain that accepts plain HTTP",
      "aws_elasticsearch_domain",
      { domain_endpoint_options: [{ enforce_https: true }] },
      { DomainEndpointOptions: { EnforceHTTPS: false } },
      [],
      [["domain_endpoint_options.0.enforce_https", false]],
      "R13",
    ],
    [
      "a DocumentDB cluster without deletion protection",
      "aws_docdb_cluster",
      { deletion_protection: true },
      { DeletionProtection: false },
      [],
      [["deletion_protection", false]],
      "R02",
    ],
    [
      "brokers that are reachable from the internet",
      "aws_msk_cluster",
      {
        broker_node_group_info: [{ connectivity_info: [{ public_access: [{ type: "DISABLED" }] }] }],
      },
      {
        BrokerNodeGroupInfo: { ConnectivityInfo: { PublicAccess: { Type: "SERVICE_PROVIDED_EIPS" } } },
      },
      [],
      [["broker_node_group_info.0.connectivity_info.0.public_access.0.type", "SERVICE_PROVIDED_EIPS"]],
      "R10",
    ],
    [
      "a different database parameter group, as AWS Config records it",
      "aws_db_instance",
      { parameter_group_name: "app", port: 5432 },
      { dBParameterGroups: [{ dBParameterGroupName: "default.postgres15" }], endpoint: { port: 5432 } },
      [],
      [["parameter_group_name", "default.postgres15"]],
      "R07",
    ],
    [
      "a table that lost its key, as AWS Config records it",
      "aws_dynamodb_table",
      { server_side_encryption: [{ enabled: true }] },
      { tableName: "t", ssedescription: { status: "DISABLED" } },
      [],
      [["server_side_encryption.0.enabled", false]],
      "R13",
    ],
    [
      "a table with another key, as AWS Config records it",
      "aws_dynamodb_table",
      { server_side_encryption: [{ kms_key_arn: "arn:aws:kms:eu-west-1:1:key/a" }] },
      { tableName: "t", ssedescription: { kmsmasterKeyArn: "arn:aws:kms:eu-west-1:1:key/b" } },
      [],
      [["server_side_encryption.0.kms_key_arn", "arn:aws:kms:eu-west-1:1:key/b"]],
      "R23",
    ],
    [
      "a function with different code, as AWS Config records it",
      "aws_lambda_function",
      { code_sha256: SHIPPED, source_code_hash: "of-what-was-built" },
      { functionName: "f", codeSha256: PASTED },
      [],
      [["code_sha256", PASTED]],
      "R23",
    ],
    [
      "a function with different code, in the state of an older provider",
      "aws_lambda_function",
      { source_code_hash: SHIPPED },
      { functionName: "f", codeSha256: PASTED },
      [],
      [["source_code_hash", PASTED]],
      "R23",
    ],
    [
      "a distribution with a different origin",
      "aws_cloudfront_distribution",
      { origin: [origin("app", "app.example.com"), origin("files", "files.s3.amazonaws.com")] },
      {
        DistributionConfig: {
          Origins: [
            { Id: "files", DomainName: "other.s3.amazonaws.com", OriginPath: "", S3OriginConfig: {} },
            { Id: "app", DomainName: "app.example.com", ConnectionAttempts: 3 },
          ],
        },
      },
      [],
      [["origin.1.domain_name", "other.s3.amazonaws.com"]],
      "R15",
    ],
    [
      "a new origin of a distribution, as AWS Config records it",
      "aws_cloudfront_distribution",
      { origin: [origin("app", "app.example.com")] },
      {
        distributionConfig: {
          origins: {
            quantity: 2,
            items: [
              { id: "app", domainName: "app.example.com", originPath: "" },
              { id: "new", domainName: "new.example.com", originPath: "/x" },
            ],
          },
        },
      },
      [],
      [["origin.1", { origin_id: "new", domain_name: "new.example.com", origin_path: "/x" }]],
      "R23",
    ],
    [
      "targets that count as healthy for almost any status code",
      "aws_lb_target_group",
      { health_check: [{ path: "/", matcher: "200" }] },
      { HealthCheckPath: "/", Matcher: { HttpCode: "200-499" } },
      [],
      [["health_check.0.matcher", "200-499"]],
      "R15",
    ],
    [
      "a search domain with a smaller volume",
      "aws_opensearch_domain",
      { ebs_options: [{ ebs_enabled: true, volume_size: 100 }] },
      { EBSOptions: { EBSEnabled: true, VolumeSize: 10 } },
      [],
      [["ebs_options.0.volume_size", 10]],
      "R23",
    ],
    [
      "a route to another gateway",
      "aws_route",
      { gateway_id: "igw-1", nat_gateway_id: "" },
      { GatewayId: "igw-2" },
      [],
      [["gateway_id", "igw-2"]],
      "R15",
    ],
    [
      "a route to another kind of gateway, as AWS Config records it",
      "aws_route",
      { gateway_id: "", nat_gateway_id: "nat-1" },
      { destinationCidrBlock: "0.0.0.0/0", gatewayId: "igw-1", origin: "CreateRoute" },
      [],
      [
        ["gateway_id", "igw-1"],
        ["nat_gateway_id", ""],
      ],
      "R15",
    ],
    [
      "a route table with a changed default route and a new route, as AWS Config records it",
      "aws_route_table",
      { route: [routeTo({ cidr_block: "0.0.0.0/0", nat_gateway_id: "nat-1" })] },
      {
        routes: [
          ...GIVEN_ROUTES,
          { destinationCidrBlock: "0.0.0.0/0", gatewayId: "igw-1", origin: "CreateRoute" },
          { destinationCidrBlock: "10.9.0.0/16", vpcPeeringConnectionId: "pcx-1", origin: "CreateRoute" },
        ],
      },
      [],
      [
        ["route.0.gateway_id", "igw-1"],
        ["route.0.nat_gateway_id", ""],
        ["route.1", { cidr_block: "10.9.0.0/16", vpc_peering_connection_id: "pcx-1" }],
      ],
      "R15",
    ],
    [
      "a route table without its default route",
      "aws_default_route_table",
      { route: [routeTo({ cidr_block: "0.0.0.0/0", nat_gateway_id: "nat-1" })] },
      { routes: GIVEN_ROUTES },
      [],
      [["route.0", null]],
      "R15",
    ],
    [
      "a network ACL that allows everything, as AWS Config records it",
      "aws_network_acl",
      { ingress: [ACL_RULE], egress: [] },
      {
        entries: [
          { ruleNumber: 100, protocol: "-1", ruleAction: "allow", egress: false, cidrBlock: "0.0.0.0/0" },
          { ruleNumber: 32_767, protocol: "-1", ruleAction: "deny", egress: false, cidrBlock: "0.0.0.0/0" },
        ],
      },
      [],
      [
        ["ingress.0.protocol", "-1"],
        ["ingress.0.cidr_block", "0.0.0.0/0"],
        ["ingress.0.from_port", 0],
        ["ingress.0.to_port", 0],
      ],
      "R08",
    ],
    [
      "another version of a launch template",
      "aws_launch_template",
      { default_version: 3, latest_version: 3 },
      { DefaultVersionNumber: "4", LatestVersionNumber: "4" },
      [],
      [
        ["default_version", 4],
        ["latest_version", 4],
      ],
      "R23",
    ],
  ])("%s", (_fact, ...[type, declared, live, parts, changes, rule]) => {
    const found = detectDrift({ type, declared, live, parts });
    expect(found.changes).toEqual(changes);
    expect(found.rules).toContain(rule);
  });
});
