import { analyticsCluster, ordersDatabase } from "./estate/aws-data.ts";
import { certificate, distribution } from "./estate/aws-edge.ts";
import { ACCOUNT, tagged } from "./estate/aws-network.ts";
import { searchDomain, warehouse } from "./estate/aws-stores.ts";
import { permissionSet } from "./holdout-estate/aws-accounts.ts";
import { backupPlan, snapshots } from "./holdout-estate/aws-backups.ts";
import { homes, lifecycle, multipart } from "./holdout-estate/aws-files.ts";
import { cosmetic, routine } from "./holdout-routine.ts";
import { changedBlock, created, type ReviewedPlan, updated } from "./plan.ts";

const NIGHTLY = backupPlan("cron(0 2 * * ? *)", 365);

/** AWS: routine changes of data stores. */
export const HOLDOUT_ROUTINE_AWS: readonly ReviewedPlan[] = [
  cosmetic(
    "tags of a warehouse and a certificate",
    updated("aws_redshift_cluster.warehouse", warehouse, tagged("warehouse", { Owner: "data" })),
    updated("aws_acm_certificate.shop", certificate, tagged("lumen-shop.example", { Owner: "web" })),
  ),
  cosmetic(
    "the comment of a distribution",
    updated("aws_cloudfront_distribution.shop", distribution, { comment: "Shop and blog" }),
  ),
  cosmetic(
    "tags of a permission set",
    updated("aws_ssoadmin_permission_set.developers", permissionSet, tagged("Developers", { Owner: "it" })),
  ),
  routine(
    "maintenance of FSx moves to Sunday",
    "Another window.",
    updated(
      "aws_fsx_windows_file_system.homes",
      { ...homes, weekly_maintenance_start_time: "6:03:00" },
      { weekly_maintenance_start_time: "7:03:00" },
    ),
  ),
  routine(
    "abandoned uploads are removed sooner",
    "Only parts of uploads that never finished.",
    updated(
      "aws_s3_bucket_lifecycle_configuration.invoices",
      lifecycle(multipart),
      lifecycle({ ...multipart, abort_incomplete_multipart_upload: [{ days_after_initiation: 3 }] }),
    ),
  ),
  routine(
    "a file is uploaded to a bucket",
    "A new object.",
    created("aws_s3_object.template", {
      bucket: "lumen-templates",
      key: "mail/confirmation.html",
      acl: null,
      content: "<p>Thank you</p>",
      content_type: "text/html",
      force_destroy: false,
      server_side_encryption: "aws:kms",
    }),
  ),
  routine(
    "backups are also copied to another region",
    "More copies of the same backups.",
    updated(
      "aws_backup_plan.production",
      NIGHTLY,
      changedBlock(NIGHTLY, "rule", {
        copy_action: [
          { destination_vault_arn: `arn:aws:backup:eu-west-1:${ACCOUNT}:backup-vault:dr`, lifecycle: [] },
        ],
      }),
    ),
  ),
  routine(
    "volumes keep more snapshots",
    "Longer retention.",
    updated(
      "aws_dlm_lifecycle_policy.daily",
      snapshots,
      changedBlock(snapshots, "policy_details", {
        schedule: [
          {
            name: "daily",
            create_rule: [{ interval: 24, times: ["02:00"] }],
            retain_rule: [{ count: 30 }],
          },
        ],
      }),
    ),
  ),
  routine(
    "a search domain gets larger disks",
    "More space.",
    updated(
      "aws_opensearch_domain.catalog",
      searchDomain,
      changedBlock(searchDomain, "ebs_options", { volume_size: 200 }),
    ),
  ),
  routine(
    "a warehouse's maintenance moves",
    "Another window.",
    updated(
      "aws_redshift_cluster.warehouse",
      { ...warehouse, preferred_maintenance_window: "sat:03:00-sat:03:30" },
      { preferred_maintenance_window: "sun:03:00-sun:03:30" },
    ),
  ),
  routine(
    "a cluster keeps backups for longer",
    "Longer retention.",
    updated("aws_rds_cluster.analytics", analyticsCluster, { backup_retention_period: 30 }),
  ),
  routine(
    "a database writes Performance Insights for longer",
    "More history of queries.",
    updated(
      "aws_db_instance.orders",
      { ...ordersDatabase, performance_insights_retention_period: 7 },
      { performance_insights_retention_period: 31 },
    ),
  ),
  routine(
    "people are notified of database events",
    "A notification.",
    created("aws_db_event_subscription.orders", {
      name: "orders",
      enabled: true,
      event_categories: ["failover", "maintenance"],
      sns_topic: `arn:aws:sns:eu-central-1:${ACCOUNT}:on-call`,
      source_ids: ["orders"],
      source_type: "db-instance",
      ...tagged("orders"),
    }),
  ),
  routine(
    "a saved query",
    "New text, no data.",
    created("aws_athena_named_query.revenue", {
      name: "revenue",
      database: "sales",
      workgroup: "analysts",
      description: "",
      query: "SELECT day, sum(total) FROM invoices GROUP BY day",
    }),
  ),
  routine(
    "a job gets more workers",
    "Faster, higher cost.",
    updated(
      "aws_glue_job.sales",
      {
        id: "sales",
        arn: `arn:aws:glue:eu-central-1:${ACCOUNT}:job/sales`,
        name: "sales",
        glue_version: "4.0",
        command: [{ name: "glueetl", script_location: "s3://lumen-artifacts/sales.py", python_version: "3" }],
        execution_class: "STANDARD",
        max_retries: 1,
        number_of_workers: 10,
        role_arn: `arn:aws:iam::${ACCOUNT}:role/glue`,
        timeout: 60,
        worker_type: "G.1X",
        ...tagged("sales"),
      },
      { number_of_workers: 20 },
    ),
  ),
];
