import type { ErrorCode } from "@leeway/shared/values/errors";
import { strict } from "@leeway/shared/contracts/contract";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import type { TSchema } from "@sinclair/typebox";

import { isUnscoped, type Answered, type Endpoint } from "../http/endpoint.ts";
import { STATUS_OF } from "../http/failure.ts";
import { placeholders } from "../http/parameters.ts";
import { rowOf, WHOLE_FORMS } from "../http/whole-list.ts";
import { errorsOf } from "./errors.ts";
import { failure } from "./failures.ts";
import { examplesOf, headers, reference } from "./references.ts";
import { requestSchema, responseSchema } from "./schemas.ts";

/** Describes one operation for OpenAPI. */
export function operation(endpoint: Endpoint): JsonObject {
  const { operationId, tag, summary, description } = endpoint;
  const body = requestBody(endpoint);
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, accessNote(endpoint)].filter(Boolean).join("\n\n"),
    security: security(endpoint),
    parameters: parameters(endpoint),
    ...(body && { requestBody: body }),
    responses: responses(endpoint),
  };
}

function responses(endpoint: Endpoint): JsonObject {
  const { success, otherwise = [] } = endpoint;
  const errors = errorGroups(endpoint);
  const codesOf = new Map(errors);
  const others = otherwise.map((answer) => {
    const codes = codesOf.get(String(answer.status));
    return [answer.status, codes ? failure(codes, answer) : answered(endpoint, answer)];
  });
  return {
    [success.status]: answered(endpoint, success),
    ...Object.fromEntries(errors.map(([status, codes]) => [status, reference("responses", nameOf(codes))])),
    ...Object.fromEntries(others),
  };
}

/** Returns an operation's errors, by status. */
export function errorGroups(endpoint: Endpoint): [status: string, codes: ErrorCode[]][] {
  const groups = Object.groupBy(errorsOf(endpoint), (code) => STATUS_OF[code]);
  return Object.entries(groups).map(([status, codes = []]) => [status, codes]);
}

/** Returns the name of a response with these errors. */
export function nameOf(codes: readonly ErrorCode[]): string {
  return codes.join(".");
}

const ONLY = { person: " Not with an API key.", api_key: " Only with an API key." };

function accessNote({ who, only }: Endpoint): string {
  const callers = only === undefined ? "" : ONLY[only];
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

function parameters(endpoint: Endpoint): Json {
  const { path, params, query, creates } = endpoint;
  const steps = placeholders(path).map(([name]) => pathParameter(name, params.properties[name]));
  const filters = Object.entries(query.properties).map(([name, schema]) => queryParameter(name, schema));
  const inHeaders = [
    ...(isUnscoped(endpoint) ? [reference("parameters", "Organization")] : []),
    ...(creates ? [reference("parameters", "IdempotencyKey")] : []),
  ];
  return [...steps, ...filters, ...inHeaders];
}

function pathParameter(name: string, schema: TSchema | undefined): JsonObject {
  const base = { name, in: "path", required: true };
  if (name === "id") {
    return { ...base, description: "Id of the organization", schema: { type: "string", format: "uuid" } };
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
    return { required: true, description: upload.description, content: uploadContent(upload, bodyExample) };
  }
  if (!body) return undefined;
  const needed: unknown = body["required"];
  const content = withExample(requestSchema(body), { example: bodyExample });
  return { required: Array.isArray(needed) && needed.length > 0, content: { "application/json": content } };
}

function uploadContent({ schema }: NonNullable<Endpoint["upload"]>, example: unknown): JsonObject {
  if (schema) return { "application/json": withExample(requestSchema(strict(schema)), { example }) };
  const bytes = { schema: { type: "string", contentMediaType: "application/octet-stream" } };
  return {
    "application/json": { schema: {} },
    "application/x-ndjson": bytes,
    "application/octet-stream": bytes,
  };
}

function answered(endpoint: Endpoint, answer: Answered): JsonObject {
  const { status, description, schema, mediaType = "application/json" } = answer;
  const shown = { description, headers: headers(successHeaders(endpoint, answer)) };
  if (status === 204) return shown;
  const content = schema ? withExample(responseSchema(schema), answer) : { schema: { type: "string" } };
  return { ...shown, content: { [mediaType]: content, ...wholeLists(endpoint, answer) } };
}

/** Describes the other forms of a list. */
function wholeLists(endpoint: Endpoint, { example }: Answered): JsonObject {
  const row = rowOf(endpoint);
  if (!row) return {};
  const rows = isObject(example) && Array.isArray(example["data"]) ? example["data"] : [];
  const forms = Object.entries(WHOLE_FORMS).map(([type, { of }]) => {
    const { header, line } = of(row);
    return [type, { schema: { type: "string" }, example: header + rows.map(line).join("") }];
  });
  return Object.fromEntries(forms);
}

function successHeaders(
  { who, creates, query }: Endpoint,
  { status, headers: own = [] }: Answered,
): Set<string> {
  const limited = who !== "public" && who !== "operator";
  return new Set([
    "X-Request-Id",
    ...(limited ? ["RateLimit-Policy", "RateLimit"] : []),
    ...(status === 201 ? ["Location"] : []),
    ...own,
    ...(creates ? ["Idempotent-Replayed"] : []),
    ...("cursor" in query.properties ? ["Link"] : []),
  ]);
}

function withExample(
  schema: Json,
  { example, examples }: Pick<Answered, "example" | "examples">,
): JsonObject {
  return {
    schema,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- examples are written as JSON
    ...(example !== undefined && { example: example as Json }),
    ...(examples && { examples: examplesOf(examples) }),
  };
}
