import { bucketEncryption } from "./estate/aws-data.ts";
import { distribution } from "./estate/aws-edge.ts";
import { httpsListener } from "./estate/aws-serving.ts";
import { dataKey, importVolume } from "./estate/aws-stores.ts";
import { GROUP, sqlServer, storageAccount } from "./estate/azure.ts";
import { redisCache, webApp } from "./estate/azure-services.ts";
import { ledgerDatabase, ledgerSettings, ledgerWith, PROJECT } from "./estate/google.ts";
import { changedBlock, created, planOf, type ReviewedPlan, updated } from "./plan.ts";

const parameterGroup = (value: string) => ({
  id: "orders-postgres15",
  name: "orders-postgres15",
  family: "postgres15",
  description: "Managed by Terraform",
  parameter: [{ name: "rds.force_ssl", value, apply_method: "immediate" }],
});
const sslPolicy = {
  id: `projects/${PROJECT}/global/sslPolicies/modern`,
  name: "modern",
  project: PROJECT,
  profile: "MODERN",
  min_tls_version: "TLS_1_2",
  custom_features: [],
};

/** Weakened encryption, and keys. */
export const ENCRYPTION: readonly ReviewedPlan[] = [
  {
    name: "a listener accepts TLS 1.0 again",
    level: "high",
    why: "ELBSecurityPolicy-2016-08 allows TLS 1.0 and 1.1.",
    plan: planOf(
      updated("aws_lb_listener.https", httpsListener, { ssl_policy: "ELBSecurityPolicy-2016-08" }),
    ),
  },
  {
    name: "a distribution serves plain HTTP",
    level: "high",
    why: "`allow-all` no longer redirects to HTTPS.",
    plan: planOf(
      updated(
        "aws_cloudfront_distribution.shop",
        distribution,
        changedBlock(distribution, "default_cache_behavior", { viewer_protocol_policy: "allow-all" }),
      ),
    ),
  },
  {
    name: "a database accepts connections without TLS",
    level: "high",
    why: "With `rds.force_ssl` 0, passwords and data may travel unencrypted.",
    plan: planOf(updated("aws_db_parameter_group.orders", parameterGroup("1"), parameterGroup("0"))),
  },
  {
    name: "Google: a database accepts connections without TLS",
    level: "high",
    why: "The ledger would accept unencrypted connections.",
    plan: planOf(
      updated(
        "google_sql_database_instance.ledger",
        ledgerDatabase,
        ledgerWith(
          changedBlock(ledgerSettings, "ip_configuration", { ssl_mode: "ALLOW_UNENCRYPTED_AND_ENCRYPTED" }),
        ),
      ),
    ),
  },
  {
    name: "Google: a load balancer accepts TLS 1.0 again",
    level: "high",
    why: "TLS 1.0 has known weaknesses.",
    plan: planOf(
      updated("google_compute_ssl_policy.modern", sslPolicy, {
        min_tls_version: "TLS_1_0",
        profile: "COMPATIBLE",
      }),
    ),
  },
  {
    name: "Azure: a storage account accepts TLS 1.0 again",
    level: "high",
    why: "TLS 1.0 has known weaknesses.",
    plan: planOf(updated("azurerm_storage_account.invoices", storageAccount, { min_tls_version: "TLS1_0" })),
  },
  {
    name: "Azure: a storage account accepts plain HTTP",
    level: "high",
    why: "Tokens and invoices would travel unencrypted.",
    plan: planOf(
      updated("azurerm_storage_account.invoices", storageAccount, { https_traffic_only_enabled: false }),
    ),
  },
  {
    name: "Azure: a cache accepts connections without TLS",
    level: "high",
    why: "Port 6379 sends keys and sessions unencrypted.",
    plan: planOf(updated("azurerm_redis_cache.sessions", redisCache, { non_ssl_port_enabled: true })),
  },
  {
    name: "Azure: a database server accepts TLS 1.0 again",
    level: "high",
    why: "TLS 1.0 has known weaknesses.",
    plan: planOf(updated("azurerm_mssql_server.shop", sqlServer, { minimum_tls_version: "1.0" })),
  },
  {
    name: "Azure: a web app serves plain HTTP",
    level: "high",
    why: "The shop's sessions would travel unencrypted.",
    plan: planOf(updated("azurerm_linux_web_app.shop", webApp, { https_only: false })),
  },
  {
    name: "a key is disabled",
    level: "high",
    why: "Everything it encrypts is unreadable until the key is enabled again.",
    plan: planOf(updated("aws_kms_key.data", dataKey, { is_enabled: false })),
  },
  {
    name: "key rotation is turned off",
    level: "medium",
    why: "Weaker, but it exposes nothing today.",
    plan: planOf(
      updated("aws_kms_key.data", dataKey, { enable_key_rotation: false, rotation_period_in_days: null }),
    ),
  },
  {
    name: "a bucket switches from a KMS key to S3's own key",
    level: "medium",
    why: "Still encrypted, but we no longer control who can decrypt.",
    plan: planOf(
      updated(
        "aws_s3_bucket_server_side_encryption_configuration.reports",
        bucketEncryption("lumen-reports", "aws:kms"),
        bucketEncryption("lumen-reports", "AES256"),
      ),
    ),
  },
  {
    name: "a new volume without encryption",
    level: "medium",
    why: "Why isn't this volume encrypted like the others?",
    plan: planOf(created("aws_ebs_volume.scratch", { ...importVolume, encrypted: false, kms_key_id: "" })),
  },
  {
    name: "Azure: a management lock is added",
    level: "low",
    why: "Adds protection.",
    plan: planOf(
      created("azurerm_management_lock.group", {
        id: `${GROUP}/providers/Microsoft.Authorization/locks/group`,
        name: "group",
        lock_level: "CanNotDelete",
        scope: GROUP,
        notes: "",
      }),
    ),
  },
];
