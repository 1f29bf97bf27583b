import { bucket, KEY_ARN, queue, subscription } from "./estate/aws-data.ts";
import { certificate, cluster, distribution, dnsRecord } from "./estate/aws-edge.ts";
import { ACCOUNT, flowLog, tagged } from "./estate/aws-network.ts";
import { emailsFunction, nightlySchedule, scalingGroup } from "./estate/aws-serving.ts";
import { parameter, repository, stripeSecret } from "./estate/aws-stores.ts";
import { routine } from "./holdout-routine.ts";
import { created, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: routine changes of functions, deliveries and controls. */
export const HOLDOUT_ROUTINE_AWS_SERVING: readonly ReviewedPlan[] = [
  routine(
    "table metrics are collected",
    "Metrics only.",
    created("aws_dynamodb_contributor_insights.carts", {
      table_name: "carts",
      index_name: null,
      mode: "ACCESSED_AND_THROTTLED_KEYS",
    }),
  ),
  routine(
    "a release goes live through an alias",
    "A deployment; the old version stays.",
    updated(
      "aws_lambda_alias.live",
      {
        id: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:emails:live`,
        arn: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:emails:live`,
        name: "live",
        description: "",
        function_name: "emails",
        function_version: "41",
        routing_config: [],
      },
      { function_version: "42" },
    ),
  ),
  routine(
    "a function gets a newer runtime",
    "A deployment.",
    updated("aws_lambda_function.emails", emailsFunction, { runtime: "nodejs22.x" }),
  ),
  routine(
    "a function retries less often",
    "Tuning of asynchronous calls.",
    updated(
      "aws_lambda_function_event_invoke_config.emails",
      {
        id: "emails",
        function_name: "emails",
        qualifier: "",
        destination_config: [],
        maximum_event_age_in_seconds: 21600,
        maximum_retry_attempts: 2,
      },
      { maximum_retry_attempts: 1 },
    ),
  ),
  routine(
    "a secret is replicated to another region",
    "The same secret, encrypted there too.",
    updated("aws_secretsmanager_secret.stripe", stripeSecret, {
      replica: [{ region: "eu-west-1", kms_key_id: "alias/aws/secretsmanager", status: "InSync" }],
    }),
  ),
  routine(
    "a plain parameter changes",
    "A setting of the application.",
    updated("aws_ssm_parameter.banner", parameter("/shop/banner", "String"), {
      value: "Free shipping this week",
      insecure_value: "Free shipping this week",
    }),
  ),
  routine(
    "a queue polls for longer",
    "Fewer empty requests.",
    updated("aws_sqs_queue.emails", queue("emails", { receive_wait_time_seconds: 0 }), {
      receive_wait_time_seconds: 20,
    }),
  ),
  routine(
    "a queue of the account subscribes to a topic",
    "New, inside the account.",
    created("aws_sns_topic_subscription.invoices", {
      ...subscription,
      endpoint: `arn:aws:sqs:eu-central-1:${ACCOUNT}:invoices`,
    }),
  ),
  routine(
    "failed events go to a dead-letter queue",
    "Safer than before.",
    updated(
      "aws_cloudwatch_event_target.ledger",
      {
        id: "orders-ledger",
        rule: "orders",
        target_id: "ledger",
        arn: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:ledger`,
        event_bus_name: "orders",
        dead_letter_config: [],
        retry_policy: [],
      },
      { dead_letter_config: [{ arn: `arn:aws:sqs:eu-central-1:${ACCOUNT}:ledger-dead` }] },
    ),
  ),
  routine(
    "a cleanup runs twice a day",
    "The same job more often.",
    updated("aws_scheduler_schedule.cleanup", nightlySchedule, { schedule_expression: "rate(12 hours)" }),
  ),
  routine(
    "a key gets an alias",
    "Another name.",
    created("aws_kms_alias.data", { name: "alias/shop-data", name_prefix: "", target_key_id: KEY_ARN }),
  ),
  routine(
    "a stage of an API is traced",
    "Traces only.",
    updated(
      "aws_api_gateway_stage.live",
      {
        id: "ags-a1b2c3d4e5-live",
        arn: "arn:aws:apigateway:eu-central-1::/restapis/a1b2c3d4e5/stages/live",
        rest_api_id: "a1b2c3d4e5",
        stage_name: "live",
        deployment_id: "q1w2e3",
        access_log_settings: [{ destination_arn: `arn:aws:logs:eu-central-1:${ACCOUNT}:log-group:api` }],
        cache_cluster_enabled: false,
        variables: {},
        xray_tracing_enabled: false,
        ...tagged("live"),
      },
      { xray_tracing_enabled: true },
    ),
  ),
  routine(
    "a distribution reaches more edge locations",
    "Faster far away, higher cost.",
    updated("aws_cloudfront_distribution.shop", distribution, { price_class: "PriceClass_All" }),
  ),
  routine(
    "resolvers ask for a record more often",
    "Only the time to live changes.",
    updated("aws_route53_record.www", dnsRecord("www.lumen-shop.example", "A", ["198.51.100.24"]), {
      ttl: 60,
    }),
  ),
  routine(
    "a certificate for a new name",
    "New, and nothing uses it yet.",
    created("aws_acm_certificate.blog", { ...certificate, domain_name: "blog.lumen-shop.example" }),
  ),
  routine("a network gets flow logs", "More records.", created("aws_flow_log.production", flowLog)),
  routine(
    "a group of servers may grow further",
    "More capacity at peaks.",
    updated("aws_autoscaling_group.shop", scalingGroup, { max_size: 30 }),
  ),
  routine(
    "an add-on of a cluster is upgraded",
    "A minor release.",
    updated(
      "aws_eks_addon.coredns",
      {
        id: "production:coredns",
        arn: `arn:aws:eks:eu-central-1:${ACCOUNT}:addon/production/coredns/a0`,
        cluster_name: cluster["name"] ?? null,
        addon_name: "coredns",
        addon_version: "v1.11.1-eksbuild.9",
        configuration_values: "",
        resolve_conflicts_on_update: "PRESERVE",
        service_account_role_arn: "",
        ...tagged("coredns"),
      },
      { addon_version: "v1.11.3-eksbuild.1" },
    ),
  ),
  routine(
    "images are scanned when pushed",
    "Safer than before.",
    updated(
      "aws_ecr_repository.checkout",
      { ...repository("checkout"), image_scanning_configuration: [{ scan_on_push: false }] },
      { image_scanning_configuration: [{ scan_on_push: true }] },
    ),
  ),
  routine(
    "a control is checked",
    "Another check.",
    created("aws_config_config_rule.public_buckets", {
      name: "public-buckets",
      input_parameters: null,
      source: [{ owner: "AWS", source_identifier: "S3_BUCKET_PUBLIC_READ_PROHIBITED", source_detail: [] }],
      scope: [],
      ...tagged("public-buckets"),
    }),
  ),
  routine(
    "GuardDuty also watches clusters",
    "More detection.",
    updated(
      "aws_guardduty_detector_feature.eks",
      {
        id: "b4c8e1f2d5a6470f9c3b8e7d6a5f4c21/EKS_AUDIT_LOGS",
        detector_id: "b4c8e1f2d5a6470f9c3b8e7d6a5f4c21",
        name: "EKS_AUDIT_LOGS",
        status: "DISABLED",
        additional_configuration: [],
      },
      { status: "ENABLED" },
    ),
  ),
  routine(
    "a bucket for reports with its encryption",
    "New, private and encrypted.",
    created("aws_s3_bucket.reports", bucket("lumen-reports")),
    created("aws_s3_bucket_public_access_block.reports", {
      bucket: "lumen-reports",
      block_public_acls: true,
      block_public_policy: true,
      ignore_public_acls: true,
      restrict_public_buckets: true,
    }),
  ),
];
