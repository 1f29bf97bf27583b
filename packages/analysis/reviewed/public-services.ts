import { queue, topic } from "./estate/aws-data.ts";
import { cluster } from "./estate/aws-edge.ts";
import { ACCOUNT } from "./estate/aws-network.ts";
import { dataKey, OWN_ACCOUNT_STATEMENT, searchDomain } from "./estate/aws-stores.ts";
import { changedBlock, created, planOf, policyDocument, type ReviewedPlan, updated } from "./plan.ts";

const QUEUE = `arn:aws:sqs:eu-central-1:${ACCOUNT}:emails`;
const TOPIC = `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events`;
const SECRET = `arn:aws:secretsmanager:eu-central-1:${ACCOUNT}:secret:shop/stripe-K3fQ9a`;
const queuePolicy = (statement: object) => ({
  id: `https://sqs.eu-central-1.amazonaws.com/${ACCOUNT}/emails`,
  queue_url: `https://sqs.eu-central-1.amazonaws.com/${ACCOUNT}/emails`,
  policy: policyDocument({ Resource: QUEUE, ...statement }),
});

const EMAILS = `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:emails`;
const permission = {
  id: "invoke",
  function_name: EMAILS,
  action: "lambda:InvokeFunction",
  statement_id: "invoke",
  source_account: null,
  event_source_token: null,
};
const functionUrl = {
  id: "emails",
  function_name: "emails",
  function_arn: EMAILS,
  function_url: "https://k3x9q2v7m1.lambda-url.eu-central-1.on.aws/",
  invoke_mode: "BUFFERED",
  qualifier: "",
  cors: [],
};

