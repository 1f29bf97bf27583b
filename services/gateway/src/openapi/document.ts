import type { JsonObject } from "@leeway/shared/json";

import type { Endpoint } from "../http/endpoint.ts";
import { failure } from "./failures.ts";
import { INTRODUCTION, TAGS } from "./introduction.ts";
import { errorGroups, nameOf, operation } from "./operation.ts";
import { namedSchemas } from "./schemas.ts";

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
  description:
    "A repeat under the same key gets the first answer again, for 24 hours, unless that was a refusal",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b",
};

const ORGANIZATION = {
  name: "X-Org-Id",
  in: "header",
  required: false,
  description: "The organization, for a person who belongs to several; the body's `org_id` is the same",
  schema: { type: "string", format: "uuid" },
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
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, Organization: ORGANIZATION },
      schemas: namedSchemas(),
      responses: Object.fromEntries(failures),
    },
  };
}
