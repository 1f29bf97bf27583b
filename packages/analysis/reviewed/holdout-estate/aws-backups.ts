import type { JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, tagged } from "../estate/aws-network.ts";
import { policyDocument } from "../plan.ts";

const BACKUP = `arn:aws:backup:eu-central-1:${ACCOUNT}`;
export const VAULT_ARN = `${BACKUP}:backup-vault:production`;
export const vaultPolicy = (...statements: JsonObject[]): JsonObject => ({
  id: "production",
  backup_vault_name: "production",
  backup_vault_arn: VAULT_ARN,
  policy: policyDocument(...statements),
});
export const backupPlan = (schedule: string, delete_after: number): JsonObject => ({
  id: "6f1d2c3b-4a59-4e87-b6c5-d4e3f2a1b0c9",
  arn: `${BACKUP}:backup-plan:6f1d2c3b-4a59-4e87-b6c5-d4e3f2a1b0c9`,
  name: "production",
  version: "YzQ2ZjE4ZmEtOTM0",
  advanced_backup_setting: [],
  rule: [
    {
      rule_name: "daily",
      target_vault_name: "production",
      schedule,
      start_window: 60,
      completion_window: 480,
      enable_continuous_backup: false,
      lifecycle: [{ cold_storage_after: 0, delete_after }],
      copy_action: [],
    },
  ],
  ...tagged("production"),
});
export const snapshots: JsonObject = {
  id: "policy-0a1b2c3d4e5f67890",
  arn: `arn:aws:dlm:eu-central-1:${ACCOUNT}:policy/policy-0a1b2c3d4e5f67890`,
  description: "Daily snapshots",
  execution_role_arn: `arn:aws:iam::${ACCOUNT}:role/dlm`,
  state: "ENABLED",
  policy_details: [
    {
      policy_type: "EBS_SNAPSHOT_MANAGEMENT",
      resource_types: ["VOLUME"],
      target_tags: { Snapshot: "daily" },
      schedule: [
        { name: "daily", create_rule: [{ interval: 24, times: ["02:00"] }], retain_rule: [{ count: 14 }] },
      ],
    },
  ],
  ...tagged("daily"),
};
export const amiPermission = (more: JsonObject): JsonObject => ({
  id: "ami-0a1b2c3d4e5f67890-launch",
  image_id: "ami-0a1b2c3d4e5f67890",
  account_id: null,
  group: null,
  organization_arn: null,
  organizational_unit_arn: null,
  ...more,
});
