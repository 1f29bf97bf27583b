import { isObject, members, text } from "@leeway/shared/values/json";

import type { MappingTable, Row, Shape, ShapeWithin } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { unlessPart } from "../../parts.ts";
import { document, reference, row, same, sole, switched } from "../../shapes.ts";
import { isRead, isWhole, setting, SUPPLEMENT } from "./bucket-setting.ts";
import { NOTIFICATION } from "./bucket-notification.ts";
import { OWN_REPLICATION, REPLICATION } from "./bucket-replication.ts";
import { CORS_RULES, LIFECYCLE, WEBSITE } from "./bucket-rules.ts";

/** Cloud Control omits versioning that was never enabled. */
const versioning = (shape: ShapeWithin): Row =>
  setting("VersioningConfiguration.Status", "BucketVersioningConfiguration.status", {
    shape,
    otherwise: "Off",
    isReported: isWhole,
  });

/** Compares the status. AWS Config uses another word for versioning that was never enabled. */
const status: ShapeWithin = (live, declared) => (live === "Off" ? "Disabled" : mirrored(live, declared));

const ACCESS = "PublicAccessBlockConfiguration";

function access(name: string): Record<string, Row> {
  return {
    [name]: setting(`${name} | ${ACCESS}.${name}`, `${ACCESS}.${name}`, {
      otherwise: false,
      isReported: isWhole,
    }),
  };
}

const READ = "BucketEncryption.ServerSideEncryptionConfiguration[]";
const RECORDED = `${SUPPLEMENT}.ServerSideEncryptionConfiguration.rules[]`;

function encryption(read: string, recorded: string): string {
  return `${READ}.ServerSideEncryptionByDefault.${read} | ${RECORDED}.applyServerSideEncryptionByDefault.${recorded}`;
}

/** Grants to groups, and the canned ACL that consists of them. */
const CANNED: readonly [grants: RegExp, acl: string][] = [
  [/AllUsers (?:Write|FullControl)/, "public-read-write"],
  [/AllUsers Read(?!Acp)/, "public-read"],
  [/AuthenticatedUsers (?:Read(?!Acp)|FullControl)/, "authenticated-read"],
  [/LogDelivery Write/, "log-delivery-write"],
];
const PRIVATE = "private";

/** Compares a canned ACL. AWS Config contains grants, not the ACL's name; it names groups and lists accounts by id. */
const cannedAcl: Shape = (live, declared) => {
  if (declared !== PRIVATE && !CANNED.some(([, acl]) => acl === declared)) return undefined;
  const grants = members(isObject(live) ? live : undefined, "grantList");
  if (grants.length === 0) return undefined;
  const granted = grants.map((grant) => `${text(grant, "grantee") ?? ""} ${text(grant, "permission") ?? ""}`);
  return CANNED.find(([group]) => granted.some((grant) => group.test(grant)))?.[1] ?? PRIVATE;
};

const ACL = { ...row(`${SUPPLEMENT}.AccessControlList`, cannedAcl), initial: PRIVATE };
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
      isReported: isWhole,
    },
  ),
  target_prefix: setting("LoggingConfiguration.LogFilePrefix", `${RECORDED_LOGGING}.logFilePrefix`, {
    otherwise: null,
    isReported: isWhole,
  }),
};

/** Default retention in days or years. Without a rule, retention is set per object. */
const LOCK = Object.fromEntries(
  ["mode", "days", "years"].map((name): [string, Row] => [
    `rule.default_retention.${name}`,
    setting(`ObjectLockConfiguration.Rule.DefaultRetention.${name}`, undefined, {
      otherwise: null,
      isReported: isRead,
    }),
  ]),
);

/** Returns settings that provider versions before 4 declare in the bucket and newer ones read from it. */
function ofBucket(part: string, block: string, rows: Readonly<Record<string, Row>>): Record<string, Row> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [`${block}.${name}`, unlessPart(part, row)]),
  );
}

/** Buckets, and their settings that providers declare separately; see `AWS`. */
export const AWS_BUCKET: MappingTable = {
  aws_s3_bucket: {
    "versioning.enabled": unlessPart("aws_s3_bucket_versioning", versioning(switched)),
    object_lock_enabled: "ObjectLockEnabled",
    acl: unlessPart("aws_s3_bucket_acl", ACL),
    replication_configuration: unlessPart("aws_s3_bucket_replication_configuration", OWN_REPLICATION),
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
    // Without a rule, objects belong to their writers. AWS Config doesn't record it.
    "rule.object_ownership": setting("OwnershipControls.Rules[].ObjectOwnership", undefined, {
      shape: sole(mirrored),
      otherwise: ["ObjectWriter"],
      isReported: isRead,
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
