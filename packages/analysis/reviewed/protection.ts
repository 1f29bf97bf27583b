import { bucketVersioning, cartsTable, ordersDatabase } from "./estate/aws-data.ts";
import { loadBalancer } from "./estate/aws-serving.ts";
import { ACCOUNT } from "./estate/aws-network.ts";
import { GROUP, storageAccount } from "./estate/azure.ts";
import { ledgerDatabase, ledgerSettings, ledgerWith, PROJECT, storageBucket } from "./estate/google.ts";
import { changedBlock, created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

const INVOICES = "lumen-customer-invoices";
const lifecycle = (days: number, prefix = "") => ({
  id: INVOICES,
  bucket: INVOICES,
  expected_bucket_owner: "",
  rule: [
    {
      id: "expire",
      status: "Enabled",
      filter: [{ prefix }],
      expiration: [{ days, date: null, expired_object_delete_marker: false }],
      transition: [],
      noncurrent_version_expiration: [{ noncurrent_days: days }],
    },
  ],
});
const backupPlan = {
  id: "1a2b3c4d-5e6f-7081-92a3-b4c5d6e7f809",
  arn: `arn:aws:backup:eu-central-1:${ACCOUNT}:backup-plan:1a2b3c4d-5e6f-7081-92a3-b4c5d6e7f809`,
  name: "daily",
  rule: [
    {
      rule_name: "daily",
      schedule: "cron(0 3 * * ? *)",
      target_vault_name: "production",
      lifecycle: [{ delete_after: 35 }],
    },
  ],
};
const vaultLock = {
  id: "production",
  backup_vault_arn: `arn:aws:backup:eu-central-1:${ACCOUNT}:backup-vault:production`,
  backup_vault_name: "production",
  changeable_for_days: null,
  max_retention_days: 400,
  min_retention_days: 30,
};
const lock = {
  id: `${GROUP}/providers/Microsoft.Authorization/locks/production`,
  name: "production",
  lock_level: "CanNotDelete",
  notes: "",
  scope: GROUP,
};
const protectedMachine = {
  id: `${GROUP}/providers/Microsoft.RecoveryServices/vaults/shop/backupFabrics/Azure/protectedItems/worker-1`,
  resource_group_name: "shop-prod",
  recovery_vault_name: "shop",
  source_vm_id: `${GROUP}/providers/Microsoft.Compute/virtualMachines/worker-1`,
  backup_policy_id: `${GROUP}/providers/Microsoft.RecoveryServices/vaults/shop/backupPolicies/daily`,
  protection_state: "Protected",
};
const salesTable = {
  id: `projects/${PROJECT}/datasets/sales/tables/orders`,
  project: PROJECT,
  dataset_id: "sales",
  table_id: "orders",
  deletion_protection: true,
  schema: "[]",
};

/** Protection against losing data. */
export const PROTECTION: readonly ReviewedPlan[] = [
  {
    name: "a database loses its deletion protection",
    level: "high",
    why: "The next mistake could delete it.",
    plan: planOf(updated("aws_db_instance.orders", ordersDatabase, { deletion_protection: false })),
  },
  {
    name: "a database loses its backups",
    level: "high",
    why: "0 days turns backups off and deletes existing ones.",
    plan: planOf(updated("aws_db_instance.orders", ordersDatabase, { backup_retention_period: 0 })),
  },
  {
    name: "a database keeps its backups for less time",
    level: "medium",
    why: "30 days become 7; check the retention policy.",
    plan: planOf(updated("aws_db_instance.orders", ordersDatabase, { backup_retention_period: 7 })),
  },
  {
    name: "a table loses point-in-time recovery",
    level: "high",
    why: "Accidental deletions could no longer be undone.",
    plan: planOf(
      updated("aws_dynamodb_table.carts", cartsTable, { point_in_time_recovery: [{ enabled: false }] }),
    ),
  },
  {
    name: "a bucket's versioning is suspended",
    level: "high",
    why: "Overwritten and deleted objects would be lost.",
    plan: planOf(
      updated(
        "aws_s3_bucket_versioning.invoices",
        bucketVersioning(INVOICES, "Enabled"),
        bucketVersioning(INVOICES, "Suspended"),
      ),
    ),
  },
  {
    name: "a bucket expires everything after a day",
    level: "high",
    why: "The rule has no prefix: S3 would delete all invoices by tomorrow.",
    plan: planOf(created("aws_s3_bucket_lifecycle_configuration.invoices", lifecycle(1))),
  },
  {
    name: "the backup plan is deleted",
    level: "high",
    why: "There would be no more backups.",
    plan: planOf(destroyed("aws_backup_plan.daily", backupPlan)),
  },
  {
    name: "the backup vault's lock is deleted",
    level: "high",
    why: "An intruder could then delete the backups too.",
    plan: planOf(destroyed("aws_backup_vault_lock_configuration.production", vaultLock)),
  },
  {
    name: "a load balancer loses its deletion protection",
    level: "medium",
    why: "It holds no data, but it could be deleted by mistake.",
    plan: planOf(updated("aws_lb.shop", loadBalancer, { enable_deletion_protection: false })),
  },
  {
    name: "Google: a database loses its deletion protection",
    level: "high",
    why: "The next mistake could delete it.",
    plan: planOf(
      updated("google_sql_database_instance.ledger", ledgerDatabase, { deletion_protection: false }),
    ),
  },
  {
    name: "Google: a database loses its backups",
    level: "high",
    why: "No backups and no point-in-time recovery.",
    plan: planOf(
      updated(
        "google_sql_database_instance.ledger",
        ledgerDatabase,
        ledgerWith(
          changedBlock(ledgerSettings, "backup_configuration", {
            enabled: false,
            point_in_time_recovery_enabled: false,
          }),
        ),
      ),
    ),
  },
  {
    name: "Google: a bucket gets force_destroy",
    level: "high",
    why: "`force_destroy` lets one deletion take all objects with it.",
    plan: planOf(updated("google_storage_bucket.invoices", storageBucket(INVOICES), { force_destroy: true })),
  },
  {
    name: "Google: a bucket's versioning is turned off",
    level: "high",
    why: "Overwritten and deleted objects would be lost.",
    plan: planOf(
      updated("google_storage_bucket.invoices", storageBucket(INVOICES), {
        versioning: [{ enabled: false }],
      }),
    ),
  },
  {
    name: "Google: a table loses its deletion protection",
    level: "high",
    why: "The next mistake could delete it.",
    plan: planOf(updated("google_bigquery_table.orders", salesTable, { deletion_protection: false })),
  },
  {
    name: "Azure: production's management lock is deleted",
    level: "high",
    why: "The lock keeps the resource group from being deleted.",
    plan: planOf(destroyed("azurerm_management_lock.production", lock)),
  },
  {
    name: "Azure: a machine's backup protection is deleted",
    level: "critical",
    why: "The provider deletes the machine's recovery points with it.",
    plan: planOf(destroyed("azurerm_backup_protected_vm.worker", protectedMachine)),
  },
  {
    name: "Azure: a storage account loses soft delete and versioning",
    level: "high",
    why: "Accidental deletions could no longer be undone.",
    plan: planOf(
      updated(
        "azurerm_storage_account.invoices",
        storageAccount,
        changedBlock(storageAccount, "blob_properties", {
          delete_retention_policy: [],
          versioning_enabled: false,
        }),
      ),
    ),
  },
];
