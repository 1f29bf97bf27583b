import { bucket, bucketAcl, bucketPolicy, KEY_ARN, publicAccessBlock } from "../estate/aws-data.ts";
import { ACCOUNT } from "../estate/aws-network.ts";
import { knownWhenNew, policyDocument } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const ASSETS = "lumen-assets";
const OWNER = "5b1f0c7d9e2a4836b0d4f6a8c1e3957d2f4b6a8c0e1d3f5a7b9c2d4e6f8a0b1c";
const PUBLIC_READ = { Principal: "*", Action: "s3:GetObject", Resource: `arn:aws:s3:::${ASSETS}/*` };
const FOR_CLOUDFRONT = {
  Principal: { Service: "cloudfront.amazonaws.com" },
  Action: "s3:GetObject",
  Resource: `arn:aws:s3:::${ASSETS}/*`,
  Condition: {
    StringEquals: { "AWS:SourceArn": `arn:aws:cloudfront::${ACCOUNT}:distribution/E2QWRUHAPOMQZL` },
  },
};
const blocked = (is: boolean) => ({
  blockPublicAcls: is,
  ignorePublicAcls: is,
  blockPublicPolicy: is,
  restrictPublicBuckets: is,
});
const ownGrant = { grantee: { id: OWNER, displayName: null }, permission: "FullControl" };
const acl = (...more: object[]) => ({
  grantSet: null,
  grantList: [ownGrant, ...more].map((grant) => ({ ...grant })),
  owner: { displayName: null, id: OWNER },
  isRequesterCharged: false,
});
/** Builds a bucket as AWS Config records it, with most properties in `supplementaryConfiguration`. */
const liveBucket = (isBlocked: boolean, policyText: string | null, ...grants: object[]) => ({
  name: ASSETS,
  owner: { displayName: null, id: OWNER },
  creationDate: "2026-03-11T09:34:12.000Z",
  region: "eu-central-1",
  supplementaryConfiguration: {
    AccessControlList: acl(...grants),
    BucketPolicy: { policyText },
    PublicAccessBlockConfiguration: blocked(isBlocked),
    BucketVersioningConfiguration: { status: "Enabled", isMfaDeleteEnabled: null },
    ServerSideEncryptionConfiguration: {
      rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: "aws:kms", kmsMasterKeyID: KEY_ARN } }],
    },
    BucketLoggingConfiguration: { destinationBucketName: null, logFilePrefix: null },
    IsRequesterPaysEnabled: false,
  },
});
const privateBucket = liveBucket(true, policyDocument(FOR_CLOUDFRONT));

/** AWS: buckets. */
export const AWS_BUCKETS: readonly CommonType[] = [
  {
    type: "aws_s3_bucket",
    harmless: knownWhenNew(bucket(ASSETS)),
    exposed: {
      after: knownWhenNew(bucket(ASSETS, { acl: "public-read" })),
      level: "critical",
      why: "Anyone can list and download the objects.",
    },
    live: {
      provider_type: "AWS::S3::Bucket",
      harmless: privateBucket,
      exposed: liveBucket(false, policyDocument(PUBLIC_READ)),
      exposed_by: {
        aws_s3_bucket_policy: liveBucket(false, policyDocument(PUBLIC_READ)),
        aws_s3_bucket_acl: liveBucket(false, null, { grantee: "AllUsers", permission: "Read" }),
        aws_s3_bucket_public_access_block: liveBucket(false, policyDocument(FOR_CLOUDFRONT)),
      },
    },
  },
  {
    type: "aws_s3_bucket_policy",
    harmless: knownWhenNew(bucketPolicy(ASSETS, FOR_CLOUDFRONT)),
    medium: "access",
    exposed: {
      after: knownWhenNew(bucketPolicy(ASSETS, PUBLIC_READ)),
      level: "critical",
      why: "Anyone can download the objects.",
    },
    live: { part_of: "aws_s3_bucket" },
  },
  {
    type: "aws_s3_bucket_acl",
    harmless: knownWhenNew(bucketAcl(ASSETS, "private")),
    exposed: {
      after: knownWhenNew(bucketAcl(ASSETS, "public-read-write")),
      level: "critical",
      why: "Anyone can list, download and upload objects.",
    },
    live: { part_of: "aws_s3_bucket" },
  },
  {
    type: "aws_s3_bucket_public_access_block",
    harmless: knownWhenNew(publicAccessBlock(ASSETS)),
    exposed: {
      after: knownWhenNew(publicAccessBlock(ASSETS, false)),
      level: "high",
      why: "Nothing stops a public policy or ACL on this bucket.",
    },
    live: { part_of: "aws_s3_bucket" },
  },
];
