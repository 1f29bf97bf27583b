import { aws } from "@leeway/clouds/aws/aws";
import type { ListedResource } from "@leeway/clouds/cloud";
import { CLOUDS } from "@leeway/clouds/clouds";
import { readListing } from "@leeway/clouds/listings/read-listing";
import { isObject, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

export const ACCOUNT = "123456789012";
export const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
export const ACCESS_KEY = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: SECRET };

/** A call as our AWS server parsed it. */
export interface Call {
  /** Name of the IAM permission: `cloudformation:ListResources`. */
  action: string;
  region: string;
  accessKeyId: string;
  input: JsonObject;
}

/** A JSON body, an AWS error, an invalid answer, a raw response, or a call that never ends. */
export type Answer =
  | Response
  | { body: JsonObject }
  | { status: number; nonsense: string }
  | { status: number; code: string; message?: string; headers?: Record<string, string> }
  | "silence";

const TARGETS: Readonly<Record<string, string | undefined>> = {
  "CloudApiService.ListResources": "cloudformation:ListResources",
  "CloudApiService.GetResource": "cloudformation:GetResource",
  "CloudTrail_20131101.LookupEvents": "cloudtrail:LookupEvents",
  "ResourceGroupsTaggingAPI_20170126.GetResources": "tag:GetResources",
};
const PATHS: Readonly<Record<string, string | undefined>> = {
  "/ListIndexes": "resource-explorer-2:ListIndexes",
  "/ListResources": "resource-explorer-2:ListResources",
  "/ListSupportedResourceTypes": "resource-explorer-2:ListSupportedResourceTypes",
  "/GetIndex": "resource-explorer-2:GetIndex",
  "/GetView": "resource-explorer-2:GetView",
  "/listRegions": "account:ListRegions",
};

const RECORDS = /^\/2013-04-01\/hostedzone\/([A-Z\d]+)\/rrset$/;

