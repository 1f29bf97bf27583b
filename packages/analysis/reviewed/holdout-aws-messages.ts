import { KEY_ARN, queue, subscription, topic } from "./estate/aws-data.ts";
import { ACCOUNT } from "./estate/aws-network.ts";
import {
  busPolicy,
  keyPolicy,
  machine,
  OWN_ORG,
  pipe,
  queuePolicy,
  topicPolicy,
  USE_KEY,
} from "./holdout-estate/aws-messages.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: queues, topics, events and keys. */
export const HOLDOUT_AWS_MESSAGES: readonly ReviewedPlan[] = [
  {
    name: "a queue accepts messages of one topic",
    level: "medium",
    why: "The condition limits the policy to one topic.",
    plan: planOf(
      created(
        "aws_sqs_queue_policy.emails",
        queuePolicy({ ArnEquals: { "aws:SourceArn": `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events` } }),
      ),
    ),
  },
  {
    name: "a queue accepts anyone who uses TLS",
    level: "critical",
    why: "The condition excludes nobody: anyone can read the messages.",
    plan: planOf(
      created("aws_sqs_queue_policy.emails", queuePolicy({ Bool: { "aws:SecureTransport": "true" } })),
    ),
  },
  {
    name: "anyone may subscribe to a topic",
    level: "high",
    why: "Any account can receive the order events.",
    plan: planOf(created("aws_sns_topic_policy.orders", topicPolicy({}))),
  },
  {
    name: "the organization may subscribe to a topic",
    level: "medium",
    why: "Limited to the organization.",
    plan: planOf(created("aws_sns_topic_policy.orders", topicPolicy({ Condition: OWN_ORG }))),
  },
  {
    name: "a topic is no longer encrypted",
    level: "high",
    why: "Messages are stored unencrypted.",
    plan: planOf(
      updated("aws_sns_topic.orders", topic("order-events", { kms_master_key_id: KEY_ARN }), {
        kms_master_key_id: "",
      }),
    ),
  },
  {
    name: "a subscription gets a filter",
    level: "medium",
    why: "The queue no longer receives every event.",
    plan: planOf(
      updated("aws_sns_topic_subscription.emails", subscription, {
        filter_policy: JSON.stringify({ kind: ["paid", "shipped"] }),
        filter_policy_scope: "MessageAttributes",
      }),
    ),
  },
  {
    name: "a queue hides messages longer",
    level: "low",
    why: "Tuning of the consumer.",
    plan: planOf(
      updated("aws_sqs_queue.emails", queue("emails", { visibility_timeout_seconds: 30 }), {
        visibility_timeout_seconds: 90,
      }),
    ),
  },
  {
    name: "anyone may put events on a bus",
    level: "high",
    why: "Any account can forge order events.",
    plan: planOf(created("aws_cloudwatch_event_bus_policy.orders", busPolicy({}))),
  },
  {
    name: "the organization may put events on a bus",
    level: "medium",
    why: "Limited to the organization.",
    plan: planOf(created("aws_cloudwatch_event_bus_policy.orders", busPolicy({ Condition: OWN_ORG }))),
  },
  {
    name: "an event archive is deleted",
    level: "high",
    why: "Archived events can no longer be replayed.",
    plan: planOf(
      destroyed("aws_cloudwatch_event_archive.orders", {
        id: "orders",
        arn: `arn:aws:events:eu-central-1:${ACCOUNT}:archive/orders`,
        name: "orders",
        description: "",
        event_pattern: null,
        event_source_arn: `arn:aws:events:eu-central-1:${ACCOUNT}:event-bus/orders`,
        retention_days: 365,
      }),
    ),
  },
  {
    name: "a pipe is stopped",
    level: "medium",
    why: "Orders no longer reach the ledger until it runs again.",
    plan: planOf(updated("aws_pipes_pipe.ledger", pipe, { desired_state: "STOPPED" })),
  },
  {
    name: "a step of a workflow may take longer",
    level: "low",
    why: "An application change.",
    plan: planOf(
      updated("aws_sfn_state_machine.refund", machine, {
        definition: JSON.stringify({
          StartAt: "Pay",
          States: { Pay: { Type: "Task", TimeoutSeconds: 60, End: true } },
        }),
      }),
    ),
  },
  {
    name: "a workflow runs as another role",
    level: "medium",
    why: "Its permissions change.",
    plan: planOf(
      updated("aws_sfn_state_machine.refund", machine, {
        role_arn: `arn:aws:iam::${ACCOUNT}:role/workflows`,
      }),
    ),
  },
  {
    name: "a key's policy lets anyone decrypt",
    level: "critical",
    why: "Any AWS account can decrypt the shop's data.",
    plan: planOf(updated("aws_kms_key_policy.data", keyPolicy(), keyPolicy(USE_KEY))),
  },
  {
    name: "a key may be used through S3 by the account",
    level: "medium",
    why: "Two conditions limit the statement to the account and to S3.",
    plan: planOf(
      updated(
        "aws_kms_key_policy.data",
        keyPolicy(),
        keyPolicy({
          ...USE_KEY,
          Condition: {
            StringEquals: { "kms:CallerAccount": ACCOUNT, "kms:ViaService": "s3.eu-central-1.amazonaws.com" },
          },
        }),
      ),
    ),
  },
  {
    name: "a grant lets a role decrypt",
    level: "medium",
    why: "A permission on the key.",
    plan: planOf(
      created("aws_kms_grant.reports", {
        name: "reports",
        key_id: KEY_ARN,
        grantee_principal: `arn:aws:iam::${ACCOUNT}:role/reports`,
        operations: ["Decrypt", "DescribeKey"],
        constraints: [],
        retire_on_delete: false,
        retiring_principal: "",
        grant_id: "",
        grant_token: "",
      }),
    ),
  },
];
