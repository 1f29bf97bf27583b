import { Type as t } from "@sinclair/typebox";
import type { ErrorCode, ErrorDetail } from "@leeway/shared/errors";
import type { JsonObject } from "@leeway/shared/json";

import { isUnscoped, type Endpoint } from "../http/endpoint.ts";
import { LIVE_RESOURCE } from "./examples.ts";

const ErrorDetailSchema = t.Object({
  field: t.String({ description: "Dotted path into the body, or a parameter's name" }),
  code: t.String(),
  message: t.String(),
});

const MEMBERS = {
  code: t.String({ description: "What went wrong, for programs" }),
  error: t.String({ description: "Always the same as `code`" }),
  message: t.String({ description: "What went wrong, for people" }),
  request_id: t.String({ description: "Also in `X-Request-Id`; name it when you ask for help" }),
  details: t.Optional(t.Array(ErrorDetailSchema)),
};

/** The body of every error but the next. Some codes bring members of their own. */
export const ErrorBody = t.Object(MEMBERS, { additionalProperties: true });

/** The body when a request's body isn't JSON or has a member that the operation doesn't know. */
export const InvalidBody = t.Object(
  {
    error: t.String({ pattern: "^invalid request body: " }),
    message: t.Optional(t.String({ description: "What to send instead, where that shows" })),
  },
  { additionalProperties: false },
);

/** The same as a problem (RFC 9457), for `Accept: application/problem+json`. */
export const Problem = t.Object(
  {
    ...MEMBERS,
    type: t.String(),
    title: t.String(),
    status: t.Integer(),
    detail: t.String(),
    instance: t.String(),
  },
  { additionalProperties: true },
);

interface Sample {
  message: string;
  fields?: JsonObject;
  details?: ErrorDetail[];
}

/** A sample of every error. */
export const SAMPLES: Readonly<Record<ErrorCode, Sample>> = {
  account_mismatch: { message: "every row of the listing belongs to another account" },
  ambiguous_resource: { message: "several accounts have a resource of this id" },
  conflict: { message: "there is one already" },
  credential_rejected: { message: "the provider rejects this api_key" },
  empty_update: { message: "the body changes nothing" },
  enrichment_failed: {
    message: "not_found: AWS has no such resource in eu-central-1",
    fields: {
      enrichment_failure_reason: "not_found: AWS has no such resource in eu-central-1",
      resource: { ...LIVE_RESOURCE, enrichment_status: "failed" },
    },
  },
  forbidden: { message: "this takes the role admin or above" },
  idempotency_key_reused: { message: "this Idempotency-Key was used for another request" },
  internal: { message: "something went wrong here" },
  invalid_body: { message: 'invalid request body: json: unknown field "nmae"' },
  invalid_cursor: { message: "cursor is not one that this list gave out" },
  invalid_parameter: {
    message: "limit must be a whole number of at least 1",
    details: [{ field: "limit", code: "invalid", message: "must be a whole number of at least 1" }],
  },
  llm_config_not_found: { message: "the organization has no model key of its own" },
  method_not_allowed: { message: "this path doesn't take POST" },
  no_credentials: { message: "the account has no credentials: push a listing instead" },
  not_cancelable: { message: "the scan is over" },
  not_found: { message: "there is no such organization" },
  org_required: { message: "name the organization in org_id or X-Org-Id" },
  payload_too_large: { message: "the body is larger than 1048576 bytes" },
  plan_is_binary: { message: "this is a binary plan: send what `terraform show -json PLAN` writes" },
  plan_is_state_file: {
    message: "this is a state, not a plan: send what `terraform show -json PLAN` writes",
  },
  plan_is_stream: {
    message: "this is what `plan -json` prints while it works: send what `terraform show -json PLAN` writes",
  },
  provider_unavailable: { message: "the provider didn't answer in time" },
  rate_limited: { message: "too many requests in this minute" },
  registry_not_configured: { message: "no cloud provider is configured" },
  request_timeout: { message: "the body didn't arrive in time" },
  scan_in_progress: {
    message: "a scan of this account is under way",
    fields: { scan_id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96" },
  },
  serial_conflict: { message: "serial 42 was pushed with other content" },
  stale_state: { message: "a newer state has been pushed", fields: { current_serial: 43 } },
  state_encrypted: { message: "the state is encrypted: push the output of `tofu show -json`" },
  unauthenticated: { message: "an API key or a token is needed, as Authorization: Bearer" },
  unavailable: { message: "the inventory service isn't there" },
  unsupported_format: { message: "this is no listing that Leeway knows" },
  unsupported_media_type: { message: "the body must be JSON, not application/xml" },
  unsupported_plan_format: {
    message: "plan has no format_version: send what `terraform show -json PLAN` writes",
  },
};

/** Every code that an operation can answer with. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(["internal", ...(endpoint.errors ?? [])]);
  const add = (when: boolean, ...more: ErrorCode[]) => {
    if (when) for (const code of more) codes.add(code);
  };
  const { who, only, path, query, body, upload, raw, creates } = endpoint;
  const named = path.includes("/:") && !raw;
  const inOrganization = path.includes("/orgs/:id");
  add(who === "operator", "not_found");
  add(who !== "public" && who !== "operator", "unauthenticated");
  add(who !== "public", "rate_limited", "unavailable");
  add(named || Object.keys(query.properties).length > 0, "invalid_parameter");
  add(inOrganization || named, "not_found");
  add(only !== undefined || who === "owner" || who === "admin" || who === "member", "forbidden");
  add(isUnscoped(endpoint), "invalid_parameter", "not_found", "org_required");
  add(body !== undefined, "invalid_body");
  add(
    body !== undefined || upload !== undefined,
    "invalid_parameter",
    "payload_too_large",
    "request_timeout",
    "unsupported_media_type",
  );
  add(raw !== undefined, "payload_too_large", "rate_limited", "request_timeout", "unavailable");
  add(creates === true, "conflict", "idempotency_key_reused", "invalid_parameter");
  return [...codes].toSorted();
}
