import { KEY_ARN, queue, topic } from "../estate/aws-data.ts";
import { ACCOUNT } from "../estate/aws-network.ts";
import {
  dataKey,
  OWN_ACCOUNT_STATEMENT,
  repository,
  searchDomain,
  stripeSecret,
} from "../estate/aws-stores.ts";
import { knownWhenNew, policyDocument } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const QUEUE = `arn:aws:sqs:eu-central-1:${ACCOUNT}:emails`;
const TOPIC = `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events`;
const SECRET = `arn:aws:secretsmanager:eu-central-1:${ACCOUNT}:secret:shop/stripe-K3fQ9a`;
const ANYBODY_QUEUE = policyDocument({ Principal: "*", Action: "sqs:*", Resource: QUEUE });
const ANYBODY_TOPIC = policyDocument({
  Principal: "*",
  Action: ["sns:Publish", "sns:Subscribe"],
  Resource: TOPIC,
});
const ANYBODY_KEY = policyDocument({ Principal: { AWS: "*" }, Action: "kms:*", Resource: "*" });
const ANYBODY_PULL = policyDocument({
  Principal: "*",
  Action: ["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"],
});
const ANYBODY_SEARCH = policyDocument({ Principal: { AWS: "*" }, Action: "es:*", Resource: "*" });
const secretPolicy = (Principal: string | object) =>
  policyDocument({
    Principal: typeof Principal === "string" ? Principal : { ...Principal },
    Action: "secretsmanager:GetSecretValue",
    Resource: "*",
  });
const OWN_ROLE = { AWS: `arn:aws:iam::${ACCOUNT}:role/checkout` };

const liveQueue = {
  QueueUrl: `https://sqs.eu-central-1.amazonaws.com/${ACCOUNT}/emails`,
  QueueName: "emails",
  QueueArn: QUEUE,
  DelaySeconds: "0",
  MaximumMessageSize: "262144",
  MessageRetentionPeriod: "345600",
  SqsManagedSseEnabled: "true",
};
const liveTopic = { TopicArn: TOPIC, DisplayName: "", KmsMasterKeyId: "alias/aws/sns", Owner: ACCOUNT };
const ownTopicPolicy = policyDocument({
  Principal: { AWS: "*" },
  Action: ["SNS:Publish", "SNS:Subscribe"],
  Resource: TOPIC,
  Condition: { StringEquals: { "AWS:SourceOwner": ACCOUNT } },
});
const liveKey = (Policy: string) => ({
  keyId: "7c1d9b52-0e3f-4a68-b7f4-2d90a1c6e853",
  arn: KEY_ARN,
  awsaccountId: ACCOUNT,
  description: "Data of the shop",
  enabled: true,
  keyManager: "CUSTOMER",
  keySpec: "SYMMETRIC_DEFAULT",
  keyState: "Enabled",
  keyUsage: "ENCRYPT_DECRYPT",
  origin: "AWS_KMS",
  supplementaryConfiguration: { KeyRotationStatus: true, Policy },
});
const liveRepository = {
  RepositoryName: "checkout",
  Arn: `arn:aws:ecr:eu-central-1:${ACCOUNT}:repository/checkout`,
  ImageTagMutability: "IMMUTABLE",
  ImageScanningConfiguration: { ScanOnPush: true },
  EncryptionConfiguration: { EncryptionType: "KMS", KmsKey: KEY_ARN },
};
const liveDomain = {
  DomainName: "catalog-search",
  DomainArn: `arn:aws:es:eu-central-1:${ACCOUNT}:domain/catalog-search`,
  EngineVersion: "OpenSearch_2.13",
  ClusterConfig: { InstanceType: "r6g.large.search", InstanceCount: 3, ZoneAwarenessEnabled: true },
  DomainEndpointOptions: { EnforceHTTPS: true, TLSSecurityPolicy: "Policy-Min-TLS-1-2-2019-07" },
  EncryptionAtRestOptions: { Enabled: true, KmsKeyId: KEY_ARN },
  NodeToNodeEncryptionOptions: { Enabled: true },
};

