import { bucketVersioning, ordersDatabase, publicAccessBlock } from "./estate/aws-data.ts";
import { distribution } from "./estate/aws-edge.ts";
import { ACCOUNT } from "./estate/aws-network.ts";
import {
  alarm,
  checkoutService,
  emailsFunction,
  httpsListener,
  launchTemplate,
  nightlyRule,
  scalingGroup,
} from "./estate/aws-serving.ts";
import { dataKey, importVolume, logGroup } from "./estate/aws-stores.ts";
import { changedBlock, created, forgotten, planOf, type ReviewedPlan, updated } from "./plan.ts";

const REPORTS = "lumen-reports";
const dashboard = {
  id: "shop",
  dashboard_name: "shop",
  dashboard_arn: `arn:aws:cloudwatch::${ACCOUNT}:dashboard/shop`,
  dashboard_body: '{"widgets":[]}',
};
const toInfrequentAccess = {
  id: REPORTS,
  bucket: REPORTS,
  expected_bucket_owner: "",
  rule: [
    {
      id: "archive",
      status: "Enabled",
      filter: [{ prefix: "" }],
      expiration: [],
      transition: [{ days: 60, storage_class: "STANDARD_IA" }],
    },
  ],
};

/** AWS: updates without risk, and improvements. */
export const HARMLESS_UPDATES: readonly ReviewedPlan[] = [
  {
    name: "an alarm is removed from the state",
    level: "low",
    why: "The alarm stays in the account, unmanaged.",
    plan: planOf(forgotten("aws_cloudwatch_metric_alarm.old", alarm("old-5xx"))),
  },
  {
    name: "a database is removed from the state",
    level: "medium",
    why: "The database stays, unmanaged: who takes it over?",
    plan: planOf(forgotten("aws_db_instance.orders", ordersDatabase)),
  },
  {
    name: "a service gets more tasks",
    level: "low",
    why: "4 become 8.",
    plan: planOf(updated("aws_ecs_service.checkout", checkoutService, { desired_count: 8 })),
  },
  {
    name: "a group of servers grows",
    level: "low",
    why: "More room for Black Friday.",
    plan: planOf(updated("aws_autoscaling_group.shop", scalingGroup, { max_size: 40, desired_capacity: 10 })),
  },
  {
    name: "new code for a function",
    level: "low",
    why: "A release.",
    plan: planOf(
      updated(
        "aws_lambda_function.emails",
        emailsFunction,
        { s3_key: "emails/1.19.0.zip", source_code_hash: "hV2bW1v9sX7yq0kR3nE5mD8cL4aT6fJ1pU0zG2iH9oQ=" },
        ["last_modified"],
      ),
    ),
  },
  {
    name: "a function's memory and settings",
    level: "low",
    why: "More memory and fewer log lines.",
    plan: planOf(
      updated("aws_lambda_function.emails", emailsFunction, {
        memory_size: 512,
        environment: [{ variables: { SENDER: "orders@lumen-shop.example", LOG_LEVEL: "warn" } }],
      }),
    ),
  },
  {
    name: "a launch template gets another image",
    level: "low",
    why: "Only new servers use it.",
    plan: planOf(
      updated("aws_launch_template.shop", launchTemplate, { image_id: "ami-0f9e8d7c6b5a43210" }, [
        "latest_version",
      ]),
    ),
  },
  {
    name: "a database gets more storage",
    level: "low",
    why: "Grows while it runs.",
    plan: planOf(updated("aws_db_instance.orders", ordersDatabase, { allocated_storage: 300 })),
  },
  {
    name: "a volume grows",
    level: "low",
    why: "Grows while it is in use.",
    plan: planOf(updated("aws_ebs_volume.import", importVolume, { size: 200 })),
  },
  {
    name: "a database gets deletion protection and longer backups",
    level: "low",
    why: "Better than before.",
    plan: planOf(
      updated(
        "aws_db_instance.orders",
        { ...ordersDatabase, deletion_protection: false, backup_retention_period: 1 },
        { deletion_protection: true, backup_retention_period: 30 },
      ),
    ),
  },
  {
    name: "a bucket gets a public access block and versioning",
    level: "low",
    why: "Better than before.",
    plan: planOf(
      updated(
        "aws_s3_bucket_public_access_block.reports",
        publicAccessBlock(REPORTS, false),
        publicAccessBlock(REPORTS),
      ),
      updated(
        "aws_s3_bucket_versioning.reports",
        bucketVersioning(REPORTS, "Suspended"),
        bucketVersioning(REPORTS, "Enabled"),
      ),
    ),
  },
  {
    name: "a bucket moves old reports to cheaper storage",
    level: "low",
    why: "Nothing is deleted.",
    plan: planOf(created("aws_s3_bucket_lifecycle_configuration.reports", toInfrequentAccess)),
  },
  {
    name: "a listener requires newer TLS",
    level: "low",
    why: "Better than before.",
    plan: planOf(
      updated(
        "aws_lb_listener.https",
        { ...httpsListener, ssl_policy: "ELBSecurityPolicy-2016-08" },
        { ssl_policy: "ELBSecurityPolicy-TLS13-1-2-2021-06" },
      ),
    ),
  },
  {
    name: "key rotation is turned on",
    level: "low",
    why: "Better than before.",
    plan: planOf(
      updated("aws_kms_key.data", { ...dataKey, enable_key_rotation: false }, { enable_key_rotation: true }),
    ),
  },
  {
    name: "a rule runs at another hour",
    level: "low",
    why: "02:15 becomes 03:45.",
    plan: planOf(
      updated("aws_cloudwatch_event_rule.nightly", nightlyRule, {
        schedule_expression: "cron(45 3 * * ? *)",
      }),
    ),
  },
  {
    name: "a dashboard and an alarm's threshold",
    level: "low",
    why: "The alarm fires a little later.",
    plan: planOf(
      updated("aws_cloudwatch_dashboard.shop", dashboard, {
        dashboard_body: '{"widgets":[{"type":"metric"}]}',
      }),
      updated("aws_cloudwatch_metric_alarm.errors", alarm("shop-5xx"), { threshold: 20 }),
    ),
  },
  {
    name: "a distribution caches for longer",
    level: "low",
    why: "Old content may stay for a day.",
    plan: planOf(
      updated(
        "aws_cloudfront_distribution.shop",
        distribution,
        changedBlock(distribution, "default_cache_behavior", { default_ttl: 86400 }),
      ),
    ),
  },
  {
    name: "logs are kept for longer",
    level: "low",
    why: "90 days become a year.",
    plan: planOf(updated("aws_cloudwatch_log_group.shop", logGroup("/ecs/shop"), { retention_in_days: 365 })),
  },
];
