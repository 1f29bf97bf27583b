import { ACCOUNT, tagged } from "./estate/aws-network.ts";
import {
  amiPermission,
  backupPlan,
  snapshots,
  VAULT_ARN,
  vaultPolicy,
} from "./holdout-estate/aws-backups.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: backups, snapshots and images. */
export const HOLDOUT_AWS_BACKUPS: readonly ReviewedPlan[] = [
  {
    name: "the lock of a backup vault is removed",
    level: "high",
    why: "Whoever holds an administrator's key may delete the backups.",
    plan: planOf(
      destroyed("aws_backup_vault_lock_configuration.production", {
        id: "production",
        backup_vault_name: "production",
        backup_vault_arn: VAULT_ARN,
        changeable_for_days: null,
        min_retention_days: 30,
        max_retention_days: 400,
      }),
    ),
  },
  {
    name: "the policy that forbids deleting backups is removed",
    level: "high",
    why: "The policy held the only Deny against deleting recovery points.",
    plan: planOf(
      destroyed(
        "aws_backup_vault_policy.production",
        vaultPolicy({
          Effect: "Deny",
          Principal: "*",
          Action: ["backup:DeleteRecoveryPoint", "backup:UpdateRecoveryPointLifecycle"],
          Resource: "*",
        }),
      ),
    ),
  },
  {
    name: "accounts of the organization may copy backups into a vault",
    level: "medium",
    why: "An access policy, limited to the organization.",
    plan: planOf(
      created(
        "aws_backup_vault_policy.production",
        vaultPolicy({
          Principal: "*",
          Action: "backup:CopyIntoBackupVault",
          Resource: "*",
          Condition: { StringEquals: { "aws:PrincipalOrgID": "o-7x2k9q4m1p" } },
        }),
      ),
    ),
  },
  {
    name: "the selection of a backup plan is removed",
    level: "high",
    why: "The plan no longer backs up anything.",
    plan: planOf(
      destroyed("aws_backup_selection.production", {
        id: "0e1d2c3b-4a5f-4678-9a0b-1c2d3e4f5a6b",
        name: "production",
        plan_id: "6f1d2c3b-4a59-4e87-b6c5-d4e3f2a1b0c9",
        iam_role_arn: `arn:aws:iam::${ACCOUNT}:role/backup`,
        resources: [],
        not_resources: [],
        condition: [],
        selection_tag: [{ type: "STRINGEQUALS", key: "Backup", value: "daily" }],
      }),
    ),
  },
  {
    name: "a backup plan runs an hour later",
    level: "low",
    why: "The same backups at another time.",
    plan: planOf(
      updated(
        "aws_backup_plan.production",
        backupPlan("cron(0 2 * * ? *)", 365),
        backupPlan("cron(0 3 * * ? *)", 365),
      ),
    ),
  },
  {
    name: "a backup plan keeps backups for 35 days instead of a year",
    level: "medium",
    why: "A person should confirm the shorter retention; existing backups keep theirs.",
    plan: planOf(
      updated(
        "aws_backup_plan.production",
        backupPlan("cron(0 2 * * ? *)", 365),
        backupPlan("cron(0 2 * * ? *)", 35),
      ),
    ),
  },
  {
    name: "a snapshot lifecycle policy is disabled",
    level: "high",
    why: "No snapshots of volumes from now on.",
    plan: planOf(updated("aws_dlm_lifecycle_policy.daily", snapshots, { state: "DISABLED" })),
  },
  {
    name: "EBS volumes are no longer encrypted by default",
    level: "high",
    why: "New volumes of the region may be unencrypted.",
    plan: planOf(
      updated(
        "aws_ebs_encryption_by_default.this",
        { id: "terraform-20260301", enabled: true },
        { enabled: false },
      ),
    ),
  },
  {
    name: "snapshots may be shared with the public again",
    level: "high",
    why: "The guard against public snapshots is gone; no snapshot is public yet.",
    plan: planOf(
      updated(
        "aws_ebs_snapshot_block_public_access.this",
        { id: "eu-central-1", state: "block-all-sharing" },
        { state: "unblocked" },
      ),
    ),
  },
  {
    name: "a volume snapshot is shared with another account",
    level: "high",
    why: "Another account can copy the whole volume; block until its owner is known.",
    plan: planOf(
      created("aws_snapshot_create_volume_permission.partner", {
        id: "snap-0b1c2d3e4f5a67890-715520063413",
        snapshot_id: "snap-0b1c2d3e4f5a67890",
        account_id: "715520063413",
      }),
    ),
  },
  {
    name: "a machine image is made public",
    level: "critical",
    why: "Anyone can launch the image and read its disk.",
    plan: planOf(created("aws_ami_launch_permission.shop", amiPermission({ group: "all" }))),
  },
  {
    name: "a machine image is shared with the organization",
    level: "medium",
    why: "Accounts of the organization may launch it.",
    plan: planOf(
      created(
        "aws_ami_launch_permission.shop",
        amiPermission({ organization_arn: `arn:aws:organizations::${ACCOUNT}:organization/o-7x2k9q4m1p` }),
      ),
    ),
  },
  {
    name: "an old unused image is deregistered",
    level: "critical",
    why: "An image is a store of its own; the plan can't show that nothing launches it.",
    plan: planOf(
      destroyed("aws_ami_copy.shop_dr", {
        id: "ami-0f0e0d0c0b0a09080",
        arn: "arn:aws:ec2:eu-central-1::image/ami-0f0e0d0c0b0a09080",
        name: "shop-2026-02",
        source_ami_id: "ami-0a1b2c3d4e5f67890",
        source_ami_region: "eu-west-1",
        encrypted: true,
        architecture: "x86_64",
        root_snapshot_id: "snap-0c1d2e3f4a5b67890",
        ...tagged("shop-2026-02"),
      }),
    ),
  },
];
