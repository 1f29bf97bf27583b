/**
 * Serves the AWS that `scan.ts` scans, from a process of its own: prepared pages of ten types in two regions, each
 * after a delay. Prints its address.
 * `bun tests/load/scan-cloud.ts <resources> <latency in ms>`
 */
import { isObject, text } from "@leeway/shared/values/json";

export const REGIONS = ["eu-west-1", "us-east-1"];
const ACCOUNT = "123456789012";
const ROWS_A_PAGE = 100;
const TYPES: Readonly<Record<string, (name: string, region: string) => { id: string; properties: object }>> =
  {
    "AWS::SQS::Queue": (name, region) => ({
      id: `https://sqs.${region}.amazonaws.com/${ACCOUNT}/${name}`,
      properties: { QueueName: name, Arn: `arn:aws:sqs:${region}:${ACCOUNT}:${name}`, VisibilityTimeout: 30 },
    }),
    "AWS::SNS::Topic": (name, region) => arnOnly("TopicArn", `arn:aws:sns:${region}:${ACCOUNT}:${name}`),
    "AWS::Lambda::Function": (name) => ({
      id: name,
      properties: { FunctionName: name, Runtime: "nodejs22.x" },
    }),
    "AWS::DynamoDB::Table": (name) => ({
      id: name,
      properties: { TableName: name, BillingMode: "PAY_PER_REQUEST" },
    }),
    "AWS::Logs::LogGroup": (name) => ({ id: name, properties: { LogGroupName: name, RetentionInDays: 30 } }),
    "AWS::ECR::Repository": (name) => ({ id: name, properties: { RepositoryName: name } }),
    "AWS::KMS::Key": (name) => ({ id: name, properties: { KeyId: name } }),
    "AWS::Kinesis::Stream": (name) => ({ id: name, properties: { Name: name } }),
    "AWS::Events::Rule": (name, region) => arnOnly("Arn", `arn:aws:events:${region}:${ACCOUNT}:rule/${name}`),
    "AWS::SecretsManager::Secret": (name, region) =>
      arnOnly("Id", `arn:aws:secretsmanager:${region}:${ACCOUNT}:secret:${name}-AbCdEf`),
  };

function arnOnly(key: string, arn: string): { id: string; properties: object } {
  return { id: arn, properties: { [key]: arn } };
}

function pagesOf(type: string, region: string, rows: number): string[] {
  const make = TYPES[type];
  const all = Array.from({ length: make ? rows : 0 }, (_, index) => {
    const name = `${region}-${index.toString(36).padStart(6, "0")}`;
    const { id, properties } = make?.(name, region) ?? { id: name, properties: {} };
    const tags = [{ Key: "team", Value: `team-${index % 40}` }];
    return { Identifier: id, Properties: JSON.stringify({ ...properties, Tags: tags }) };
  });
  const count = Math.ceil(all.length / ROWS_A_PAGE);
  return Array.from({ length: count }, (_, page) =>
    JSON.stringify({
      TypeName: type,
      ResourceDescriptions: all.slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE),
      ...(page + 1 < count && { NextToken: String(page + 1) }),
    }),
  );
}

const EMPTY: Readonly<Record<string, string>> = {
  "ResourceGroupsTaggingAPI_20170126.GetResources": `{"ResourceTagMappingList":[],"PaginationToken":""}`,
  "/listRegions": JSON.stringify({ Regions: REGIONS.map((RegionName) => ({ RegionName })) }),
  "/ListIndexes": `{"Indexes":[]}`,
};
const IDENTITY = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::${ACCOUNT}:user/leeway</Arn><UserId>AIDA</UserId><Account>${ACCOUNT}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`;
const CREDENTIAL = /Credential=[^/]+\/\d+\/([a-z0-9-]+)\//;
const JSON_HEADERS = { "content-type": "application/x-amz-json-1.0" };

/** Reads the requested type, region and page from a Cloud Control request. */
async function askedFor(request: Request): Promise<{ type: string; region: string; place: number }> {
  const asked: unknown = await request.json();
  const input = isObject(asked) ? asked : {};
  const [, region = ""] = CREDENTIAL.exec(request.headers.get("authorization") ?? "") ?? [];
  return { type: text(input, "TypeName") ?? "", region, place: Number(text(input, "NextToken") ?? 0) };
}

function serve(resources: number, latencyMs: number): string {
  const rows = Math.ceil(resources / REGIONS.length / Object.keys(TYPES).length);
  const pages = new Map(
    REGIONS.flatMap((region) =>
      Object.keys(TYPES).map((type) => [`${region} ${type}`, pagesOf(type, region, rows)]),
    ),
  );
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const target = request.headers.get("x-amz-target") ?? new URL(request.url).pathname;
      if (target === "/") return new Response(IDENTITY, { headers: { "content-type": "text/xml" } });
      const empty = EMPTY[target];
      if (empty !== undefined) return new Response(empty, { headers: JSON_HEADERS });
      const { type, region, place } = await askedFor(request);
      const page = pages.get(`${region} ${type}`)?.[place];
      if (page !== undefined && latencyMs > 0) await Bun.sleep(latencyMs);
      const nothing = `{"TypeName":"${type}","ResourceDescriptions":[]}`;
      return new Response(page ?? nothing, { headers: JSON_HEADERS });
    },
  });
  return `http://127.0.0.1:${server.port}`;
}

if (import.meta.main) console.log(serve(Number(Bun.argv[2]), Number(Bun.argv[3])));