/** AWS: access to queues, functions, keys, registries and endpoints. */
export const PUBLIC_SERVICES: readonly ReviewedPlan[] = [
  {
    name: "a queue that everyone can use",
    level: "critical",
    why: "Anyone could read, send and delete messages.",
    plan: planOf(created("aws_sqs_queue_policy.emails", queuePolicy({ Principal: "*", Action: "sqs:*" }))),
  },
  {
    name: "a queue that everyone can send to",
    level: "high",
    why: "Anyone could make us send emails.",
    plan: planOf(
      created(
        "aws_sqs_queue_policy.emails",
        queuePolicy({ Principal: { AWS: "*" }, Action: "sqs:SendMessage" }),
      ),
    ),
  },
  {
    name: "a queue that one topic can send to",
    level: "medium",
    why: "The usual policy for a topic and a queue: the condition names our topic.",
    plan: planOf(
      created(
        "aws_sqs_queue_policy.emails",
        queuePolicy({
          Principal: "*",
          Action: "sqs:SendMessage",
          Condition: { ArnEquals: { "aws:SourceArn": TOPIC } },
        }),
      ),
    ),
  },
  {
    name: "a topic that everyone can use",
    level: "high",
    why: "Anyone could subscribe to orders or publish fake ones.",
    plan: planOf(
      updated("aws_sns_topic.orders", topic("order-events"), {
        policy: policyDocument({ Principal: "*", Action: ["sns:Publish", "sns:Subscribe"], Resource: TOPIC }),
      }),
    ),
  },
  {
    name: "a topic with AWS's default policy",
    level: "low",
    why: "The condition limits the wildcard to our own account.",
    plan: planOf(
      created(
        "aws_sns_topic.orders",
        topic("order-events", {
          policy: policyDocument({
            Sid: "__default_statement_ID",
            Principal: { AWS: "*" },
            Action: ["SNS:Publish", "SNS:Subscribe", "SNS:GetTopicAttributes"],
            Resource: TOPIC,
            Condition: { StringEquals: { "AWS:SourceOwner": ACCOUNT } },
          }),
        }),
      ),
    ),
  },
  {
    name: "a function's URL without authorization",
    level: "high",
    why: "Anyone on the internet could call it.",
    plan: planOf(created("aws_lambda_function_url.emails", { ...functionUrl, authorization_type: "NONE" })),
  },
  {
    name: "a function's URL with IAM authorization",
    level: "low",
    why: "Only signed requests are allowed.",
    plan: planOf(
      created("aws_lambda_function_url.emails", { ...functionUrl, authorization_type: "AWS_IAM" }),
    ),
  },
  {
    name: "a function that everyone can call",
    level: "high",
    why: "Any AWS account could call it.",
    plan: planOf(created("aws_lambda_permission.all", { ...permission, principal: "*", source_arn: null })),
  },
  {
    name: "a function that one rule can call",
    level: "medium",
    why: "Only our own EventBridge rule.",
    plan: planOf(
      created("aws_lambda_permission.nightly", {
        ...permission,
        principal: "events.amazonaws.com",
        source_arn: `arn:aws:events:eu-central-1:${ACCOUNT}:rule/nightly-report`,
      }),
    ),
  },
  {
    name: "an image repository that everyone can pull from",
    level: "high",
    why: "Anyone could pull the images and the code in them.",
    plan: planOf(
      created("aws_ecr_repository_policy.checkout", {
        id: "checkout",
        repository: "checkout",
        registry_id: ACCOUNT,
        policy: policyDocument({
          Principal: "*",
          Action: ["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"],
        }),
      }),
    ),
  },
  {
    name: "a secret that everyone can read",
    level: "critical",
    why: "Anyone could read the payment provider's key.",
    plan: planOf(
      created("aws_secretsmanager_secret_policy.stripe", {
        id: SECRET,
        secret_arn: SECRET,
        block_public_policy: null,
        policy: policyDocument({ Principal: "*", Action: "secretsmanager:GetSecretValue", Resource: "*" }),
      }),
    ),
  },
  {
    name: "a key that everyone can use",
    level: "critical",
    why: "Anyone could decrypt with it or schedule its deletion.",
    plan: planOf(
      updated("aws_kms_key.data", dataKey, {
        policy: policyDocument({ Principal: { AWS: "*" }, Action: "kms:*", Resource: "*" }),
      }),
    ),
  },
  {
    name: "a key that RDS can use for this account",
    level: "medium",
    why: "The condition limits the wildcard to our account, through RDS.",
    plan: planOf(
      updated("aws_kms_key.data", dataKey, {
        policy: policyDocument(OWN_ACCOUNT_STATEMENT, {
          Principal: { AWS: "*" },
          Action: ["kms:Encrypt", "kms:Decrypt", "kms:CreateGrant"],
          Resource: "*",
          Condition: {
            StringEquals: {
              "kms:CallerAccount": ACCOUNT,
              "kms:ViaService": "rds.eu-central-1.amazonaws.com",
            },
          },
        }),
      }),
    ),
  },
  {
    name: "a public search domain that everyone can use",
    level: "critical",
    why: "Anyone could read and delete the whole catalog.",
    plan: planOf(
      created("aws_opensearch_domain.catalog", {
        ...searchDomain,
        vpc_options: [],
        access_policies: policyDocument({ Principal: { AWS: "*" }, Action: "es:*", Resource: "*" }),
      }),
    ),
  },
  {
    name: "a cluster's API endpoint is opened to everyone",
    level: "high",
    why: "Production's API server would be reachable from the internet.",
    plan: planOf(
      updated(
        "aws_eks_cluster.production",
        cluster,
        changedBlock(cluster, "vpc_config", {
          endpoint_public_access: true,
          public_access_cidrs: ["0.0.0.0/0"],
        }),
      ),
    ),
  },
  {
    name: "a cluster's API endpoint is opened to the office",
    level: "medium",
    why: "Public, but only for eight of our own addresses.",
    plan: planOf(
      updated(
        "aws_eks_cluster.production",
        cluster,
        changedBlock(cluster, "vpc_config", {
          endpoint_public_access: true,
          public_access_cidrs: ["203.0.113.48/29"],
        }),
      ),
    ),
  },
  {
    name: "a new queue without a policy",
    level: "low",
    why: "Only the account's own IAM grants access.",
    plan: planOf(created("aws_sqs_queue.refunds", queue("refunds"))),
  },
];
