import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import { aws } from "../../../clouds/aws/aws.ts";
import { comparableAttributes } from "../comparable-attributes.ts";
import { told, type Change } from "../told.fixture.ts";

const policy = (Principal: JsonObject | string) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal, Action: "*", Resource: "*" }],
});
const OWN = JSON.stringify(policy({ AWS: "arn:aws:iam::111111111111:root" }));
const OPEN = JSON.stringify(policy("*"));
const BLOCKED = {
  block_public_acls: true,
  block_public_policy: true,
  ignore_public_acls: true,
  restrict_public_buckets: true,
};
const FIREWALL = "arn:aws:wafv2:eu-west-1:111111111111:regional/webacl/main/1";
/** As AWS Config records one. */
const STAGE = { stageName: "prod", tracingEnabled: false, createdDate: "2024-01-01T00:00:00Z" };

test.each<
  [fact: string, type: string, declared: JsonObject, live: JsonObject, changes: Change[], rule: string]
>([
  [
    "an account that lets buckets be public",
    "aws_s3_account_public_access_block",
    BLOCKED,
    {
      blockPublicAcls: true,
      blockPublicPolicy: false,
      ignorePublicAcls: true,
      restrictPublicBuckets: false,
    },
    [
      ["block_public_policy", false],
      ["restrict_public_buckets", false],
    ],
    "R10",
  ],
  [
    "a table that everybody may use",
    "aws_dynamodb_resource_policy",
    { policy: OWN },
    { ResourcePolicy: { PolicyDocument: policy("*") } },
    [["policy", OPEN]],
    "R10",
  ],
  [
    "an API that everybody may call",
    "aws_api_gateway_rest_api_policy",
    { policy: OWN },
    { Policy: policy("*") },
    [["policy", OPEN]],
    "R10",
  ],
  [
    "an API without a policy of its own that everybody may call",
    "aws_api_gateway_rest_api",
    { policy: "" },
    { Policy: policy("*") },
    [["policy", OPEN]],
    "R10",
  ],
  [
    "an API that has no firewall before it any more",
    "aws_api_gateway_stage",
    { web_acl_arn: FIREWALL },
    STAGE,
    [["web_acl_arn", ""]],
    "R08",
  ],
  [
    "a distribution that serves every country",
    "aws_cloudfront_distribution",
    { restrictions: [{ geo_restriction: [{ restriction_type: "whitelist", locations: ["DE"] }] }] },
    { DistributionConfig: { Restrictions: { GeoRestriction: { RestrictionType: "none", Locations: [] } } } },
    [
      ["restrictions.0.geo_restriction.0.restriction_type", "none"],
      ["restrictions.0.geo_restriction.0.locations", []],
    ],
    "R08",
  ],
  [
    "a trail that records reads alone",
    "aws_cloudtrail",
    { event_selector: [{ include_management_events: true, read_write_type: "All", data_resource: [] }] },
    { EventSelectors: [{ IncludeManagementEvents: true, ReadWriteType: "ReadOnly" }] },
    [["event_selector.0.read_write_type", "ReadOnly"]],
    "R14",
  ],
  [
    "builds that act as another role",
    "aws_codebuild_project",
    {
      service_role: "arn:aws:iam::111111111111:role/build",
      environment: [{ image: "a", privileged_mode: false }],
    },
    {
      serviceRole: "arn:aws:iam::111111111111:role/admin",
      environment: { image: "a", privilegedMode: true },
    },
    [
      ["service_role", "arn:aws:iam::111111111111:role/admin"],
      ["environment.0.privileged_mode", true],
    ],
    "R12",
  ],
  [
    "a cache that also takes what isn't encrypted",
    "aws_elasticache_replication_group",
    { transit_encryption_enabled: true, transit_encryption_mode: "required" },
    { TransitEncryptionEnabled: true, TransitEncryptionMode: "preferred" },
    [["transit_encryption_mode", "preferred"]],
    "R13",
  ],
  [
    "a cache that others may log in to",
    "aws_elasticache_replication_group",
    { user_group_ids: ["app"], parameter_group_name: "app" },
    { UserGroupIds: ["everybody"], CacheParameterGroupName: "app" },
    [["user_group_ids.0", "everybody"]],
    "R12",
  ],
])("%s is told", (_fact, ...[type, declared, live, changes, rule]) => {
  const found = told({ type, declared, live });
  expect(found.changes).toEqual(changes);
  expect(found.rules).toContain(rule);
});

test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject]>([
  [
    "a firewall of which Cloud Control doesn't tell",
    "aws_api_gateway_stage",
    { web_acl_arn: FIREWALL },
    { TracingEnabled: false },
  ],
  [
    "a firewall that is newer than the state of its stage",
    "aws_api_gateway_stage",
    { web_acl_arn: "" },
    { ...STAGE, webAclArn: FIREWALL },
  ],
  [
    "a cache that a state is too old to know more of",
    "aws_elasticache_replication_group",
    { transit_encryption_mode: null, user_group_ids: null },
    { TransitEncryptionMode: "required", UserGroupIds: [] },
  ],
  [
    "what every trail records",
    "aws_cloudtrail",
    { event_selector: [] },
    { EventSelectors: [{ IncludeManagementEvents: true, ReadWriteType: "All" }] },
  ],
])("nothing is told of %s", (_fact, type, declared, live) => {
  expect(told({ type, declared, live }).changes).toEqual([]);
});

/** What is kept of a state. */
const kept = (type: string): JsonObject =>
  JSON.parse(comparableAttributes({ address: "x", type, attributes: { name: "x" } }, aws) ?? "null");

describe("a policy of what is declared without any", () => {
  const POLICIES: [type: string, part: string, live: JsonObject][] = [
    ["aws_ecr_repository", "aws_ecr_repository_policy", { RepositoryPolicyText: policy("*") }],
    [
      "aws_dynamodb_table",
      "aws_dynamodb_resource_policy",
      { ResourcePolicy: { PolicyDocument: policy("*") } },
    ],
    ["aws_efs_file_system", "aws_efs_file_system_policy", { FileSystemPolicy: policy("*") }],
    ["aws_backup_vault", "aws_backup_vault_policy", { AccessPolicy: policy("*") }],
  ];

  test.each(POLICIES)("is told of %s", (type, _, live) => {
    const { changes, rules } = told({ type, declared: kept(type), live });
    expect(changes).toEqual([["policy", OPEN]]);
    expect(rules).toContain("R10");
  });

  test.each(POLICIES)("isn't told of %s where %s declares it", (type, part, live) => {
    const parts = [{ type: part, attributes: { policy: OPEN } }];
    expect(told({ type, declared: kept(type), live, parts }).changes).toEqual([]);
  });

  test("isn't told of a repository whose images functions run", () => {
    const Sid = "LambdaECRImageRetrievalPolicy";
    const [Statement] = policy({ Service: "lambda.amazonaws.com" }).Statement;
    const RepositoryPolicyText = { Version: "2012-10-17", Statement: [{ Sid, ...Statement }] };
    const type = "aws_ecr_repository";
    expect(told({ type, declared: kept(type), live: { RepositoryPolicyText } }).changes).toEqual([]);
  });
});
