import { analyticsCluster, KEY_ARN } from "./estate/aws-data.ts";
import { docdbParameters, proxy, RDS } from "./holdout-estate/aws-databases.ts";
import { destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: databases, their parameters and proxies. */
export const HOLDOUT_AWS_DATABASES: readonly ReviewedPlan[] = [
  {
    name: "a DocumentDB cluster no longer requires TLS",
    level: "high",
    why: "Clients connect in plain text after the next restart.",
    plan: planOf(
      updated(
        "aws_docdb_cluster_parameter_group.profiles",
        docdbParameters("enabled", "enabled", "disabled"),
        docdbParameters("disabled", "enabled", "disabled"),
      ),
    ),
  },
  {
    name: "a DocumentDB cluster no longer writes audit logs",
    level: "high",
    why: "Logins and schema changes are no longer recorded.",
    plan: planOf(
      updated(
        "aws_docdb_cluster_parameter_group.profiles",
        docdbParameters("enabled", "enabled", "disabled"),
        docdbParameters("enabled", "disabled", "disabled"),
      ),
    ),
  },
  {
    name: "a DocumentDB cluster logs slow queries",
    level: "low",
    why: "Only logs more.",
    plan: planOf(
      updated(
        "aws_docdb_cluster_parameter_group.profiles",
        docdbParameters("enabled", "enabled", "disabled"),
        docdbParameters("enabled", "enabled", "enabled"),
      ),
    ),
  },
  {
    name: "a DocumentDB snapshot is deleted",
    level: "critical",
    why: "The backup is lost.",
    plan: planOf(
      destroyed("aws_docdb_cluster_snapshot.before_migration", {
        id: "profiles-before-migration",
        db_cluster_identifier: "profiles",
        db_cluster_snapshot_identifier: "profiles-before-migration",
        db_cluster_snapshot_arn: `${RDS}:cluster-snapshot:profiles-before-migration`,
        engine: "docdb",
        engine_version: "5.0.0",
        kms_key_id: KEY_ARN,
        status: "available",
        storage_encrypted: true,
      }),
    ),
  },
  {
    name: "a database proxy no longer requires TLS",
    level: "high",
    why: "Clients may send credentials and data in plain text.",
    plan: planOf(updated("aws_db_proxy.orders", proxy, { require_tls: false })),
  },
  {
    name: "a database proxy closes idle connections sooner",
    level: "low",
    why: "Tuning, in place.",
    plan: planOf(updated("aws_db_proxy.orders", proxy, { idle_client_timeout: 900 })),
  },
  {
    name: "replication of automated backups to another region ends",
    level: "high",
    why: "A regional outage would leave no backup.",
    plan: planOf(
      destroyed("aws_db_instance_automated_backups_replication.orders", {
        id: "arn:aws:rds:eu-west-1:492801736650:auto-backup:ab-7c1d9b52",
        source_db_instance_arn: `${RDS}:db:orders`,
        kms_key_id: "arn:aws:kms:eu-west-1:492801736650:key/1f2e3d4c",
        retention_period: 14,
        pre_signed_url: null,
      }),
    ),
  },
  {
    name: "a Neptune cluster no longer authenticates with IAM",
    level: "high",
    why: "Any host that reaches the port can query without credentials.",
    plan: planOf(
      updated(
        "aws_neptune_cluster.graph",
        { ...analyticsCluster, engine: "neptune", cluster_identifier: "graph", id: "graph" },
        { iam_database_authentication_enabled: false },
      ),
    ),
  },
];
