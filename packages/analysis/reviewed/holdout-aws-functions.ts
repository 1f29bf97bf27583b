import { ACCOUNT } from "./estate/aws-network.ts";
import { emailsFunction } from "./estate/aws-serving.ts";
import { stripeSecret } from "./estate/aws-stores.ts";
import {
  consumer,
  EXTENSION,
  layerPermission,
  OWN_ORG,
  permission,
  secretPolicy,
} from "./holdout-estate/aws-messages.ts";
import { created, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: secrets and functions. */
export const HOLDOUT_AWS_FUNCTIONS: readonly ReviewedPlan[] = [
  {
    name: "a secret's policy lets anyone read it",
    level: "critical",
    why: "The key of the payment provider is readable by any AWS account.",
    plan: planOf(created("aws_secretsmanager_secret_policy.stripe", secretPolicy({ Principal: "*" }))),
  },
  {
    name: "a secret's policy lets the organization read it",
    level: "medium",
    why: "Every account of the organization; a person should confirm it.",
    plan: planOf(
      created(
        "aws_secretsmanager_secret_policy.stripe",
        secretPolicy({ Principal: "*", Condition: OWN_ORG }),
      ),
    ),
  },
  {
    name: "a secret's policy lets another account read it",
    level: "high",
    why: "An unknown account gets the payment provider's key.",
    plan: planOf(
      created(
        "aws_secretsmanager_secret_policy.stripe",
        secretPolicy({ Principal: { AWS: "arn:aws:iam::715520063413:root" } }),
      ),
    ),
  },
  {
    name: "a secret rotates more often",
    level: "low",
    why: "Safer, with the same rotation function.",
    plan: planOf(
      updated(
        "aws_secretsmanager_secret_rotation.orders",
        {
          id: stripeSecret["id"] ?? null,
          secret_id: stripeSecret["id"] ?? null,
          rotation_enabled: true,
          rotation_lambda_arn: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:rotate`,
          rotation_rules: [{ automatically_after_days: 90, duration: "", schedule_expression: "" }],
        },
        { rotation_rules: [{ automatically_after_days: 30, duration: "", schedule_expression: "" }] },
      ),
    ),
  },
  {
    name: "anyone may invoke a function",
    level: "high",
    why: "Any AWS account may run the function.",
    plan: planOf(created("aws_lambda_permission.emails", permission("*"))),
  },
  {
    name: "one API may invoke a function",
    level: "low",
    why: "The account's own API, limited by its ARN.",
    plan: planOf(
      created(
        "aws_lambda_permission.emails",
        permission("apigateway.amazonaws.com", {
          source_arn: `arn:aws:execute-api:eu-central-1:${ACCOUNT}:a1b2c3d4e5/*/POST/emails`,
        }),
      ),
    ),
  },
  {
    name: "S3 may invoke a function for any bucket",
    level: "medium",
    why: "Buckets of other accounts can trigger it, since no source is named.",
    plan: planOf(created("aws_lambda_permission.emails", permission("s3.amazonaws.com"))),
  },
  {
    name: "a layer is published to everyone",
    level: "high",
    why: "Anyone can download the code of the layer.",
    plan: planOf(created("aws_lambda_layer_version_permission.pricing", layerPermission(""))),
  },
  {
    name: "a layer is shared with the organization",
    level: "medium",
    why: "The organization's id limits who can read it.",
    plan: planOf(created("aws_lambda_layer_version_permission.pricing", layerPermission("o-7x2k9q4m1p"))),
  },
  {
    name: "a function's concurrency is reserved at zero",
    level: "high",
    why: "Zero stops every invocation.",
    plan: planOf(
      updated("aws_lambda_function.emails", emailsFunction, { reserved_concurrent_executions: 0 }),
    ),
  },
  {
    name: "a function's reserved concurrency is raised",
    level: "low",
    why: "More invocations at once.",
    plan: planOf(
      updated(
        "aws_lambda_function.emails",
        { ...emailsFunction, reserved_concurrent_executions: 10 },
        { reserved_concurrent_executions: 50 },
      ),
    ),
  },
  {
    name: "a function's monitoring layer is upgraded",
    level: "low",
    why: "The next version of a layer it already uses.",
    plan: planOf(
      updated(
        "aws_lambda_function.emails",
        { ...emailsFunction, layers: [`${EXTENSION}:65`] },
        { layers: [`${EXTENSION}:67`] },
      ),
    ),
  },
  {
    name: "the consumer of a queue is disabled",
    level: "medium",
    why: "Messages pile up until someone enables it again.",
    plan: planOf(updated("aws_lambda_event_source_mapping.emails", consumer, { enabled: false })),
  },
  {
    name: "the consumer of a queue takes larger batches",
    level: "low",
    why: "Tuning.",
    plan: planOf(updated("aws_lambda_event_source_mapping.emails", consumer, { batch_size: 25 })),
  },
];
