import type { JsonObject } from "./json.ts";

/** Codes of all failures of our requests. The gateway maps each to an HTTP status. */
export type ErrorCode =
  | "account_mismatch"
  | "ambiguous_resource"
  | "conflict"
  | "credential_rejected"
  | "empty_update"
  | "enrichment_failed"
  | "forbidden"
  | "idempotency_key_reused"
  | "internal"
  | "invalid_body"
  | "invalid_cursor"
  | "invalid_parameter"
  | "llm_config_not_found"
  | "method_not_allowed"
  | "no_credentials"
  | "not_cancelable"
  | "not_found"
  | "org_required"
  | "payload_too_large"
  | "plan_is_binary"
  | "plan_is_state_file"
  | "plan_is_stream"
  | "provider_unavailable"
  | "rate_limited"
  | "registry_not_configured"
  | "repository_mismatch"
  | "request_timeout"
  | "scan_in_progress"
  | "serial_conflict"
  | "stale_state"
  | "state_encrypted"
  | "too_slow_to_read"
  | "unauthenticated"
  | "unavailable"
  | "unsupported_format"
  | "unsupported_media_type"
  | "unsupported_plan_format";

/** A wrong field of the input. `field` is a dotted path in the body, or the name of a parameter. */
export interface ErrorDetail {
  field: string;
  code: string;
  message: string;
}

interface AppErrorOptions extends ErrorOptions {
  details?: ErrorDetail[];
  /** Further members of the error body, such as `scan_id`. */
  fields?: JsonObject;
  retryAfterSeconds?: number;
}

/**
 * A mistake of the caller, or a dependency that is down. The message is shown to the caller and never contains a
 * secret.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly fields: JsonObject | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.details = options.details;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Returns the error for one wrong field. */
export function invalidParameter(field: string, message: string, code = "invalid"): AppError {
  return new AppError("invalid_parameter", `${field} ${message}`, { details: [{ field, code, message }] });
}

/** Returns the error for a missing body; `cause` if a body came but isn't valid. */
export function bodyRequired(cause?: unknown): AppError {
  const details = [{ field: "body", code: "required", message: "is required" }];
  return new AppError("invalid_parameter", "the request needs a body", { details, cause });
}

/** Returns the error for a dependency that can't be reached now. The caller may retry in a moment. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("unavailable", message, { cause, retryAfterSeconds: 1 });
}
