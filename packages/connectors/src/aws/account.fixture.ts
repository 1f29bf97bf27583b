/** Shared by tests of the AWS connector: an account with every service enabled, and ways to make it misbehave. */
import { failureOf } from "@leeway/shared/testing/testing";
import { text, type JsonObject } from "@leeway/shared/values/json";

import type { Connector, Shard } from "../connector.ts";
import {
  ACCESS_KEY,
  ACCOUNT,
  type Answer,
  asAccount,
  type Call,
  cloudControlPage,
  pageOf,
  SECRET,
} from "./aws.fixture.ts";
import { createAwsConnector } from "./aws-connector.ts";

export type Options = Parameters<typeof createAwsConnector>[0];

export const STATIC = {
  kind: "static",
  access_key_id: ACCESS_KEY.accessKeyId,
  secret_access_key: SECRET,
} satisfies Options["credentials"];
export const ROLE = {
  kind: "aws_role",
  role_arn: `arn:aws:iam::${ACCOUNT}:role/leeway`,
  external_id: "org-7",
} satisfies Options["credentials"];
export const SESSION_TOKEN = "FwoGZXIvYXdzEXAMPLETOKEN";
export const never = new AbortController().signal;

export function connect(endpoint: string, options: Partial<Options> = {}): Connector {
  return createAwsConnector({
    credentials: STATIC,
    accountId: ACCOUNT,
    externalId: "org-7",
    endpoint,
    ...options,
  });
}

export async function listed(connector: Connector, shard: Shard, signal = never): Promise<JsonObject[]> {
  return Array.fromAsync(connector.list(shard, signal));
}

/** Returns the documents that a shard listed before it failed, and the error. */
export async function listedUntilFailure(
  connector: Connector,
  shard: Shard,
): Promise<[JsonObject[], unknown]> {
  const documents: JsonObject[] = [];
  const failure = await failureOf(
    (async () => {
      for await (const document of connector.list(shard, never)) documents.push(document);
    })(),
  );
  return [documents, failure];
}

export const queue = (name: string): JsonObject => {
  const url = `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/${name}`;
  return { Identifier: url, Properties: JSON.stringify({ QueueUrl: url }) };
};
export const INDEXES = [
  { Arn: "arn:1", Region: "eu-west-1", Type: "LOCAL" },
  { Arn: "arn:2", Region: "us-east-1", Type: "AGGREGATOR" },
];
export const indexed = ["web", "db", "logs"].map((name) => ({
  Arn: `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`,
  OwningAccountId: ACCOUNT,
  Region: "eu-west-1",
  ResourceType: "sqs:queue",
  Service: "sqs",
  LastReportedAt: "2026-01-01T00:00:00Z",
  Properties: [
    { Name: "tags", LastReportedAt: "2026-01-01T00:00:00Z", Data: [{ Key: "team", Value: name }] },
  ],
}));
const VIEW = `arn:aws:resource-explorer-2:us-east-1:${ACCOUNT}:view/all/1`;
export const tagged = [
  { ResourceARN: `arn:aws:ecs:eu-west-1:${ACCOUNT}:task/web/1`, Tags: [{ Key: "team", Value: "web" }] },
  { ResourceARN: `arn:aws:ecs:eu-west-1:${ACCOUNT}:cluster/web`, Tags: [] },
];

/** Returns an account with every service enabled; `odd` overrides single answers. */
export function account(odd: (call: Call) => Answer | undefined = () => undefined) {
  return asAccount((call) => odd(call) ?? ORDINARY[call.action]?.(call) ?? { body: {} });
}

const ORDINARY: Readonly<Record<string, ((call: Call) => Answer) | undefined>> = {
  "account:ListRegions": ({ input }) => {
    const regions = ["eu-west-1", "us-east-1"].map((RegionName) => ({ RegionName }));
    const page = pageOf(regions, 1, text(input, "NextToken"));
    return { body: { Regions: page.rows, ...(page.next && { NextToken: page.next }) } };
  },
  "resource-explorer-2:ListIndexes": () => ({ body: { Indexes: INDEXES } }),
  "resource-explorer-2:GetIndex": () => ({ body: { State: "ACTIVE" } }),
  "resource-explorer-2:ListSupportedResourceTypes": ({ input }) => {
    const types = ["lambda:function", "sqs:queue", "lambda:layer/version"];
    const rows = types.map((ResourceType) => ({ ResourceType, Service: ResourceType.split(":")[0] ?? "" }));
    const page = pageOf(rows, 2, text(input, "NextToken"));
    return { body: { ResourceTypes: page.rows, ...(page.next && { NextToken: page.next }) } };
  },
  "resource-explorer-2:ListResources": ({ input }) => {
    const page = pageOf(indexed, 2, text(input, "NextToken"));
    return { body: { Resources: page.rows, ViewArn: VIEW, ...(page.next && { NextToken: page.next }) } };
  },
  "resource-explorer-2:GetView": () => ({ body: { View: { ViewArn: VIEW, Filters: { FilterString: "" } } } }),
  "cloudformation:ListResources": (call) =>
    cloudControlPage({ "AWS::SQS::Queue": ["a", "b", "c"].map(queue), "AWS::Logs::LogGroup": [] }, call),
  "cloudformation:GetResource": () => ({ status: 400, code: "ResourceNotFoundException" }),
  "tag:GetResources": () => ({ body: { PaginationToken: "", ResourceTagMappingList: tagged } }),
  "ec2:DescribeRouteTables": () => ({ status: 400, code: "InvalidRouteTableID.NotFound" }),
  "ec2:DescribeNetworkAcls": () => ({ status: 400, code: "InvalidNetworkAclID.NotFound" }),
  "route53:ListResourceRecordSets": () => ({ status: 404, code: "NoSuchHostedZone" }),
  "cloudtrail:LookupEvents": () => ({ body: { Events: [] } }),
};

export const withoutIndexes = ({ action }: Call): Answer | undefined =>
  action === "resource-explorer-2:ListIndexes" ? { body: { Indexes: [] } } : undefined;
export const on =
  (action: string, answer: Answer) =>
  (call: Call): Answer | undefined =>
    call.action === action ? answer : undefined;
export const denial = (action: string) => ({
  status: 400,
  code: "AccessDeniedException",
  message: `User: arn:aws:iam::${ACCOUNT}:user/leeway is not authorized to perform: ${action} on resource: *`,
});
export const handlerDenial = (type: string, action: string): Answer => ({
  status: 400,
  code: "AccessDeniedException",
  message: `${type} Handler returned status FAILED: User: x is not authorized to perform: ${action} (HandlerErrorCode: AccessDenied)`,
});

export const SESSION = {
  body: {
    Credentials: {
      AccessKeyId: "ASIASESSION",
      SecretAccessKey: "s3ss10nKey",
      SessionToken: SESSION_TOKEN,
      Expiration: new Date(Date.now() + 3_600_000).toISOString(),
    },
  },
};
