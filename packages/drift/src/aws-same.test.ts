import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import {
  ACL_RULE,
  ADMIN,
  BOUNDARY,
  cloudControlRole,
  document,
  GIVEN_ROUTES,
  NO_TARGETS,
  OPEN_BUCKET,
  routeTo,
  settings,
} from "./aws.fixture.ts";
import { detectDrift } from "./detect-drift.fixture.ts";
import type { Part } from "./mapping.ts";

describe("a value that AWS writes in another form is unchanged", () => {
  test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject, ...parts: Part[]]>([
    [
      "role policies, some of which are separate resources",
      "aws_iam_role",
      { inline_policy: [{ name: "own", policy: ADMIN }] },
      {
        Policies: [
          { PolicyName: "apart", PolicyDocument: document("s3:*") },
          { PolicyName: "own", PolicyDocument: document("*") },
        ],
      },
      { type: "aws_iam_role_policy", attributes: { name: "apart", role: "r" } },
    ],
    [
      "no role policies, declared with an empty block",
      "aws_iam_role",
      { inline_policy: [{ name: "", policy: "" }] },
      { Policies: [] },
    ],
    ["no role policies", "aws_iam_role", { inline_policy: null }, { rolePolicyList: [] }],
    [
      "no permissions boundary",
      "aws_iam_role",
      { permissions_boundary: "" },
      cloudControlRole({ PermissionsBoundary: null }),
    ],
    [
      "a permissions boundary that isn't in the listing",
      "aws_iam_role",
      { permissions_boundary: BOUNDARY },
      {},
    ],
    [
      "a bucket policy that is a separate resource",
      "aws_s3_bucket",
      { policy: "" },
      { supplementaryConfiguration: { BucketPolicy: { policyText: OPEN_BUCKET } } },
      { type: "aws_s3_bucket_policy", attributes: { bucket: "b", policy: OPEN_BUCKET } },
    ],
    [
      "no bucket policy",
      "aws_s3_bucket",
      { policy: null },
      { supplementaryConfiguration: { AccessControlList: "{}", BucketPolicy: { policyText: null } } },
    ],
    [
      "settings of a load balancer",
      "aws_lb",
      {
        enable_deletion_protection: false,
        idle_timeout: 60,
        enable_http2: true,
        access_logs: [{ enabled: false, bucket: "" }],
      },
      {
        LoadBalancerAttributes: settings({
          "deletion_protection.enabled": "false",
          "idle_timeout.timeout_seconds": "60",
          "routing.http2.enabled": "true",
          "access_logs.s3.enabled": "false",
          "access_logs.s3.bucket": "",
        }),
      },
    ],
    [
      "a listener's only target group",
      "aws_lb_listener",
      { default_action: [{ type: "forward", target_group_arn: "", forward: [] }] },
      { DefaultActions: [{ Type: "forward", TargetGroupArn: "arn:tg-1" }] },
    ],
    [
      "the port and parameter group of a database",
      "aws_db_instance",
      { parameter_group_name: "app", port: 5432, monitoring_interval: 0 },
      { DBParameterGroupName: "app", Endpoint: { Port: "5432" }, MonitoringInterval: 0 },
    ],
    ["a queue without a key", "aws_sqs_queue", { kms_master_key_id: "" }, { VisibilityTimeout: 30 }],
    [
      "routes in any order, some of which are separate resources",
      "aws_route_table",
      {
        route: [
          routeTo({ cidr_block: "10.1.0.0/16", vpc_endpoint_id: "vpce-2" }),
          routeTo({ ipv6_cidr_block: "::/0", gateway_id: "igw-1", egress_only_gateway_id: null }),
        ],
      },
      {
        routes: [
          ...GIVEN_ROUTES,
          { destinationIpv6CidrBlock: "::/0", gatewayId: "igw-1", origin: "CreateRoute" },
          { destinationCidrBlock: "0.0.0.0/0", natGatewayId: "nat-1", origin: "CreateRoute" },
          { destinationCidrBlock: "10.1.0.0/16", gatewayId: "vpce-2", origin: "CreateRoute" },
        ],
      },
      {
        type: "aws_route",
        attributes: { destination_cidr_block: "0.0.0.0/0", nat_gateway_id: "nat-1", route_table_id: "rtb-1" },
      },
    ],
    [
      "a route to an endpoint",
      "aws_route",
      { ...NO_TARGETS, vpc_endpoint_id: "vpce-2" },
      { destinationCidrBlock: "10.1.0.0/16", gatewayId: "vpce-2", origin: "CreateRoute" },
    ],
    ["no routes", "aws_route_table", { route: null }, { routes: GIVEN_ROUTES }],
    [
      "network ACL rules, some of which are separate resources",
      "aws_network_acl",
      { ingress: [{ ...ACL_RULE, protocol: "tcp" }], egress: [] },
      {
        entries: [
          {
            ruleNumber: 100,
            protocol: "6",
            ruleAction: "allow",
            egress: false,
            cidrBlock: "10.0.0.0/8",
            portRange: { from: 443, to: 443 },
          },
          { ruleNumber: 200, protocol: "-1", ruleAction: "allow", egress: true, cidrBlock: "0.0.0.0/0" },
          { ruleNumber: 32_767, protocol: "-1", ruleAction: "deny", egress: true, cidrBlock: "0.0.0.0/0" },
        ],
      },
      {
        type: "aws_network_acl_rule",
        attributes: { network_acl_id: "acl-1", rule_number: 200, egress: true },
      },
    ],
    [
      "layers as AWS Config records them",
      "aws_lambda_function",
      { layers: ["arn:l:1"] },
      { layers: [{ arn: "arn:l:1", codeSize: 7 }] },
    ],
  ])("%s", (_fact, ...[type, declared, live, ...parts]) => {
    expect(detectDrift({ type, declared, live, parts }).changes).toEqual([]);
  });
});
