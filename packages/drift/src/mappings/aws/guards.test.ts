import { describe, expect, test } from "bun:test";

import { aws } from "@leeway/clouds/aws/aws";
import type { JsonObject } from "@leeway/shared/values/json";

import { comparableAttributes } from "../../comparable-attributes.ts";
import { detectDrift, type Change } from "../../detect-drift.fixture.ts";

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
/** A stage as recorded by AWS Config. */
const STAGE = { stageName: "prod", tracingEnabled: false, createdDate: "2024-01-01T00:00:00Z" };

test.each<
  [fact: string, type: string, declared: JsonObject, live: JsonObject, changes: Change[], rule: string]
>([
  [
    "an account that allows public buckets",
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
    "a table that anyone can use",
    "aws_dynamodb_resource_policy",
    { policy: OWN },
    { ResourcePolicy: { PolicyDocument: policy("*") } },
    [["policy", OPEN]],
    "R10",
  ],
  [
    "an API that anyone can call",
    "aws_api_gateway_rest_api_policy",
    { policy: OWN },
    { Policy: policy("*") },
    [["policy", OPEN]],
    "R10",
  ],
  [
    "an API declared without a policy that anyone can call",
    "aws_api_gateway_rest_api",
    { policy: "" },
    { Policy: policy("*") },
    [["policy", OPEN]],
    "R10",
  ],
  [
    "an API without its web ACL",
    "aws_api_gateway_stage",
    { web_acl_arn: FIREWALL },
    STAGE,
    [["web_acl_arn", ""]],
    "R02",
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
    "a trail that records only reads",
    "aws_cloudtrail",
    { event_selector: [{ include_management_events: true, read_write_type: "All", data_resource: [] }] },
    { EventSelectors: [{ IncludeManagementEvents: true, ReadWriteType: "ReadOnly" }] },
    [["event_selector.0.read_write_type", "ReadOnly"]],
    "R14",
  ],
  [
    "a build project with another role",
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
    "a cache that also accepts unencrypted connections",
    "aws_elasticache_replication_group",
    { transit_encryption_enabled: true, transit_encryption_mode: "required" },
    { TransitEncryptionEnabled: true, TransitEncryptionMode: "preferred" },
    [["transit_encryption_mode", "preferred"]],
    "R13",
  ],
  [
    "a cache with another user group",
    "aws_elasticache_replication_group",
    { user_group_ids: ["app"], parameter_group_name: "app" },
    { UserGroupIds: ["everybody"], CacheParameterGroupName: "app" },
    [["user_group_ids.0", "everybody"]],
    "R12",
  ],
])("reports %s", (_fact, ...[type, declared, live, changes, rule]) => {
  const found = detectDrift({ type, declared, live });
  expect(found.changes).toEqual(changes);
  expect(found.rules).toContain(rule);
});

test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject]>([
  [
    "a web ACL missing from Cloud Control",
    "aws_api_gateway_stage",
    { web_acl_arn: FIREWALL },
    { TracingEnabled: false },
  ],
  [
    "a web ACL that the state of its stage doesn't have yet",
    "aws_api_gateway_stage",
    { web_acl_arn: "" },
    { ...STAGE, webAclArn: FIREWALL },
  ],
  [
    "cache settings missing from an old state",
    "aws_elasticache_replication_group",
    { transit_encryption_mode: null, user_group_ids: null },
    { TransitEncryptionMode: "required", UserGroupIds: [] },
  ],
  [
    "the default event selector of a trail",
    "aws_cloudtrail",
    { event_selector: [] },
    { EventSelectors: [{ IncludeManagementEvents: true, ReadWriteType: "All" }] },
  ],
])("doesn't report %s", (_fact, type, declared, live) => {
  expect(detectDrift({ type, declared, live }).changes).toEqual([]);
});

/** Returns the stored attributes of a state. */
const kept = (type: string): JsonObject =>
  JSON.parse(comparableAttributes({ address: "x", type, attributes: { name: "x" } }, aws) ?? "null");

describe("a policy on a resource declared without one", () => {
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

  test.each(POLICIES)("is reported for %s", (type, _, live) => {
    const { changes, rules } = detectDrift({ type, declared: kept(type), live });
    expect(changes).toEqual([["policy", OPEN]]);
    expect(rules).toContain("R10");
  });

  test.each(POLICIES)("isn't reported for %s when %s declares it", (type, part, live) => {
    const parts = [{ type: part, attributes: { policy: OPEN } }];
    expect(detectDrift({ type, declared: kept(type), live, parts }).changes).toEqual([]);
  });

  test("isn't reported for a repository whose images Lambda pulls", () => {
    const Sid = "LambdaECRImageRetrievalPolicy";
    const [Statement] = policy({ Service: "lambda.amazonaws.com" }).Statement;
    const RepositoryPolicyText = { Version: "2012-10-17", Statement: [{ Sid, ...Statement }] };
    const type = "aws_ecr_repository";
    expect(detectDrift({ type, declared: kept(type), live: { RepositoryPolicyText } }).changes).toEqual([]);
  });
});
