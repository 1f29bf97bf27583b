import { member, members, text, type JsonObject } from "@leeway/shared/values/json";

import type { ShardFailure } from "../connector.ts";
import type { Answer } from "../rest/rest-client.ts";
import { retryAfterMs } from "../rest/retry-after.ts";

const NOT_ENABLED = new Set(["SERVICE_DISABLED", "accessNotConfigured"]);
const RATE_LIMITED = [
  "RATE_LIMIT_EXCEEDED",
  "RATELIMIT_EXCEEDED",
  "rateLimitExceeded",
  "userRateLimitExceeded",
];
/** Shape of Google's status codes. They are safe to show: a closed set that never contains data. */
const STATUS = /^[A-Z_]{1,40}$/;
const ERROR = /^[a-z_]{1,40}$/;
const DURATION = /^(\d{1,9}(?:\.\d{1,9})?)s$/;

/** Translates a refusal by Google; `permission` is what the call to `service` needs. */
export function googleFailure(
  { status, body }: Answer,
  { service, permission, project }: { service: string; permission: string; project: string },
): ShardFailure {
  const error = member(body, "error");
  const reasons = reasonsOf(error);
  const said = text(error, "status") ?? "";
  const words = STATUS.test(said) ? `${status} ${said}` : String(status);
  const has = (known: readonly string[]): boolean => reasons.some((reason) => known.includes(reason));
  if (status === 429 || has(RATE_LIMITED))
    return { code: "throttled", message: "Google is throttling requests" };
  const disabled = notEnabled({ body }, service);
  if (disabled) return disabled;
  if (status === 401) return { code: "permission_denied", message: "Google rejected the access token" };
  if (status === 403 || status === 404)
    return {
      code: "permission_denied",
      message: `${permission} is missing on the project ${project}, or the project doesn't exist`,
    };
  if (status === 504) return { code: "timeout", message: `Google timed out (${words})` };
  return { code: "internal", message: `Google answered ${words}` };
}

/** Returns the failure if the answer says that `service` isn't enabled. */
export function notEnabled({ body }: Pick<Answer, "body">, service: string): ShardFailure | undefined {
  if (!reasonsOf(member(body, "error")).some((reason) => NOT_ENABLED.has(reason))) return undefined;
  const message = `an API isn't enabled in the credentials' project; enable ${service}.googleapis.com`;
  return { code: "unsupported", message };
}

/** Explains why Google returns no access token for the service account `account`. */
export function tokenFailure({ status, body }: Answer, account: string): ShardFailure {
  const said = text(body, "error") ?? "";
  const words = ERROR.test(said) ? `${status} ${said}` : String(status);
  if (status === 429) return { code: "throttled", message: "Google is throttling access tokens" };
  if (status >= 500)
    return { code: "internal", message: `Google answered ${words} instead of an access token` };
  return { code: "permission_denied", message: `Google refused an access token for ${account} (${words})` };
}

/** Returns the wait that Google asks for, in milliseconds. */
export function googlePause({ headers, body }: Answer, now: number): number | undefined {
  const details = members(member(body, "error"), "details");
  const delays = details.map((detail) => DURATION.exec(text(detail, "retryDelay") ?? "")?.[1]);
  const seconds = delays.find((delay) => delay !== undefined);
  return seconds === undefined ? retryAfterMs(headers, now) : Number(seconds) * 1000;
}

/** Returns the reasons in both of Google's formats: `details` with an ErrorInfo, and the older `errors`. */
function reasonsOf(error: JsonObject | undefined): string[] {
  return [...members(error, "details"), ...members(error, "errors")].flatMap(
    (part) => text(part, "reason") ?? [],
  );
}