/** AWS: queues, keys, registries and secrets. */
export const AWS_SERVICES: readonly CommonType[] = [
  {
    type: "aws_sqs_queue",
    harmless: knownWhenNew(queue("emails")),
    exposed: {
      after: knownWhenNew(queue("emails", { policy: ANYBODY_QUEUE })),
      level: "critical",
      why: "Anyone can read, send and delete messages.",
    },
    live: {
      provider_type: "AWS::SQS::Queue",
      harmless: liveQueue,
      exposed: { ...liveQueue, Policy: ANYBODY_QUEUE },
    },
  },
  {
    type: "aws_sns_topic",
    harmless: knownWhenNew(topic("order-events")),
    exposed: {
      after: knownWhenNew(topic("order-events", { policy: ANYBODY_TOPIC })),
      level: "high",
      why: "Anyone can publish to the topic and subscribe to it.",
    },
    live: {
      provider_type: "AWS::SNS::Topic",
      harmless: { ...liveTopic, Policy: ownTopicPolicy },
      exposed: { ...liveTopic, Policy: ANYBODY_TOPIC },
    },
  },
  {
    type: "aws_kms_key",
    harmless: knownWhenNew(dataKey),
    exposed: {
      after: knownWhenNew({ ...dataKey, policy: ANYBODY_KEY }),
      level: "critical",
      why: "Anyone can decrypt with the key and delete it.",
    },
    live: {
      provider_type: "AWS::KMS::Key",
      harmless: liveKey(policyDocument(OWN_ACCOUNT_STATEMENT)),
      exposed: liveKey(ANYBODY_KEY),
    },
  },
  {
    type: "aws_ecr_repository",
    harmless: knownWhenNew(repository("checkout")),
    live: {
      provider_type: "AWS::ECR::Repository",
      harmless: liveRepository,
      exposed_by: { aws_ecr_repository_policy: { ...liveRepository, RepositoryPolicyText: ANYBODY_PULL } },
    },
  },
  {
    type: "aws_ecr_repository_policy",
    harmless: {
      repository: "checkout",
      policy: policyDocument({ Principal: OWN_ROLE, Action: "ecr:BatchGetImage" }),
    },
    medium: "access",
    exposed: {
      after: { repository: "checkout", policy: ANYBODY_PULL },
      level: "high",
      why: "Anyone can pull the images.",
    },
    live: { part_of: "aws_ecr_repository" },
  },
  {
    type: "aws_opensearch_domain",
    harmless: knownWhenNew(searchDomain),
    exposed: {
      after: knownWhenNew({ ...searchDomain, vpc_options: [], access_policies: ANYBODY_SEARCH }),
      level: "critical",
      why: "Anyone can read and delete the indexes.",
    },
    live: {
      provider_type: "AWS::OpenSearch::Domain",
      harmless: {
        ...liveDomain,
        AccessPolicies: policyDocument({ Principal: OWN_ROLE, Action: "es:ESHttp*", Resource: "*" }),
        VPCOptions: { VPCId: "vpc-0f3d6a1b9c8e74521", SubnetIds: ["subnet-0a94b1c7e6d25f381"] },
      },
      exposed: { ...liveDomain, AccessPolicies: ANYBODY_SEARCH },
    },
  },
  {
    type: "aws_secretsmanager_secret",
    harmless: knownWhenNew(stripeSecret),
    exposed: {
      after: knownWhenNew({ ...stripeSecret, policy: secretPolicy("*") }),
      level: "critical",
      why: "Anyone can read the secret.",
    },
    live: {
      // AWS Config doesn't record the resource policy, so there is no exposed form.
      provider_type: "AWS::SecretsManager::Secret",
      harmless: { ARN: SECRET, Name: "shop/stripe", KMSKeyId: KEY_ARN, RotationEnabled: false },
    },
  },
  {
    type: "aws_secretsmanager_secret_policy",
    harmless: { secret_arn: SECRET, block_public_policy: null, policy: secretPolicy(OWN_ROLE) },
    medium: "access",
    exposed: {
      after: { secret_arn: SECRET, block_public_policy: null, policy: secretPolicy("*") },
      level: "critical",
      why: "Anyone can read the secret.",
    },
    live: { unlisted: "AWS Config doesn't record a secret's resource policy" },
  },
];
