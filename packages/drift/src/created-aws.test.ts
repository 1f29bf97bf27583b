import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { judgedLive, policyOf, testTypes } from "./created.fixture.ts";

const ACCOUNT = "123456789012";
const ADMINISTRATOR = "arn:aws:iam::aws:policy/AdministratorAccess";
const ALL = policyOf({ Action: "*", Resource: "*" });
const SOME = policyOf({ Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" });
const TRUST = policyOf({ Action: "sts:AssumeRole", Principal: { Service: "lambda.amazonaws.com" } });
const TRUST_ANYONE = policyOf({ Action: "sts:AssumeRole", Principal: { AWS: "*" } });
const OWN = policyOf({ Action: "s3:GetObject", Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` } });
const PUBLIC = policyOf({ Action: "*", Principal: "*", Resource: "*" });
const INVOKED = policyOf({ Action: "lambda:InvokeFunction", Principal: "*" });

const text = (document: JsonObject): string => JSON.stringify(document);
/** Encodes an IAM document as AWS Config does. */
const encoded = (document: JsonObject): string => encodeURIComponent(text(document));

function rule(port: number, cidr: string): JsonObject {
  return {
    ipProtocol: "tcp",
    fromPort: port,
    toPort: port,
    ipv4Ranges: [{ cidrIp: cidr }],
    ipRanges: [cidr],
  };
}
function group(...ipPermissions: JsonObject[]): JsonObject {
  return { groupId: "sg-1", groupName: "web", ipPermissions, ipPermissionsEgress: [] };
}
function entry(cidr: string): JsonObject {
  return { ruleNumber: 100, protocol: "-1", ruleAction: "allow", egress: false, cidrBlock: cidr };
}
function acl(cidr: string): readonly [string, JsonObject] {
  const ingress = [
    { rule_no: 100, action: "allow", protocol: "-1", cidr_block: cidr, from_port: 0, to_port: 0 },
  ];
  return ["aws_network_acl", { ingress }];
}
function bucket(supplement: JsonObject): JsonObject {
  const AccessControlList = { grantList: [OWNER] };
  return { name: "reports", supplementaryConfiguration: { AccessControlList, ...supplement } };
}

const OWNER = { grantee: { id: "e7c8bb" }, permission: "FullControl" };
const EVERYBODY = { grantee: "AllUsers", permission: "Read" };
const BUCKET = ["aws_s3_bucket", { bucket: "reports" }] as const;
const ROLE = ["aws_iam_role", { assume_role_policy: text(TRUST) }] as const;

testTypes("aws", {
  "AWS::EC2::SecurityGroup": [
    {
      is: "open for SSH, by Cloud Control",
      danger: true,
      live: {
        GroupName: "web",
        SecurityGroupIngress: [{ IpProtocol: "tcp", FromPort: 22, ToPort: 22, CidrIpv6: "::/0" }],
        SecurityGroupEgress: [],
      },
      plan: [
        [
          "aws_security_group",
          { ingress: [{ protocol: "tcp", from_port: 22, to_port: 22, ipv6_cidr_blocks: ["::/0"] }] },
        ],
      ],
    },
  ],
  "AWS::EC2::SecurityGroupIngress": [
    {
      is: "open for a database",
      danger: true,
      live: { GroupId: "sg-1", IpProtocol: "tcp", FromPort: 5432, ToPort: 5432, CidrIp: "0.0.0.0/0" },
      plan: [
        [
          "aws_vpc_security_group_ingress_rule",
          { ip_protocol: "tcp", from_port: 5432, to_port: 5432, cidr_ipv4: "0.0.0.0/0" },
        ],
      ],
    },
  ],
  "AWS::EC2::NetworkAcl": [
    { is: "within the network", live: { entries: [entry("10.0.0.0/8")] }, plan: [acl("10.0.0.0/8")] },
  ],
  "AWS::S3::Bucket": [
    { is: "private", live: bucket({}), plan: [BUCKET] },
    {
      is: "shared within the account",
      live: bucket({ BucketPolicy: { policyText: text(OWN) } }),
      plan: [BUCKET],
    },
    {
      is: "public by its ACL",
      danger: true,
      live: bucket({ AccessControlList: { grantList: [OWNER, EVERYBODY] } }),
      plan: [BUCKET, ["aws_s3_bucket_acl", { acl: "public-read" }]],
    },
    {
      is: "public by its policy",
      danger: true,
      live: bucket({ BucketPolicy: { policyText: text(PUBLIC) } }),
      plan: [BUCKET, ["aws_s3_bucket_policy", { policy: text(PUBLIC) }]],
    },
  ],
  "AWS::IAM::Role": [
    {
      is: "an administrator by an inline policy, by Cloud Control",
      danger: true,
      live: { AssumeRolePolicyDocument: TRUST, Policies: [{ PolicyName: "own", PolicyDocument: ALL }] },
      plan: [ROLE, ["aws_iam_role_policy", { policy: text(ALL) }]],
    },
    {
      is: "for anyone",
      danger: true,
      live: { assumeRolePolicyDocument: encoded(TRUST_ANYONE) },
      plan: [["aws_iam_role", { assume_role_policy: text(TRUST_ANYONE) }]],
    },
    {
      is: "that Lambda can assume",
      live: { arn: `arn:aws:iam::${ACCOUNT}:role/r`, assumeRolePolicyDocument: encoded(TRUST) },
      plan: [ROLE],
    },
  ],
  "AWS::IAM::Group": [
    { is: "without rights", live: { groupName: "ops" }, plan: [["aws_iam_group", { name: "ops" }]] },
    {
      is: "with administrator rights",
      danger: true,
      live: { groupName: "ops", attachedManagedPolicies: [{ policyArn: ADMINISTRATOR }] },
      plan: [["aws_iam_group_policy_attachment", { group: "ops", policy_arn: ADMINISTRATOR }]],
    },
  ],
  "AWS::IAM::ManagedPolicy": [
    {
      is: "with full access only in an older version",
      live: {
        policyVersionList: [
          { versionId: "v1", isDefaultVersion: false, document: encoded(ALL) },
          { versionId: "v2", isDefaultVersion: true, document: encoded(SOME) },
        ],
      },
      plan: [["aws_iam_policy", { policy: text(SOME) }]],
    },
  ],
  "AWS::Lambda::Function": [
    { is: "without a resource policy", live: { functionName: "f" }, plan: [["aws_lambda_function", {}]] },
    {
      is: "callable by anyone",
      danger: true,
      live: { functionName: "f", supplementaryConfiguration: { Policy: JSON.stringify(text(INVOKED)) } },
      plan: [["aws_lambda_permission", { action: "lambda:InvokeFunction", principal: "*" }]],
    },
    {
      is: "callable by a bucket",
      live: {
        functionName: "f",
        supplementaryConfiguration: {
          Policy: policyOf({
            Action: "lambda:InvokeFunction",
            Principal: { Service: "s3.amazonaws.com" },
            Condition: { ArnLike: { "AWS:SourceArn": "arn:aws:s3:::reports" } },
          }),
        },
      },
      plan: [["aws_lambda_function", {}]],
    },
  ],
  "AWS::Lambda::Url": [
    {
      is: "for callers who sign",
      live: { AuthType: "AWS_IAM" },
      plan: [["aws_lambda_function_url", { authorization_type: "AWS_IAM" }]],
    },
    {
      is: "for anyone",
      danger: true,
      live: { AuthType: "NONE" },
      plan: [["aws_lambda_function_url", { authorization_type: "NONE" }]],
    },
  ],
  "AWS::ECR::Repository": [
    { is: "private", live: { RepositoryPolicyText: {} }, plan: [["aws_ecr_repository", { name: "r" }]] },
  ],
  "AWS::RDS::DBSnapshot": [
    { is: "private", live: { engine: "postgres" }, plan: [["aws_db_snapshot", {}]] },
    {
      is: "public",
      danger: true,
      live: {
        engine: "postgres",
        supplementaryConfiguration: {
          DBSnapshotAttributes: [{ attributeName: "restore", attributeValues: ["all"] }],
        },
      },
      plan: [["aws_db_snapshot", { shared_accounts: ["all"] }]],
    },
  ],
  "AWS::EFS::FileSystem": [
    {
      is: "for anyone",
      danger: true,
      live: { FileSystemId: "f", FileSystemPolicy: PUBLIC },
      plan: [["aws_efs_file_system_policy", { policy: text(PUBLIC) }]],
    },
  ],
});

function hashOf(...ports: number[]): string {
  const closed = rule(443, "10.0.0.0/8");
  const properties = group(...ports.map((port) => rule(port, "0.0.0.0/0")), closed);
  return judgedLive("aws", "AWS::EC2::SecurityGroup", { properties }).values_hash;
}

describe("an undeclared resource of AWS", () => {
  test("reports the open port with its source and path", () => {
    const properties = group(rule(22, "0.0.0.0/0"));
    expect(judgedLive("aws", "AWS::EC2::SecurityGroup", { properties }).risk_flags).toMatchObject([
      {
        rule: "R09",
        flag: "internet_exposure",
        evidence: [["ingress", 0, "cidr_blocks"]],
        message: expect.stringMatching(/port 22 .*0\.0\.0\.0\/0/),
      },
    ]);
  });

  test("names the part that a finding concerns", () => {
    const properties = bucket({ BucketPolicy: { policyText: text(PUBLIC) } });
    expect(judgedLive("aws", "AWS::S3::Bucket", { properties }).risk_flags).toMatchObject([
      { rule: "R10", evidence: [["aws_s3_bucket_policy", "policy"]] },
    ]);
  });

  test.each([
    ["ignores its ACL", { AccessControlList: { grantList: [OWNER, EVERYBODY] } }],
    ["restricts its policy", { BucketPolicy: { policyText: text(PUBLIC) } }],
  ])("isn't public where a bucket %s", (_, supplement) => {
    const PublicAccessBlockConfiguration = {
      blockPublicAcls: true,
      blockPublicPolicy: true,
      ignorePublicAcls: true,
      restrictPublicBuckets: true,
    };
    const properties = bucket({ ...supplement, PublicAccessBlockConfiguration });
    expect(judgedLive("aws", "AWS::S3::Bucket", { properties }).risk_level).toBe("low");
  });

  const SSH = { type: "ingress", protocol: "tcp", from_port: 22, to_port: 22, cidr_blocks: ["0.0.0.0/0"] };
  test.each([
    [
      "a rule",
      "AWS::EC2::SecurityGroup",
      group(rule(22, "0.0.0.0/0")),
      { type: "aws_security_group_rule", attributes: SSH },
    ],
    [
      "a policy",
      "AWS::S3::Bucket",
      bucket({ BucketPolicy: { policyText: text(PUBLIC) } }),
      { type: "aws_s3_bucket_policy", attributes: { policy: text(PUBLIC) } },
    ],
    [
      "a permission",
      "AWS::Lambda::Function",
      { supplementaryConfiguration: { Policy: policyOf({ Sid: "all", Principal: "*" }) } },
      { type: "aws_lambda_permission", attributes: { statement_id: "all", principal: "*" } },
    ],
  ])("ignores %s that code declares", (_, providerType, properties, part) => {
    const { risk_level } = judgedLive("aws", providerType, { properties, parts: [part] });
    expect(["low", "medium"]).toContain(risk_level);
  });

  test("changes its hash when its open ports change, not when its rules are reordered", () => {
    expect(hashOf(8080, 9090)).toBe(hashOf(9090, 8080));
    expect(hashOf(8080)).not.toBe(hashOf(9090));
    expect(hashOf(8080)).not.toBe(hashOf());
  });
});
