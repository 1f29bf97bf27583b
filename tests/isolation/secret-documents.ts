import { tfstate } from "../../services/inventory/test/kit.ts";
import { PLAIN, secret, secretsOf } from "./canaries.ts";

const ACCOUNT = "123456789012";

/** Returns resource properties with secrets where clouds have them. */
export function secretProperties(place: string) {
  const of = secretsOf(place);
  return {
    Description: PLAIN,
    MasterUserPassword: of("a member named like a secret"),
    Environment: { Variables: { DB_PASSWORD: of("a variable"), REGION: PLAIN } },
    Parameters: [{ ParameterKey: "ApiToken", ParameterValue: of("a pair") }],
    Endpoint: `postgres://admin:${of("a URL")}@db.example.com:5432/app?sslmode=require`,
    UserData: `#!/bin/sh\nexport AWS_SECRET_ACCESS_KEY=${of("a script")}\n`,
    Command: ["run", "--password", of("an argument"), `--token=${of("an option")}`],
    Header: `Authorization: Bearer ${of("a header")}`,
    Nested: JSON.stringify({ inner: { client_secret: of("JSON in a text") } }),
    Certificate: `-----BEGIN PRIVATE KEY-----\n${of("a key file")}\n-----END PRIVATE KEY-----`,
  };
}

/** Returns a listing of every format with secrets, and its account. */
export function secretListings(): { provider: string; external_id: string; body: string }[] {
  const arn = (name: string) => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;
  const own = {
    provider_resource_id: arn("own"),
    provider_type: "AWS::SQS::Queue",
    name: `${PLAIN} password=${secret("a name")}`,
    tags: { team: PLAIN, "db-password": secret("a tag") },
    properties: secretProperties("our own rows"),
  };
  const configItem = {
    configurationItemVersion: "1.3",
    configurationItemStatus: "OK",
    awsAccountId: ACCOUNT,
    awsRegion: "eu-west-1",
    resourceType: "AWS::SQS::Queue",
    resourceId: arn("config"),
    ARN: arn("config"),
    configuration: JSON.stringify(secretProperties("AWS Config")),
    supplementaryConfiguration: { Policy: JSON.stringify({ Password: secret("AWS Config: supplementary") }) },
  };
  const cloudControl = {
    TypeName: "AWS::SQS::Queue",
    ResourceDescriptions: [
      {
        Identifier: `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/control`,
        Properties: JSON.stringify({ QueueName: "control", ...secretProperties("Cloud Control") }),
      },
    ],
    NextToken: secret("the token of the next page"),
  };
  const asset = {
    name: "//pubsub.googleapis.com/projects/payments/topics/t",
    assetType: "pubsub.googleapis.com/Topic",
    resource: { version: "v1", data: { name: "projects/payments/topics/t", ...secretProperties("Google") } },
  };
  const subscription = "11111111-2222-3333-4444-555555555555";
  const graph = {
    data: [
      {
        id: `/subscriptions/${subscription}/resourceGroups/g/providers/Microsoft.Web/sites/s`,
        name: "s",
        type: "microsoft.web/sites",
        tags: { "api-key": secret("a tag of Azure") },
        properties: secretProperties("Azure"),
      },
    ],
  };
  return [
    {
      provider: "aws",
      external_id: ACCOUNT,
      body: [own, configItem, cloudControl].map((document) => JSON.stringify(document)).join("\n"),
    },
    { provider: "gcp", external_id: "payments", body: JSON.stringify(asset) },
    { provider: "azure", external_id: subscription, body: JSON.stringify(graph) },
  ];
}

/** Returns Terraform and Pulumi states with secrets. */
export function secretStates() {
  const of = secretsOf("a state");
  const resources = [
    {
      type: "aws_db_instance",
      name: "db",
      attributes: { id: "db-1", arn: `arn:aws:rds:eu-west-1:${ACCOUNT}:db:db-1`, password: of("a password") },
    },
    {
      type: "random_password",
      name: "p",
      provider: "random",
      attributes: { id: "none", result: of("a random one") },
    },
    {
      type: "tls_private_key",
      name: "k",
      provider: "tls",
      attributes: { id: "a1", private_key_pem: of("a key") },
    },
    {
      type: "aws_secretsmanager_secret_version",
      name: "v",
      attributes: {
        id: `arn:aws:secretsmanager:eu-west-1:${ACCOUNT}:secret:s-AbCdEf|1`,
        secret_string: of("a text"),
      },
    },
    { type: "aws_instance", name: "i", attributes: { id: "i-1", user_data: `PASSWORD=${of("user data")}` } },
    {
      type: "null_resource",
      name: "n",
      provider: "null",
      attributes: { id: "1", triggers: { token: of("a trigger") } },
    },
  ];
  const state = {
    ...tfstate(resources),
    outputs: { token: { value: of("an output"), type: "string", sensitive: true } },
  };
  const pulumi = {
    version: 3,
    deployment: {
      secrets_providers: { type: "passphrase", state: { salt: of("the salt") } },
      resources: [
        {
          urn: "urn:pulumi:p::s::aws:rds/instance:Instance::db",
          custom: true,
          type: "aws:rds/instance:Instance",
          id: "db-2",
          inputs: { password: of("an input") },
          outputs: { password: of("a Pulumi output"), arn: `arn:aws:rds:eu-west-1:${ACCOUNT}:db:db-2` },
        },
      ],
    },
  };
  return { state, pulumi };
}

/** Builds planner events with secrets in their plan and with further members. */
export function plannerEventsOf(of: (where: string) => string): (more: object) => string {
  const change = {
    address: "aws_db_instance.db",
    type: "aws_db_instance",
    change: {
      actions: ["update"],
      before: { engine: PLAIN, password: of("what was"), note: of("what a mask hides") },
      after: { engine: PLAIN, password: of("what will be"), note: "" },
      before_sensitive: { note: true },
      after_sensitive: {},
    },
  };
  return (more) =>
    JSON.stringify({
      event: "plan",
      version: 1,
      event_id: crypto.randomUUID(),
      repository: "platform/network",
      project: { name: PLAIN },
      status: "success",
      plan: {
        format_version: "1.2",
        resource_changes: [change],
        variables: { token: { value: of("a variable") } },
        prior_state: { password: of("a prior state") },
      },
      ...more,
    });
}
