import { Type as t } from "@sinclair/typebox";
import type { ErrorCode, ErrorDetail } from "@leeway/shared/values/errors";
import type { JsonObject } from "@leeway/shared/values/json";

import { isUnscoped, isVersioned, type Endpoint } from "../http/endpoint.ts";
import { LIVE_RESOURCE } from "../examples/common.ts";

const ErrorDetailSchema = t.Object({
  field: t.String({ description: "Dotted path into the body, or name of a parameter" }),
  code: t.String(),
  message: t.String(),
});

const MEMBERS = {
  code: t.String({ description: "Error code, for programs" }),
  error: t.String({ description: "Same value as `code`" }),
  message: t.String({ description: "Description of the error, for people" }),
  request_id: t.String({ description: "Same value as `X-Request-Id`. Include it when you report a problem" }),
  details: t.Optional(t.Array(ErrorDetailSchema)),
};

/** Body of every error except {@link InvalidBody}. Some codes add their own members. */
export const ErrorBody = t.Object(MEMBERS, { additionalProperties: true });

/** Body of the error for a request body that isn't JSON or has unknown members. */
export const InvalidBody = t.Object(
  {
    error: t.String({ pattern: "^invalid request body: " }),
    message: t.Optional(t.String({ description: "How to send it correctly, if known" })),
  },
  { additionalProperties: false },
);

/** An error as a problem (RFC 9457), for `Accept: application/problem+json`. */
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

/** An example of every error. */
export const SAMPLES: Readonly<Record<ErrorCode, Sample>> = {
  account_mismatch: {
    message:
      "other accounts own all 98 resources that name an account: 210987654321 (98). This account is 123456789012. Push the listing to the account it belongs to.",
    fields: { accounts: [{ external_id: "210987654321", resources: 98 }], own_resources: 0 },
  },
  ambiguous_resource: { message: "several accounts have a resource with this id; use Leeway's id" },
  conflict: { message: "it already exists" },
  credential_rejected: {
    message: "the provider rejects this api_key; check that it is complete and still valid",
  },
  empty_update: { message: "the body changes nothing; provide at least one field to update" },
  enrichment_failed: {
    message: "not_found: AWS has no such resource in eu-central-1",
    fields: {
      enrichment_failure_reason: "not_found: AWS has no such resource in eu-central-1",
      resource: { ...LIVE_RESOURCE, enrichment_status: "failed" },
    },
  },
  forbidden: { message: "this requires the role admin or above" },
  idempotency_key_reused: {
    message: "this Idempotency-Key was already used for a different request; use a new key",
  },
  internal: { message: "internal error; include the request id when you report it" },
  invalid_body: { message: 'invalid request body: json: unknown field "nmae"' },
  invalid_cursor: { message: "cursor isn't valid for this list; use the next_cursor of the previous page" },
  invalid_parameter: {
    message: "limit must be a whole number of at least 1",
    details: [{ field: "limit", code: "invalid", message: "must be a whole number of at least 1" }],
  },
  llm_config_not_found: { message: "the organization has no model key; set one with PUT llm-config" },
  method_not_allowed: { message: "this path doesn't support POST" },
  no_credentials: { message: "the account has no credentials; add some, or push a listing instead" },
  not_cancelable: { message: "the scan has already ended" },
  not_found: { message: "the organization doesn't exist" },
  org_required: { message: "you belong to several organizations; choose one with org_id or X-Org-Id" },
  payload_too_large: { message: "the body exceeds the limit of 1048576 bytes" },
  plan_is_binary: { message: "this is a binary plan; send the output of `terraform show -json PLAN`" },
  plan_is_state_file: {
    message: "this is a state, not a plan; send the output of `terraform show -json PLAN`",
  },
  plan_is_stream: {
    message: "this is the output of `plan -json`; send the output of `terraform show -json PLAN`",
  },
  provider_unavailable: { message: "the provider didn't answer in time; retry later" },
  rate_limited: { message: "too many requests in this minute; retry after the time in Retry-After" },
  registry_not_configured: { message: "no cloud provider is configured on this server" },
  repository_mismatch: {
    message:
      "the change belongs to IaC source network of repository shop/network; decide there, or in Leeway as an owner or admin",
  },
  request_timeout: { message: "the body didn't arrive in time" },
  scan_in_progress: {
    message: "another scan of this account is in progress; retry when it has ended",
    fields: { scan_id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96" },
  },
  serial_conflict: { message: "serial 42 was already pushed with different content; push a higher serial" },
  stale_state: { message: "a newer state was already pushed", fields: { current_serial: 43 } },
  state_encrypted: { message: "the state is encrypted; push the output of `tofu show -json`" },
  too_slow_to_read: {
    message:
      "reading the document was stopped after 7 s of processor time; send a smaller or less deeply nested one",
  },
  unauthenticated: {
    message: "authentication is required; send an API key or token as Authorization: Bearer",
  },
  unavailable: { message: "the inventory service isn't running; retry in a moment" },
  unsupported_format: { message: "this isn't a known listing format" },
  unsupported_media_type: { message: "the body must be JSON, not application/xml" },
  unsupported_plan_format: {
    message: "plan has no format_version; send the output of `terraform show -json PLAN`",
  },
};

/** Returns whether a role, a kind of caller, or credentials for some repositories don't suffice. */
function isRefusedToSome({ who, only, method, checksRepository }: Endpoint): boolean {
  if (only !== undefined || who === "owner" || who === "admin" || who === "member") return true;
  const isSignedIn = who === "viewer" || who === "caller";
  return isSignedIn && method !== "GET" && checksRepository !== true;
}

/** Returns every error code that an operation can answer with. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(["internal", ...(endpoint.errors ?? [])]);
  const add = (when: boolean, ...more: ErrorCode[]) => {
    if (when) for (const code of more) codes.add(code);
  };
  const { who, path, body, upload, raw, creates } = endpoint;
  const named = path.includes("/:") && !raw;
  const inOrganization = path.includes("/orgs/:id");
  add(who === "operator", "not_found");
  add(who !== "public" && who !== "operator", "unauthenticated");
  add(who !== "public", "rate_limited", "unavailable");
  add(named || isVersioned(endpoint), "invalid_parameter");
  add(inOrganization || named, "not_found");
  add(isRefusedToSome(endpoint), "forbidden");
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
