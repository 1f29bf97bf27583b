import { cartsTable, deadLetterQueue, ordersDatabase, publicAccessBlock } from "./estate/aws-data.ts";
import { role, trail, trustOfService } from "./estate/aws-identity.ts";
import { ANYWHERE, appGroup, block, tagged } from "./estate/aws-network.ts";
import {
  checkoutService,
  emailsFunction,
  loadBalancer,
  nightlyRule,
  scalingGroup,
  shopServer,
} from "./estate/aws-serving.ts";
import { parameter } from "./estate/aws-stores.ts";
import { resourceGroup } from "./estate/azure.ts";
import { storageBucket } from "./estate/google.ts";
import { created, destroyed, planAfterDrift, type ReviewedPlan, unchanged, updated } from "./plan.ts";

const INVOICES = "lumen-customer-invoices";
const openedOutside = { ingress: [block(8443, ["10.20.0.0/16"]), block(22, ANYWHERE)] };

/** Changes made outside Terraform. The level is the worst of the plan and its drift. */
export const DRIFT: readonly ReviewedPlan[] = [
  {
    name: "a plain-text parameter was deleted by hand, and the plan recreates it",
    level: "medium",
    why: "Someone deleted it by hand; this plan recreates it unchanged.",
    plan: planAfterDrift(
      [destroyed("aws_ssm_parameter.group", parameter("/shop/app-security-group", "String"))],
      created("aws_ssm_parameter.group", parameter("/shop/app-security-group", "String")),
    ),
  },
  {
    name: "a function was deleted by hand, and the plan recreates it",
    level: "medium",
    why: "The function is down; this plan recreates it, with an ARN known only after apply.",
    plan: planAfterDrift(
      [destroyed("aws_lambda_function.emails", emailsFunction)],
      created("aws_lambda_function.emails", emailsFunction),
      updated(
        "aws_lambda_event_source_mapping.emails",
        {
          id: "5d1e",
          uuid: "5d1e",
          batch_size: 10,
          enabled: true,
          function_name: "arn:aws:lambda:eu-central-1:492801736650:function:emails",
        },
        {},
        ["function_name", "function_arn"],
      ),
    ),
  },
  {
    name: "an event rule was deleted by hand, and the plan recreates it",
    level: "medium",
    why: "The nightly report hasn't run; this plan fixes it.",
    plan: planAfterDrift(
      [destroyed("aws_cloudwatch_event_rule.nightly", nightlyRule)],
      created("aws_cloudwatch_event_rule.nightly", nightlyRule),
    ),
  },
  {
    name: "a dead-letter queue was deleted by hand, and the plan recreates it",
    level: "medium",
    why: "Failed messages are lost; this plan recreates the queue.",
    plan: planAfterDrift(
      [destroyed("aws_sqs_queue.emails_dlq", deadLetterQueue)],
      created("aws_sqs_queue.emails_dlq", deadLetterQueue),
    ),
  },
  {
    name: "a database was deleted by hand",
    level: "critical",
    why: "The orders are gone: restore the last snapshot first.",
    plan: planAfterDrift([destroyed("aws_db_instance.orders", ordersDatabase)]),
  },
  {
    name: "a table was deleted by hand, and the plan creates an empty one",
    level: "critical",
    why: "The plan recreates the table, but not its data.",
    plan: planAfterDrift(
      [destroyed("aws_dynamodb_table.carts", cartsTable)],
      created("aws_dynamodb_table.carts", cartsTable),
    ),
  },
  {
    name: "SSH was opened to anywhere by hand, and the plan closes it",
    // Drift that the plan reverts is at most medium, because applying the plan fixes it.
    level: "medium",
    why: "Port 22 has been open to the world: check the logs, then apply.",
    plan: planAfterDrift(
      [updated("aws_security_group.app", appGroup, openedOutside)],
      updated(
        "aws_security_group.app",
        { ...appGroup, ...openedOutside },
        { ingress: appGroup["ingress"] ?? [] },
      ),
    ),
  },
  {
    name: "a role was made an administrator by hand",
    level: "critical",
    why: "Someone gave the function's role full control of the account.",
    plan: planAfterDrift([
      updated("aws_iam_role.emails", role("emails", trustOfService("lambda")), {
        managed_policy_arns: ["arn:aws:iam::aws:policy/AdministratorAccess"],
      }),
    ]),
  },
  {
    name: "a bucket's public access block was turned off by hand",
    level: "high",
    why: "The invoices are one policy away from being public.",
    plan: planAfterDrift([
      updated(
        "aws_s3_bucket_public_access_block.invoices",
        publicAccessBlock(INVOICES),
        publicAccessBlock(INVOICES, false),
      ),
    ]),
  },
  {
    name: "a database's deletion protection was turned off by hand",
    level: "high",
    why: "Someone may be about to delete it.",
    plan: planAfterDrift([updated("aws_db_instance.orders", ordersDatabase, { deletion_protection: false })]),
  },
  {
    name: "the audit trail was stopped by hand",
    level: "high",
    why: "Nothing has been recorded since.",
    plan: planAfterDrift([updated("aws_cloudtrail.account", trail, { enable_logging: false })]),
  },
  {
    name: "a service was scaled to zero by hand",
    level: "high",
    why: "The checkout is down.",
    plan: planAfterDrift([updated("aws_ecs_service.checkout", checkoutService, { desired_count: 0 })]),
  },
  {
    name: "an autoscaler added tasks to a service",
    level: "none",
    why: "Autoscaling works as intended.",
    plan: planAfterDrift([updated("aws_ecs_service.checkout", checkoutService, { desired_count: 7 })]),
  },
  {
    name: "an autoscaler added servers to a group",
    level: "none",
    why: "Autoscaling works as intended.",
    plan: planAfterDrift([updated("aws_autoscaling_group.shop", scalingGroup, { desired_capacity: 9 })]),
  },
  {
    name: "empty tags",
    level: "none",
    why: "null became {}.",
    plan: planAfterDrift(
      [updated("aws_instance.shop", { ...shopServer, tags: null }, { tags: {} })],
      unchanged("aws_instance.shop", { ...shopServer, tags: {} }),
    ),
  },
  {
    name: "tags were added by hand",
    level: "none",
    why: "Tags only.",
    plan: planAfterDrift([
      updated("aws_lb.shop", loadBalancer, tagged("shop", { Owner: "anna" })),
      updated("azurerm_resource_group.shop", resourceGroup, {
        tags: { team: "shop", env: "prod", owner: "anna" },
      }),
    ]),
  },
  {
    name: "Google: Google added its own labels",
    level: "none",
    why: "Labels only.",
    plan: planAfterDrift([
      updated("google_storage_bucket.reports", storageBucket("lumen-reports"), {
        effective_labels: { team: "shop", env: "prod", "goog-managed-by": "cloudfunctions" },
      }),
    ]),
  },
];
