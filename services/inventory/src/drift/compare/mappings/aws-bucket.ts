import { isObject, members, text } from "@leeway/shared/json";

import type { MappingTable, Row, Shape, ShapeWithin } from "../mapping.ts";
import { mirrored } from "../mirrored.ts";
import { unlessPart } from "../parts.ts";
import { document, reference, row, same, sole, switched } from "../shapes.ts";
import { isRead, isWhole, setting, SUPPLEMENT } from "./aws-bucket-setting.ts";
import { NOTIFICATION } from "./aws-bucket-notification.ts";
import { ADDED_REPLICATION, REPLICATION } from "./aws-bucket-replication.ts";
import { CORS_RULES, LIFECYCLE, WEBSITE } from "./aws-bucket-rules.ts";

/** What was never turned on, Cloud Control leaves out. */
const versioning = (shape: ShapeWithin): Row =>
  setting("VersioningConfiguration.Status", "BucketVersioningConfiguration.status", {
    shape,
    otherwise: "Off",
    isTold: isWhole,
  });

/** AWS Config has another word for what was never turned on. */
const status: ShapeWithin = (live, declared) => (live === "Off" ? "Disabled" : mirrored(live, declared));

const ACCESS = "PublicAccessBlockConfiguration";

function access(name: string): Record<string, Row> {
  return {
    [name]: setting(`${name} | ${ACCESS}.${name}`, `${ACCESS}.${name}`, {
      otherwise: false,
      isTold: isWhole,
    }),
  };
}

const READ = "BucketEncryption.ServerSideEncryptionConfiguration[]";
const RECORDED = `${SUPPLEMENT}.ServerSideEncryptionConfiguration.rules[]`;

function encryption(read: string, recorded: string): string {
  return `${READ}.ServerSideEncryptionByDefault.${read} | ${RECORDED}.applyServerSideEncryptionByDefault.${recorded}`;
}

/** Grants to groups, and the canned list of grants that they make of a bucket's. */
const CANNED: readonly [grants: RegExp, acl: string][] = [
  [/AllUsers (?:Write|FullControl)/, "public-read-write"],
  [/AllUsers Read(?!Acp)/, "public-read"],
  [/AuthenticatedUsers (?:Read(?!Acp)|FullControl)/, "authenticated-read"],
  [/LogDelivery Write/, "log-delivery-write"],
];
const PRIVATE = "private";

/** AWS Config has what is granted, not what it is called. Groups it names; accounts it has by their ids. */
const cannedAcl: Shape = (live, declared) => {
  if (declared !== PRIVATE && !CANNED.some(([, acl]) => acl === declared)) return undefined;
  const grants = members(isObject(live) ? live : undefined, "grantList");
  if (grants.length === 0) return undefined;
  const granted = grants.map((grant) => `${text(grant, "grantee") ?? ""} ${text(grant, "permission") ?? ""}`);
  return CANNED.find(([group]) => granted.some((grant) => group.test(grant)))?.[1] ?? PRIVATE;
};

const ACL = row(`${SUPPLEMENT}.AccessControlList`, cannedAcl);
const POLICY = setting("PolicyDocument", "BucketPolicy.policyText", { shape: document, otherwise: null });

const ENCRYPTION: Readonly<Record<string, Row>> = {
  "rule.apply_server_side_encryption_by_default.sse_algorithm": row(
    encryption("SSEAlgorithm", "sseAlgorithm"),
    sole(mirrored),
  ),
  "rule.apply_server_side_encryption_by_default.kms_master_key_id": row(
    encryption("KMSMasterKeyID", "kmsMasterKeyID"),
    sole(reference),
  ),
  "rule.bucket_key_enabled": row(`${READ}.BucketKeyEnabled | ${RECORDED}.bucketKeyEnabled`, sole(mirrored)),
};

const RECORDED_LOGGING = "BucketLoggingConfiguration";
const LOGGING: Readonly<Record<string, Row>> = {
  target_bucket: setting(
    "LoggingConfiguration.DestinationBucketName",
    `${RECORDED_LOGGING}.destinationBucketName`,
    {
      otherwise: null,
      isTold: isWhole,
    },
  ),
  target_prefix: setting("LoggingConfiguration.LogFilePrefix", `${RECORDED_LOGGING}.logFilePrefix`, {
    otherwise: null,
    isTold: isWhole,
  }),
};

/** For how long nothing is deleted, in days or in years; without a rule for as long as each object says. */
const LOCK = Object.fromEntries(
  ["mode", "days", "years"].map((name): [string, Row] => [
    `rule.default_retention.${name}`,
    setting(`ObjectLockConfiguration.Rule.DefaultRetention.${name}`, undefined, {
      otherwise: null,
      isTold: isRead,
    }),
  ]),
);

/** Settings that providers of before version 4 declare in the bucket, and that newer ones read of it. */
function ofBucket(part: string, block: string, rows: Readonly<Record<string, Row>>): Record<string, Row> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [`${block}.${name}`, unlessPart(part, row)]),
  );
}

/** Buckets and the settings of one that providers declare by themselves; see `AWS`. */
export const AWS_BUCKET: MappingTable = {
  aws_s3_bucket: {
    "versioning.enabled": unlessPart("aws_s3_bucket_versioning", versioning(switched)),
    object_lock_enabled: "ObjectLockEnabled",
    acl: unlessPart("aws_s3_bucket_acl", ACL),
    replication_configuration: unlessPart("aws_s3_bucket_replication_configuration", ADDED_REPLICATION),
    policy: unlessPart("aws_s3_bucket_policy", POLICY),
    ...ofBucket(
      "aws_s3_bucket_server_side_encryption_configuration",
      "server_side_encryption_configuration",
      ENCRYPTION,
    ),
    ...ofBucket("aws_s3_bucket_logging", "logging", LOGGING),
    ...ofBucket("aws_s3_bucket_object_lock_configuration", "object_lock_configuration", LOCK),
  },
  aws_s3_bucket_versioning: { "versioning_configuration.status": versioning(status) },
  aws_s3_bucket_public_access_block: {
    ...access("block_public_acls"),
    ...access("block_public_policy"),
    ...access("ignore_public_acls"),
    ...access("restrict_public_buckets"),
  },
  aws_s3_account_public_access_block: same(
    "block_public_acls block_public_policy ignore_public_acls restrict_public_buckets",
  ),
  aws_s3_bucket_acl: { acl: ACL },
  aws_s3_bucket_policy: { policy: POLICY },
  aws_s3_bucket_server_side_encryption_configuration: ENCRYPTION,
  aws_s3_bucket_ownership_controls: {
    // Without any, objects are whose who writes them; AWS Config doesn't record it.
    "rule.object_ownership": setting("OwnershipControls.Rules[].ObjectOwnership", undefined, {
      shape: sole(mirrored),
      otherwise: ["ObjectWriter"],
      isTold: isRead,
    }),
  },
  aws_s3_bucket_logging: LOGGING,
  aws_s3_bucket_object_lock_configuration: LOCK,
  aws_s3_bucket_lifecycle_configuration: LIFECYCLE,
  aws_s3_bucket_cors_configuration: CORS_RULES,
  aws_s3_bucket_website_configuration: WEBSITE,
  aws_s3_bucket_replication_configuration: REPLICATION,
  aws_s3_bucket_notification: NOTIFICATION,
};
