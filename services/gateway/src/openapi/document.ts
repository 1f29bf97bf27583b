import { RETENTION } from "@leeway/shared/contracts/retention";
import type { JsonObject } from "@leeway/shared/values/json";

import type { Endpoint } from "../http/endpoint.ts";
import { failure } from "./failures.ts";
import { INTRODUCTION, TAGS } from "./introduction.ts";
import { errorGroups, nameOf, operation } from "./operation.ts";
import { namedSchemas } from "./schemas.ts";

const SECURITY_SCHEMES = {
  ApiKey: { type: "http", scheme: "bearer", description: "API key, `leeway_…`" },
  Token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "Token of a person from the configured OpenID Connect provider",
  },
  Operator: { type: "http", scheme: "bearer", description: "The value of `OPERATOR_TOKEN`" },
};

const HEADERS = {
  "X-Request-Id": {
    description: "Id of the request: the one you sent, or a generated one",
    schema: { type: "string" },
  },
  "RateLimit-Policy": { description: "Limit: `q` requests per `w` seconds", schema: { type: "string" } },
  RateLimit: { description: "`r` requests remain for the next `t` seconds", schema: { type: "string" } },
  "Retry-After": {
    description: "Seconds to wait before retrying",
    schema: { type: "integer", minimum: 1 },
  },
  Location: {
    description: "URL of the created or queued object",
    schema: { type: "string", format: "uri-reference" },
  },
  Link: { description: 'The next page, `rel="next"`', schema: { type: "string" } },
  "Idempotent-Replayed": {
    description: "`true` if this is the stored response to an earlier request with the same key",
    schema: { type: "string", enum: ["true"] },
  },
};

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: `Within ${RETENTION.idempotencyKeys.days * 24} hours, a repeated request with the same key gets the first response, unless that was an error`,
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b",
};

const ORGANIZATION = {
  name: "X-Org-Id",
  in: "header",
  required: false,
  description: "Organization to use, for people who belong to several. Same as `org_id` in the body",
  schema: { type: "string", format: "uuid" },
};

/** Returns the API's description (OpenAPI 3.1). */
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
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, Organization: ORGANIZATION },
      schemas: namedSchemas(),
      responses: Object.fromEntries(failures),
    },
  };
}
