import type { ErrorCode } from "@leeway/shared/errors";
import { isObject, type Json, type JsonObject } from "@leeway/shared/json";
import type { TSchema } from "@sinclair/typebox";

import type { Endpoint } from "../http/endpoint.ts";
import { STATUS_OF } from "../http/failure.ts";
import { placeholders } from "../http/parameters.ts";
import { errorsOf } from "./errors.ts";
import { requestSchema, responseSchema } from "./schemas.ts";

/** One operation as OpenAPI describes it. */
export function operation(endpoint: Endpoint): JsonObject {
  const { operationId, tag, summary, description } = endpoint;
  const body = requestBody(endpoint);
  const errors = errorGroups(endpoint).map(([status, codes]) => [
    status,
    reference("responses", nameOf(codes)),
  ]);
  const others = endpoint.otherwise?.map((answer) => [answer.status, answered(endpoint, answer)]) ?? [];
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, accessNote(endpoint)].filter(Boolean).join("\n\n"),
    security: security(endpoint),
    parameters: parameters(endpoint),
    ...(body && { requestBody: body }),
    responses: {
      [endpoint.success.status]: answered(endpoint, endpoint.success),
      ...Object.fromEntries(errors),
      ...Object.fromEntries(others),
    },
  };
}

/** An operation's errors, by status. */
export function errorGroups(endpoint: Endpoint): [status: string, codes: ErrorCode[]][] {
  const groups = Object.groupBy(errorsOf(endpoint), (code) => STATUS_OF[code]);
  return Object.entries(groups).map(([status, codes = []]) => [status, codes]);
}

/** What a response with these errors is called. */
export function nameOf(codes: readonly ErrorCode[]): string {
  return codes.join(".");
}

/** The description of headers that an answer has. */
export function headers(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, reference("headers", name)]));
}

function reference(kind: string, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

function accessNote({ who, only }: Endpoint): string {
  const callers = only === "person" ? " API keys can't." : "";
  switch (who) {
    case "public":
    case "operator":
      return "";
    case "caller":
      return `Any caller.${callers}`;
    case "viewer":
      return `Any member.${callers}`;
    case "owner":
      return `Owners only.${callers}`;
    case "admin":
    case "member":
      return `Role ${who} or above.${callers}`;
  }
}

function security({ who, only }: Endpoint): Json {
  if (who === "public") return [];
  if (who === "operator") return [{ Operator: [] }];
  const all = { api_key: { ApiKey: [] }, person: { Token: [] } };
  return only ? [all[only]] : Object.values(all);
}

function parameters({ path, params, query, creates }: Endpoint): Json {
  const steps = placeholders(path).map(([name]) => pathParameter(name, params.properties[name]));
  const filters = Object.entries(query.properties).map(([name, schema]) => queryParameter(name, schema));
  return [...steps, ...filters, ...(creates ? [reference("parameters", "IdempotencyKey")] : [])];
}

function pathParameter(name: string, schema: TSchema | undefined): JsonObject {
  const base = { name, in: "path", required: true };
  if (name === "id") {
    return { ...base, description: "The organization", schema: { type: "string", format: "uuid" } };
  }
  return { ...base, schema: schema ? requestSchema(schema) : { type: "string" } };
}

function queryParameter(name: string, schema: TSchema): JsonObject {
  const described = requestSchema(schema);
  const { description, ...rest } = isObject(described) ? described : {};
  return { name, in: "query", required: false, ...(description && { description }), schema: rest };
}

function requestBody({ body, bodyExample, upload, raw }: Endpoint): JsonObject | undefined {
  if (raw)
    return { required: true, description: raw.description, content: { "application/json": { schema: {} } } };
  if (upload) {
    const bytes = { schema: { type: "string", contentMediaType: "application/octet-stream" } };
    const content = {
      "application/json": { schema: {} },
      "application/x-ndjson": bytes,
      "application/octet-stream": bytes,
    };
    return { required: true, description: upload.description, content };
  }
  if (!body) return undefined;
  const needed: unknown = body["required"];
  const content = withExample(requestSchema(body), bodyExample);
  return { required: Array.isArray(needed) && needed.length > 0, content: { "application/json": content } };
}

function answered(endpoint: Endpoint, answer: Endpoint["success"]): JsonObject {
  const { status, description, schema, example, mediaType = "application/json" } = answer;
  const shown = { description, headers: headers(successHeaders(endpoint)) };
  if (status === 204) return shown;
  const content = schema ? withExample(responseSchema(schema), example) : { schema: { type: "string" } };
  return { ...shown, content: { [mediaType]: content } };
}

function successHeaders({ who, creates, success, query, path }: Endpoint): string[] {
  const limited = who !== "public" && who !== "operator";
  const made = success.status === 201 || (success.status === 202 && /\/(?:scans|listing)$/.test(path));
  return [
    "X-Request-Id",
    ...(limited ? ["RateLimit-Policy", "RateLimit"] : []),
    ...(made ? ["Location"] : []),
    ...(creates ? ["Idempotent-Replayed"] : []),
    ...("cursor" in query.properties ? ["Link"] : []),
  ];
}

function withExample(schema: Json, example: unknown): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- examples are written as JSON
  return { schema, ...(example !== undefined && { example: example as Json }) };
}
