import { AppError, type ErrorCode } from "@leeway/shared/values/errors";

import { prefers } from "./accepted.ts";
import { json, type Answer } from "./answer.ts";

/** HTTP status by error code. No other code maps errors to statuses. */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  account_mismatch: 400,
  ambiguous_resource: 409,
  conflict: 409,
  credential_rejected: 422,
  empty_update: 400,
  enrichment_failed: 422,
  forbidden: 403,
  idempotency_key_reused: 422,
  internal: 500,
  invalid_body: 400,
  invalid_cursor: 400,
  invalid_parameter: 400,
  llm_config_not_found: 404,
  method_not_allowed: 405,
  no_credentials: 409,
  not_cancelable: 409,
  not_found: 404,
  org_required: 400,
  payload_too_large: 413,
  plan_is_binary: 400,
  plan_is_state_file: 400,
  plan_is_stream: 400,
  provider_unavailable: 503,
  rate_limited: 429,
  registry_not_configured: 503,
  repository_mismatch: 403,
  request_timeout: 408,
  scan_in_progress: 409,
  serial_conflict: 409,
  stale_state: 409,
  state_encrypted: 400,
  too_slow_to_read: 422,
  unauthenticated: 401,
  unavailable: 503,
  unsupported_format: 400,
  unsupported_media_type: 415,
  unsupported_plan_format: 400,
};

const PROBLEM_TYPE = "application/problem+json";
const TITLE_OF: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** Error shown for a bug, without details. */
export const INTERNAL = new AppError("internal", "internal error; include the request id when you report it");

/** Answers a request that failed with `error`; as a problem (RFC 9457) for clients that prefer it. */
export function failureAnswer(
  error: AppError,
  { requestId, accept }: { requestId: string; accept: string | null },
): Answer {
  const status = STATUS_OF[error.code];
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(error.retryAfterSeconds);
  if (error.code === "unauthenticated") headers["www-authenticate"] = "Bearer";
  // The rest of the body isn't read.
  if (error.code === "request_timeout") headers["connection"] = "close";
  // The interface defines a separate body for this error.
  if (error.code === "invalid_body") return json({ error: error.message, ...error.fields }, status, headers);
  const body = {
    code: error.code,
    error: error.code,
    message: error.message,
    request_id: requestId,
    ...(error.details && { details: error.details }),
    ...error.fields,
  };
  if (!prefers(accept, PROBLEM_TYPE)) return json(body, status, headers);
  const problem = {
    type: `urn:leeway:error:${error.code}`,
    title: TITLE_OF[status],
    status,
    detail: error.message,
    instance: `urn:leeway:request:${requestId}`,
  };
  return json({ ...body, ...problem }, status, { ...headers, "content-type": PROBLEM_TYPE });
}
