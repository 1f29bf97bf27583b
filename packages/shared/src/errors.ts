import type { JsonObject } from "./json.ts";

/** Every way in which a request of ours can fail; the gateway gives each its HTTP status. */
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
  | "request_timeout"
  | "scan_in_progress"
  | "serial_conflict"
  | "stale_state"
  | "state_encrypted"
  | "unauthenticated"
  | "unavailable"
  | "unsupported_format"
  | "unsupported_media_type"
  | "unsupported_plan_format";

/** One field of the input that is wrong; `field` is a dotted path into the body, or a parameter's name. */
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

/** What the caller did wrong, or what is down. Its message is shown to the caller and never holds a secret. */
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

/** A request with one wrong field. */
export function invalidParameter(field: string, message: string, code = "invalid"): AppError {
  return new AppError("invalid_parameter", `${field} ${message}`, { details: [{ field, code, message }] });
}

/** What a request without the body that it needs is refused with; `cause` where one came that is none. */
export function bodyRequired(cause?: unknown): AppError {
  const details = [{ field: "body", code: "required", message: "is required" }];
  return new AppError("invalid_parameter", "a body is required", { details, cause });
}

/** What a service can't reach right now; the caller may try again in a moment. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("unavailable", message, { cause, retryAfterSeconds: 1 });
}
