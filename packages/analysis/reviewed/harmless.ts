import {
  analyticsCluster,
  analyticsInstance,
  bucket,
  bucketAcl,
  bucketEncryption,
  bucketVersioning,
  cartsTable,
  deadLetterQueue,
  ordersDatabase,
  publicAccessBlock,
  queue,
  subscription,
  topic,
} from "./estate/aws-data.ts";
import { ACCOUNT } from "./estate/aws-network.ts";
import { alarm, emailsFunction, nightlyRule, shopServer } from "./estate/aws-serving.ts";
import {
  dataKey,
  importVolume,
  logGroup,
  parameter,
  sessionsCache,
  stripeSecret,
} from "./estate/aws-stores.ts";
import { created, planOf, type ReviewedPlan } from "./plan.ts";

/** AWS: new internal resources. */
export const HARMLESS: readonly ReviewedPlan[] = [
  {
    name: "a new queue with its dead-letter queue",
    level: "low",
    why: "Internal only.",
    plan: planOf(
      created("aws_sqs_queue.emails", queue("emails")),
      created("aws_sqs_queue.emails_dlq", deadLetterQueue),
    ),
  },
  {
    name: "a new private bucket",
    level: "low",
    why: "Private, versioned and encrypted.",
    plan: planOf(
      created("aws_s3_bucket.reports", bucket("lumen-reports")),
      created("aws_s3_bucket_acl.reports", bucketAcl("lumen-reports", "private")),
      created("aws_s3_bucket_public_access_block.reports", publicAccessBlock("lumen-reports")),
      created("aws_s3_bucket_versioning.reports", bucketVersioning("lumen-reports", "Enabled")),
      created(
        "aws_s3_bucket_server_side_encryption_configuration.reports",
        bucketEncryption("lumen-reports", "aws:kms"),
      ),
    ),
  },
  {
    name: "a new log group",
    level: "low",
    why: "Keeps logs for 90 days.",
    plan: planOf(created("aws_cloudwatch_log_group.emails", logGroup("/aws/lambda/emails"))),
  },
  {
    name: "new alarms and a dashboard",
    level: "low",
    why: "Better visibility.",
    plan: planOf(
      created("aws_cloudwatch_metric_alarm.errors", alarm("shop-5xx")),
      created("aws_cloudwatch_metric_alarm.latency", {
        ...alarm("shop-latency"),
        metric_name: "TargetResponseTime",
        threshold: 1.5,
      }),
      created("aws_cloudwatch_dashboard.shop", {
        dashboard_name: "shop",
        dashboard_arn: null,
        dashboard_body: '{"widgets":[]}',
      }),
    ),
  },
  {
    name: "a new function that a rule invokes",
    level: "low",
    why: "Uses an existing role.",
    plan: planOf(
      created("aws_lambda_function.report", { ...emailsFunction, function_name: "report" }),
      created("aws_cloudwatch_event_rule.nightly", nightlyRule),
      created("aws_cloudwatch_log_group.report", logGroup("/aws/lambda/report", 30)),
    ),
  },
  {
    name: "a new private database",
    level: "low",
    why: "Private, encrypted, backed up and protected.",
    plan: planOf(created("aws_db_instance.orders", ordersDatabase)),
  },
  {
    name: "a new private Aurora cluster",
    level: "low",
    why: "Private, encrypted, backed up and protected.",
    plan: planOf(
      created("aws_rds_cluster.analytics", analyticsCluster),
      created("aws_rds_cluster_instance.analytics", analyticsInstance),
    ),
  },
  {
    name: "a new table and a cache",
    level: "low",
    why: "Encrypted, with point-in-time recovery.",
    plan: planOf(
      created("aws_dynamodb_table.carts", cartsTable),
      created("aws_elasticache_replication_group.sessions", sessionsCache),
    ),
  },
  {
    name: "a new topic with a subscription",
    level: "low",
    why: "Internal only.",
    plan: planOf(
      created("aws_sns_topic.orders", topic("order-events")),
      created("aws_sns_topic_subscription.emails", subscription),
    ),
  },
  {
    name: "a new key, a secret and a parameter",
    level: "low",
    why: "The key has AWS's default policy.",
    plan: planOf(
      created("aws_kms_key.data", dataKey),
      created("aws_kms_alias.data", {
        id: "alias/shop-data",
        arn: `arn:aws:kms:eu-central-1:${ACCOUNT}:alias/shop-data`,
        name: "alias/shop-data",
      }),
      created("aws_secretsmanager_secret.stripe", stripeSecret),
      created("aws_ssm_parameter.group", parameter("/shop/app-security-group", "String")),
    ),
  },
  {
    name: "a new server and a volume",
    level: "low",
    why: "Private and encrypted, with the existing security group.",
    plan: planOf(created("aws_instance.shop", shopServer), created("aws_ebs_volume.import", importVolume)),
  },
];
