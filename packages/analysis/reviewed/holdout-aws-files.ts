import { bucket, KEY_ARN } from "./estate/aws-data.ts";
import { tagged } from "./estate/aws-network.ts";
import {
  cors,
  DENY_PLAIN,
  expire,
  FSX,
  homes,
  lifecycle,
  media,
  mediaPolicy,
  MOUNT,
  mountTarget,
  multipart,
  objectLock,
  ontapVolume,
  replication,
  scratch,
} from "./holdout-estate/aws-files.ts";
import { changedBlock, created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: file systems and the settings of buckets. */
export const HOLDOUT_AWS_FILES: readonly ReviewedPlan[] = [
  {
    name: "an EFS file system moves idle files to cheaper storage sooner",
    level: "low",
    why: "Files stay readable; only the storage class changes.",
    plan: planOf(
      updated(
        "aws_efs_file_system.media",
        media,
        changedBlock(media, "lifecycle_policy", { transition_to_ia: "AFTER_14_DAYS" }),
      ),
    ),
  },
  {
    name: "an EFS file system gets elastic throughput",
    level: "low",
    why: "Changes in place and only costs more.",
    plan: planOf(updated("aws_efs_file_system.media", media, { throughput_mode: "elastic" })),
  },
  {
    name: "backups of an EFS file system are turned off",
    level: "high",
    why: "Nothing protects the files from now on.",
    plan: planOf(
      updated(
        "aws_efs_backup_policy.media",
        {
          id: "fs-0b7a6c5d4e3f21908",
          file_system_id: "fs-0b7a6c5d4e3f21908",
          backup_policy: [{ status: "ENABLED" }],
        },
        { backup_policy: [{ status: "DISABLED" }] },
      ),
    ),
  },
  {
    name: "an EFS policy lets everyone mount, through mount targets only",
    level: "medium",
    why: "Only hosts in the VPC reach a mount target, but it is an access policy.",
    plan: planOf(created("aws_efs_file_system_policy.media", mediaPolicy(MOUNT, DENY_PLAIN))),
  },
  {
    name: "an EFS policy no longer denies unencrypted mounts",
    level: "high",
    why: "Clients may read and write files in plain text.",
    plan: planOf(
      updated("aws_efs_file_system_policy.media", mediaPolicy(MOUNT, DENY_PLAIN), mediaPolicy(MOUNT)),
    ),
  },
  {
    name: "a mount target of EFS is removed",
    level: "high",
    why: "Every client in that zone loses its mount.",
    plan: planOf(destroyed("aws_efs_mount_target.media_b", mountTarget)),
  },
  {
    name: "automatic backups of FSx for Windows are turned off",
    level: "high",
    why: "Zero days of retention deletes and stops the automatic backups.",
    plan: planOf(updated("aws_fsx_windows_file_system.homes", homes, { automatic_backup_retention_days: 0 })),
  },
  {
    name: "FSx for Lustre grows",
    level: "low",
    why: "More space, in place.",
    plan: planOf(updated("aws_fsx_lustre_file_system.training", scratch, { storage_capacity: 2400 })),
  },
  {
    name: "an ONTAP volume is deleted",
    level: "critical",
    why: "The volume's files are lost.",
    plan: planOf(destroyed("aws_fsx_ontap_volume.claims", ontapVolume)),
  },
  {
    name: "an FSx backup is deleted",
    level: "critical",
    why: "A backup can't be recreated.",
    plan: planOf(
      destroyed("aws_fsx_backup.homes_before_migration", {
        id: "backup-0e1f2a3b4c5d67890",
        arn: `${FSX}:backup/backup-0e1f2a3b4c5d67890`,
        file_system_id: "fs-0123f4e5d6c7b8a90",
        volume_id: null,
        kms_key_id: KEY_ARN,
        type: "USER_INITIATED",
        ...tagged("homes-before-migration"),
      }),
    ),
  },
  {
    name: "every object of a bucket expires after 30 days",
    level: "high",
    why: "S3 deletes every invoice older than 30 days by tomorrow.",
    plan: planOf(
      updated(
        "aws_s3_bucket_lifecycle_configuration.invoices",
        lifecycle(multipart),
        lifecycle(multipart, expire("", 30)),
      ),
    ),
  },
  {
    name: "temporary objects of a bucket expire after 7 days",
    level: "low",
    why: "Only objects below tmp/ expire.",
    plan: planOf(
      updated(
        "aws_s3_bucket_lifecycle_configuration.invoices",
        lifecycle(multipart),
        lifecycle(multipart, expire("tmp/", 7)),
      ),
    ),
  },
  {
    name: "object lock is weakened",
    level: "high",
    why: "Invoices can be deleted after 30 days, and administrators can bypass the lock.",
    plan: planOf(
      updated(
        "aws_s3_bucket_object_lock_configuration.invoices",
        objectLock("COMPLIANCE", 3650),
        objectLock("GOVERNANCE", 30),
      ),
    ),
  },
  {
    name: "replication to the recovery region ends",
    level: "high",
    why: "New invoices exist in one region only.",
    plan: planOf(destroyed("aws_s3_bucket_replication_configuration.invoices", replication)),
  },
  {
    name: "a bucket gets a website configuration",
    level: "low",
    why: "Grants no access by itself; the bucket's policy and access block decide.",
    plan: planOf(
      created("aws_s3_bucket_website_configuration.docs", {
        bucket: "lumen-docs",
        expected_bucket_owner: null,
        index_document: [{ suffix: "index.html" }],
        error_document: [{ key: "404.html" }],
        redirect_all_requests_to: [],
        id: "lumen-docs",
      }),
    ),
  },
  {
    name: "a bucket allows any origin to read across sites",
    level: "medium",
    why: "A person should check that no page relies on the origin check.",
    plan: planOf(
      updated("aws_s3_bucket_cors_configuration.assets", cors("https://www.lumen-shop.example"), cors("*")),
    ),
  },
  {
    name: "server access logging of a bucket ends",
    level: "high",
    why: "Nobody can reconstruct who read the invoices.",
    plan: planOf(
      destroyed("aws_s3_bucket_logging.invoices", {
        id: "lumen-invoices",
        bucket: "lumen-invoices",
        expected_bucket_owner: "",
        target_bucket: "lumen-audit-logs",
        target_prefix: "s3/invoices/",
        target_grant: [],
        target_object_key_format: [],
      }),
    ),
  },
  {
    name: "a new private bucket with intelligent tiering",
    level: "low",
    why: "New, empty and private.",
    plan: planOf(
      created("aws_s3_bucket.exports", bucket("lumen-exports")),
      created("aws_s3_bucket_intelligent_tiering_configuration.exports", {
        bucket: "lumen-exports",
        name: "all",
        status: "Enabled",
        filter: [],
        tiering: [{ access_tier: "ARCHIVE_ACCESS", days: 125 }],
        id: "lumen-exports:all",
      }),
    ),
  },
];
