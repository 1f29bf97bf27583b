import { AppError, type ErrorCode } from "@leeway/shared/errors";
import type { Json, JsonObject } from "@leeway/shared/json";

import type { Endpoint } from "../http/endpoint.ts";
import { failureAnswer } from "../http/failure.ts";
import { SAMPLES } from "./errors.ts";
import { INTRODUCTION, TAGS } from "./introduction.ts";
import { errorGroups, headers, nameOf, operation } from "./operation.ts";
import { namedSchemas } from "./schemas.ts";

const REQUEST_ID = "0199bd6e-0e1f-7c41-8a5d-6f2f0c9d4b11";

const SECURITY_SCHEMES = {
  ApiKey: { type: "http", scheme: "bearer", description: "An API key, `leeway_…`" },
  Token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A person's token from the configured OpenID Connect provider",
  },
  Operator: { type: "http", scheme: "bearer", description: "The token in `OPERATOR_TOKEN`" },
};

const HEADERS = {
  "X-Request-Id": {
    description: "The request's id, ours or the one you sent",
    schema: { type: "string" },
  },
  "RateLimit-Policy": { description: "The limit: `q` requests in `w` seconds", schema: { type: "string" } },
  RateLimit: { description: "`r` requests left, for `t` more seconds", schema: { type: "string" } },
  "Retry-After": {
    description: "Seconds until a retry makes sense",
    schema: { type: "integer", minimum: 1 },
  },
  Location: { description: "Where it is to be found", schema: { type: "string", format: "uri-reference" } },
  Link: { description: 'The next page, `rel="next"`', schema: { type: "string" } },
  "Idempotent-Replayed": {
    description: "`true` when this is the answer to an earlier request under the same key",
    schema: { type: "string", enum: ["true"] },
  },
};

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A repeat under the same key gets the first answer again, for 24 hours",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b",
};

/** The API's description (OpenAPI 3.1). */
export function openApiDocument(endpoints: readonly Endpoint[], baseUrl: string): JsonObject {
  const shown = endpoints.filter(({ hidden }) => hidden !== true);
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of shown) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  const failures = shown.flatMap(errorGroups).map(([, codes]) => [nameOf(codes), failure(codes)]);
  return {
    openapi: "3.1.1",
    info: {
      title: "Leeway",
      version: "2.0.0",
      description: INTRODUCTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      schemas: namedSchemas(),
      responses: Object.fromEntries(failures),
    },
  };
}

function failure(codes: readonly ErrorCode[]): JsonObject {
  const retryable = codes.some((code) => code === "rate_limited" || code === "unavailable");
  const bodies = new Set(codes.map((code) => (code === "invalid_body" ? "InvalidBody" : "Error")));
  const references = [...bodies].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [only] = references;
  const schema = references.length === 1 && only ? only : { anyOf: references };
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: headers(["X-Request-Id", ...(retryable ? ["Retry-After"] : [])]),
    content: {
      "application/json": { schema, examples: samples(codes) },
      "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
    },
  };
}

function samples(codes: readonly ErrorCode[]): JsonObject {
  return Object.fromEntries(codes.map((code) => [code, { value: sample(code) }]));
}

/** The body that a client would get. */
function sample(code: ErrorCode): Json {
  const { message, ...rest } = SAMPLES[code];
  const { body } = failureAnswer(new AppError(code, message, rest), { requestId: REQUEST_ID, accept: null });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the body is JSON that we have just written
  return JSON.parse(String(body)) as Json;
}
