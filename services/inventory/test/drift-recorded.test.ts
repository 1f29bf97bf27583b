import { describe, expect, test } from "bun:test";

import type { DriftChange } from "@leeway/shared/contracts/inventory/drift";

import { ACCOUNT, drifting, type Declared } from "./drifting.ts";
import { ndjson } from "./kit.ts";

const BUCKET = "arn:aws:s3:::files";
const KEY = `arn:aws:kms:eu-west-1:${ACCOUNT}:key/k-1`;
const POLICY = `arn:aws:iam::${ACCOUNT}:policy/reader`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/app`;

const { changesBetween } = drifting();

const summaryOf = (changes: readonly DriftChange[]) =>
  changes.map(({ address = "", risk_flags, attribute_changes }) => [
    address,
    risk_flags.map(({ rule }) => rule).join(" "),
    attribute_changes.map(({ path }) => path.join(".")).join(" "),
  ]);

const declared = (type: string, attributes: Record<string, unknown>): Declared => ({
  type,
  name: "main",
  attributes,
});

/** Builds a resource as AWS Config records it. */
const recorded = (resourceType: string, arn: string, configuration: object, supplement: object = {}) =>
  ndjson([
    {
      configurationItemStatus: "OK",
      resourceType,
      resourceId: arn.split(/[:/]/).at(-1),
      arn,
      accountId: ACCOUNT,
      awsRegion: "eu-west-1",
      configuration,
      supplementaryConfiguration: supplement,
    },
  ]);

const statement = (Effect: string, Action: string, Principal?: string): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect, Action, Resource: "*", ...(Principal && { Principal }) }],
  });

const BLOCKS = ["block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"];
const blocked = (is: boolean, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, is]));

const FILES: Declared[] = [
  declared("aws_s3_bucket", {
    id: "files",
    bucket: "files",
    arn: BUCKET,
    versioning: [{ enabled: false, mfa_delete: false }],
  }),
  declared("aws_s3_bucket_public_access_block", { id: "files", bucket: "files", ...blocked(true, BLOCKS) }),
  declared("aws_s3_bucket_acl", { id: "files,private", bucket: "files", acl: "private" }),
  declared("aws_s3_bucket_policy", {
    id: "files",
    bucket: "files",
    policy: statement("Deny", "s3:*", "*"),
  }),
  declared("aws_s3_bucket_versioning", {
    id: "files",
    bucket: "files",
    versioning_configuration: [{ status: "Enabled", mfa_delete: "" }],
  }),
  declared("aws_s3_bucket_server_side_encryption_configuration", {
    id: "files",
    bucket: "files",
    rule: [
      {
        apply_server_side_encryption_by_default: [{ sse_algorithm: "aws:kms", kms_master_key_id: "k-1" }],
        bucket_key_enabled: true,
      },
    ],
  }),
  declared("aws_s3_bucket_ownership_controls", {
    id: "files",
    bucket: "files",
    rule: [{ object_ownership: "BucketOwnerEnforced" }],
  }),
  declared("aws_s3_bucket_logging", {
    id: "files",
    bucket: "files",
    target_bucket: "logs",
    target_prefix: "",
  }),
  declared("aws_s3_bucket_lifecycle_configuration", {
    id: "files",
    bucket: "files",
    rule: [
      { id: "old", status: "Enabled", prefix: "", filter: [{ prefix: "" }], expiration: [{ days: 365 }] },
    ],
  }),
];

const OWNER = { grantee: { id: "e7c8bb", displayName: null }, permission: "FullControl" };
const granted = (...grants: object[]) =>
  JSON.stringify({ grantSet: null, grantList: [OWNER, ...grants], owner: { id: "e7c8bb" } });

const CAMEL = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];
const AS_DECLARED = {
  AccessControlList: granted(),
  PublicAccessBlockConfiguration: blocked(true, CAMEL),
  BucketPolicy: { policyText: statement("Deny", "s3:*", "*") },
  BucketVersioningConfiguration: { status: "Enabled" },
  BucketLoggingConfiguration: { destinationBucketName: "logs", logFilePrefix: null },
  BucketLifecycleConfiguration: {
    rules: [{ id: "old", status: "Enabled", expirationInDays: 365, noncurrentVersionExpirationInDays: -1 }],
  },
  ServerSideEncryptionConfiguration: {
    rules: [
      {
        applyServerSideEncryptionByDefault: { sseAlgorithm: "aws:kms", kmsMasterKeyID: KEY },
        bucketKeyEnabled: true,
      },
    ],
  },
};

const files = (changed: object) =>
  recorded("AWS::S3::Bucket", BUCKET, { name: "files" }, { ...AS_DECLARED, ...changed });

/** Builds the output of `aws configservice get-resource-config-history`, which has JSON inside strings. */
const inTexts = (supplement: object): string =>
  recorded(
    "AWS::S3::Bucket",
    BUCKET,
    { name: "files" },
    Object.fromEntries(Object.entries(supplement).map(([name, value]) => [name, JSON.stringify(value)])),
  );

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Builds the bucket as Cloud Control returns it. */
const read = (changed: object) => ({
  TypeName: "AWS::S3::Bucket",
  ResourceDescription: {
    Identifier: "files",
    Properties: JSON.stringify({
      BucketName: "files",
      Arn: BUCKET,
      VersioningConfiguration: { Status: "Enabled" },
      PublicAccessBlockConfiguration: blocked(true, CAMEL.map(pascal)),
      OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
      LifecycleConfiguration: { Rules: [{ Id: "old", Status: "Enabled", ExpirationInDays: 365 }] },
      LoggingConfiguration: { DestinationBucketName: "logs" },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          {
            ServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms", KMSMasterKeyID: "k-1" },
            BucketKeyEnabled: true,
          },
        ],
      },
      ...changed,
    }),
  },
});

const OPEN = "aws_s3_bucket_public_access_block.main";

describe("separately declared settings of a bucket", () => {
  test.each<[fact: string, listing: object | string]>([
    ["in AWS Config records", files({})],
    ["in AWS Config records as texts", inTexts(AS_DECLARED)],
    ["in Cloud Control", read({})],
    ["missing in the listing", recorded("AWS::S3::Bucket", BUCKET, { name: "files" })],
  ])("have no drift: %s", async (_, listing) => {
    expect(summaryOf(await changesBetween(FILES, listing))).toEqual([]);
  });

  test.each<[fact: string, listing: object | string, change: string[]]>([
    [
      "public access is no longer blocked",
      files({ PublicAccessBlockConfiguration: blocked(false, CAMEL) }),
      [OPEN, "R10", BLOCKS.join(" ")],
    ],
    [
      "public access is no longer blocked, as text",
      inTexts({ ...AS_DECLARED, PublicAccessBlockConfiguration: blocked(false, CAMEL) }),
      [OPEN, "R10", BLOCKS.join(" ")],
    ],
    [
      "the public access block is removed",
      files({ PublicAccessBlockConfiguration: undefined }),
      [OPEN, "R10", BLOCKS.join(" ")],
    ],
    [
      "Cloud Control shows that public access is no longer blocked",
      read({ PublicAccessBlockConfiguration: blocked(false, CAMEL.map(pascal)) }),
      [OPEN, "R10", BLOCKS.join(" ")],
    ],
    [
      "its policy allows everyone to read",
      files({ BucketPolicy: { policyText: statement("Allow", "s3:GetObject", "*") } }),
      ["aws_s3_bucket_policy.main", "R10 R02", "policy"],
    ],
    [
      "its ACL allows everyone to read",
      files({ AccessControlList: granted({ grantee: "AllUsers", permission: "Read" }) }),
      ["aws_s3_bucket_acl.main", "R10", "acl"],
    ],
    [
      "its policy is removed",
      files({ BucketPolicy: { policyText: null } }),
      ["aws_s3_bucket_policy.main", "R02", "policy"],
    ],
    [
      "versioning is suspended",
      files({ BucketVersioningConfiguration: { status: "Suspended" } }),
      ["aws_s3_bucket_versioning.main", "R02", "versioning_configuration.0.status"],
    ],
    [
      "its objects expire sooner",
      read({
        LifecycleConfiguration: { Rules: [{ Id: "old", Status: "Enabled", ExpirationInDays: 1 }] },
      }),
      ["aws_s3_bucket_lifecycle_configuration.main", "R02", "rule.0.expiration.0.days"],
    ],
    [
      "its objects no longer expire",
      files({ BucketLifecycleConfiguration: undefined }),
      ["aws_s3_bucket_lifecycle_configuration.main", "R23", "rule.0"],
    ],
    [
      "it uses another encryption key",
      files({
        ServerSideEncryptionConfiguration: {
          rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } }],
        },
      }),
      [
        "aws_s3_bucket_server_side_encryption_configuration.main",
        "R13",
        "rule.0.apply_server_side_encryption_by_default.0.sse_algorithm",
      ],
    ],
    [
      "its objects belong to their writers",
      read({ OwnershipControls: { Rules: [{ ObjectOwnership: "ObjectWriter" }] } }),
      ["aws_s3_bucket_ownership_controls.main", "R12", "rule.0.object_ownership"],
    ],
    [
      "access logging is off",
      files({ BucketLoggingConfiguration: {} }),
      ["aws_s3_bucket_logging.main", "R14", "target_bucket"],
    ],
  ])("have drift when %s", async (_, listing, change) => {
    expect(summaryOf(await changesBetween(FILES, listing))).toEqual([change]);
  });

  test("have drift even without a declared bucket", async () => {
    const listing = files({ PublicAccessBlockConfiguration: blocked(false, CAMEL) });
    const changes = await changesBetween(FILES.slice(1, 2), listing);
    expect(changes.map(({ kind, address }) => address ?? kind)).toEqual([OPEN, "undeclared"]);
    expect(changes[0]).toMatchObject({ provider_resource_id: BUCKET });
  });

  test("are compared only on their own row if one is listed", async () => {
    const own = {
      provider_resource_id: "files",
      provider_type: "AWS::S3::BucketPolicy",
      properties: { Bucket: "files", PolicyDocument: JSON.parse(statement("Allow", "s3:GetObject", "*")) },
    };
    const changes = await changesBetween(FILES, files({}) + ndjson([own]));
    expect(changes.map(({ address, provider_resource_id: id }) => [address, id])).toEqual([
      ["aws_s3_bucket_policy.main", "files"],
    ]);
  });
});

const version = (versionId: string, isDefaultVersion: boolean, action: string) => ({
  versionId,
  isDefaultVersion,
  document: encodeURIComponent(statement("Allow", action)),
});

describe("drift in an AWS Config record", () => {
  const reader = declared("aws_iam_policy", {
    id: POLICY,
    arn: POLICY,
    name: "reader",
    path: "/",
    policy: statement("Allow", "s3:GetObject"),
  });
  const listed = (...policyVersionList: object[]) =>
    recorded("AWS::IAM::Policy", POLICY, { policyName: "reader", path: "/", policyVersionList });

  test("includes a policy whose default version allows everything", async () => {
    const [old, admin] = [version("v1", false, "s3:GetObject"), version("v2", true, "*")];
    expect(summaryOf(await changesBetween([reader], listed(old, admin)))).toEqual([
      ["aws_iam_policy.main", "R11", "policy"],
    ]);
  });

  test("excludes an older version of a policy", async () => {
    const [old, now] = [version("v1", false, "*"), version("v2", true, "s3:GetObject")];
    expect(await changesBetween([reader], listed(old, now))).toEqual([]);
  });

  const key = declared("aws_kms_key", {
    id: "k-1",
    key_id: "k-1",
    arn: KEY,
    enable_key_rotation: true,
    is_enabled: true,
    policy: statement("Allow", "kms:Decrypt", "app"),
  });

  test.each<[fact: string, supplement: object, changes: string[][]]>([
    ["nothing for a key that is as declared", { KeyRotationStatus: true }, []],
    [
      "a key without rotation",
      { KeyRotationStatus: false },
      [["aws_kms_key.main", "R13", "enable_key_rotation"]],
    ],
    [
      "a key that everyone may use",
      { Policy: statement("Allow", "kms:*", "*") },
      [["aws_kms_key.main", "R10", "policy"]],
    ],
  ])("includes %s", async (_, supplement, changes) => {
    const listing = recorded("AWS::KMS::Key", KEY, { keyId: "k-1", enabled: true }, supplement);
    expect(summaryOf(await changesBetween([key], listing))).toEqual(changes);
  });

  test("includes a role's inline policy that allows everything", async () => {
    const states = [
      declared("aws_iam_role", { id: "app", name: "app", arn: ROLE, path: "/" }),
      declared("aws_iam_role_policy", {
        id: "app:read",
        name: "read",
        role: "app",
        policy: statement("Allow", "s3:GetObject"),
      }),
    ];
    const role = (action: string) =>
      recorded("AWS::IAM::Role", ROLE, {
        roleName: "app",
        path: "/",
        rolePolicyList: [
          { policyName: "other", policyDocument: encodeURIComponent(statement("Allow", "sqs:*")) },
          { policyName: "read", policyDocument: encodeURIComponent(statement("Allow", action)) },
        ],
      });
    expect(await changesBetween(states, role("s3:GetObject"))).toEqual([]);
    expect(summaryOf(await changesBetween(states, role("*")))).toEqual([
      ["aws_iam_role_policy.main", "R11", "policy"],
    ]);
  });

  test("includes a separately declared queue policy, reported only on the policy", async () => {
    const queue = `arn:aws:sqs:eu-west-1:${ACCOUNT}:jobs`;
    const url = `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/jobs`;
    const states = [
      declared("aws_sqs_queue", { id: url, url, arn: queue, name: "jobs", policy: "" }),
      declared("aws_sqs_queue_policy", {
        id: url,
        queue_url: url,
        policy: statement("Allow", "sqs:SendMessage", "app"),
      }),
    ];
    const jobs = (Policy: string) => recorded("AWS::SQS::Queue", queue, { QueueArn: queue, Policy });
    expect(await changesBetween(states, jobs(statement("Allow", "sqs:SendMessage", "app")))).toEqual([]);
    const changes = await changesBetween(states, jobs(statement("Allow", "sqs:SendMessage", "*")));
    expect(summaryOf(changes)).toEqual([["aws_sqs_queue_policy.main", "R10", "policy"]]);
  });

  test("includes an account that allows public buckets again", async () => {
    const names = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];
    const whole = declared("aws_s3_account_public_access_block", {
      id: ACCOUNT,
      account_id: ACCOUNT,
      ...blocked(true, BLOCKS),
    });
    const item = {
      resourceType: "AWS::S3::AccountPublicAccessBlock",
      resourceId: ACCOUNT,
      accountId: ACCOUNT,
      awsRegion: "eu-west-1",
      configuration: { ...blocked(true, names), blockPublicPolicy: false },
    };
    expect(summaryOf(await changesBetween([whole], ndjson([item])))).toEqual([
      ["aws_s3_account_public_access_block.main", "R10", "block_public_policy"],
    ]);
  });
});