/** Starts a server that speaks AWS's JSON, REST, XML and query protocols, and rejects unsigned requests. */
export function serveAws(answer: (call: Call) => Answer | Promise<Answer>) {
  const calls: Call[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const call = await callOf(request);
      if (call === undefined) return new Response("not signed, or unknown", { status: 400 });
      calls.push(call);
      const given = await answer(call);
      if (given === "silence") return new Promise<Response>(() => undefined);
      if (given instanceof Response) return given;
      if ("nonsense" in given) return new Response(given.nonsense, { status: given.status });
      return isXml(call) ? xmlResponse(call, given) : jsonResponse(given);
    },
  });
  return {
    calls,
    endpoint: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Answers that the credentials belong to the account, and forwards all other calls to `answer`. */
export function asAccount(answer: (call: Call) => Answer | Promise<Answer>) {
  return (call: Call): Answer | Promise<Answer> => {
    if (call.action === "sts:GetCallerIdentity")
      return { body: { Arn: `arn:aws:iam::${ACCOUNT}:user/leeway`, Account: ACCOUNT, UserId: "AIDA" } };
    return answer(call);
  };
}

/** Returns one page of `rows` with `size` rows; `token` comes from the previous page. */
export function pageOf(
  rows: readonly Json[],
  size: number,
  token: string | undefined,
): { rows: Json[]; next?: string } {
  const from = Number(token ?? 0);
  const next = from + size;
  return { rows: rows.slice(from, next), ...(next < rows.length && { next: String(next) }) };
}

/** Answers a list call of Cloud Control from `all`, the descriptions by type. */
export function cloudControlPage(all: Record<string, JsonObject[]>, { input }: Call, size = 2): Answer {
  const type = text(input, "TypeName") ?? "";
  const rows = all[type];
  if (rows === undefined) return { status: 400, code: "TypeNotFoundException" };
  const page = pageOf(rows, size, text(input, "NextToken"));
  return {
    body: { TypeName: type, ResourceDescriptions: page.rows, ...(page.next && { NextToken: page.next }) },
  };
}

/** Returns every row of a listing's documents, in any of the formats. */
export function rowsOf(documents: readonly JsonObject[]): JsonObject[] {
  return documents.flatMap((document) =>
    ["ResourceDescriptions", "Resources", "ResourceTagMappingList"].flatMap((key) => members(document, key)),
  );
}

const SIGNATURE =
  /^AWS4-HMAC-SHA256 Credential=([A-Z0-9]+)\/\d{8}\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/;

/** Returns the resources that the documents contain when they are pushed as a listing. */
export async function resourcesOf(documents: readonly JsonObject[]): Promise<ListedResource[]> {
  const resources: ListedResource[] = [];
  const lines = documents.map((document) => `${JSON.stringify(document)}\n`).join("");
  await readListing(new Blob([lines]).stream(), {
    formats: aws.formats,
    clouds: CLOUDS,
    take: (resource) => resources.push(resource),
  });
  return resources;
}

async function callOf(request: Request): Promise<Call | undefined> {
  const signed = SIGNATURE.exec(request.headers.get("authorization") ?? "") ?? [];
  const [, accessKeyId, region, service] = signed;
  if (accessKeyId === undefined || region === undefined || service === undefined) return undefined;
  const parsed = parseCall(request, service, await request.text());
  return parsed && { accessKeyId, region, ...parsed };
}

function parseCall(
  request: Request,
  service: string,
  body: string,
): Pick<Call, "action" | "input"> | undefined {
  const target = request.headers.get("x-amz-target");
  const { pathname: path, searchParams } = new URL(request.url);
  const [, zone] = RECORDS.exec(path) ?? [];
  if (zone !== undefined)
    return {
      action: "route53:ListResourceRecordSets",
      input: { HostedZoneId: zone, ...Object.fromEntries(searchParams) },
    };
  if (path === "/" && target === null) {
    const { Action = "", ...input } = Object.fromEntries(new URLSearchParams(body));
    return { action: `${service}:${Action}`, input };
  }
  const action = target === null ? PATHS[path] : TARGETS[target];
  return action === undefined ? undefined : { action, input: body === "" ? {} : JSON.parse(body) };
}

function isXml({ action }: Call): boolean {
  return /^(?:ec2|route53|sts):/.test(action);
}

type Spoken = Exclude<Answer, Response | "silence" | { nonsense: string }>;

function jsonResponse(answer: Spoken): Response {
  if ("body" in answer)
    return Response.json(answer.body, { headers: { "content-type": "application/x-amz-json-1.0" } });
  const { status, code, message = code, headers = {} } = answer;
  return Response.json(
    { __type: `com.amazon.coral.service#${code}`, Message: message },
    { status, headers: { "x-amzn-errortype": code, ...headers } },
  );
}

function xmlResponse({ action }: Call, answer: Spoken): Response {
  const headers = { "content-type": "text/xml" };
  if ("body" in answer) {
    const [service, name = ""] = action.split(":");
    const body = xmlOf(service === "sts" ? { [`${name}Result`]: answer.body } : answer.body);
    return new Response(`<${name}Response>${body}</${name}Response>`, { headers });
  }
  const { status, code, message = code } = answer;
  return new Response(
    action.startsWith("ec2:")
      ? xmlOf({ Response: { Errors: [{ Code: code, Message: message }], RequestID: "1" } })
      : xmlOf({ ErrorResponse: { Error: { Type: "Sender", Code: code, Message: message } } }),
    { status, headers },
  );
}

/** Renders a value as XML. A list's items are named after the list without the `s`; items of EC2's sets are `item`. */
function xmlOf(value: Json, name = ""): string {
  const itemName = name.endsWith("Set") ? "item" : name.slice(0, -1);
  if (Array.isArray(value)) return value.map((item) => xmlOf({ [itemName]: item })).join("");
  if (!isObject(value)) return Bun.escapeHTML(typeof value === "string" ? value : JSON.stringify(value));
  return Object.entries(value)
    .map(([name, inner]) => `<${name}>${xmlOf(inner, name)}</${name}>`)
    .join("");
}
