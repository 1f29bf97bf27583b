import { member, members, text } from "@leeway/shared/values/json";

import type { ShardFailure } from "../connector.ts";
import type { Answer } from "../rest/rest-client.ts";
import { retryAfterMs } from "../rest/retry-after.ts";

/** Shape of Azure's error codes. They are safe to show: a closed set that never contains data. */
const CODE = /^[A-Za-z]{1,60}$/;
const SIGN_IN_CODE = /\bAADSTS\d{4,7}\b/;
const TIME_SPAN = /^(\d{1,4}):(\d\d):(\d\d)(?:\.\d+)?$/;
const NOT_SEEN = ["NoValidSubscriptionsInQueryRequest", "SubscriptionNotFound", "InvalidSubscriptionId"];
const UNKNOWN_TABLE = ["DisallowedLogicalTableName", "UnknownTable", "DisallowedTableName"];

/** Entra ID's error codes that a user can fix. */
const SIGN_IN: Readonly<Record<string, string>> = {
  AADSTS7000215: "the client secret is wrong",
  AADSTS7000222: "the client secret has expired",
  AADSTS700016: "the tenant has no application with this client id",
  AADSTS90002: "the tenant doesn't exist",
  AADSTS900023: "the tenant doesn't exist",
  AADSTS7000112: "the application is disabled",
  AADSTS53003: "a conditional access policy blocks the sign-in",
  AADSTS70021: "the application has no federated credential for this issuer, subject and audience",
  AADSTS700211: "the application has no federated credential for this issuer",
  AADSTS700212: "the application has no federated credential for this audience",
  AADSTS700213: "the application has no federated credential for this subject",
  AADSTS700024: "the identity token isn't valid at this time",
};

/** Returns Azure's error codes, the general one first. */
export function codesOf({ body }: Pick<Answer, "body">): string[] {
  const error = member(body, "error");
  const codes = [text(error, "code"), ...members(error, "details").map((detail) => text(detail, "code"))];
  return codes.filter((code): code is string => code !== undefined && CODE.test(code));
}

/** Translates a refusal by Azure; `action` is the permission that the call needs. */
export function azureFailure(
  { status, body }: Answer,
  { action, subscription }: { action: string; subscription: string },
): ShardFailure {
  const said = codesOf({ body });
  const words = [status, ...said].join(" ");
  const has = (known: readonly string[]): boolean => said.some((code) => known.includes(code));
  if (status === 429) return { code: "throttled", message: "Azure is throttling requests" };
  if (status === 401)
    return { code: "permission_denied", message: `Azure rejected the access token (${words})` };
  if (status === 403 || status === 404 || has(NOT_SEEN))
    return {
      code: "permission_denied",
      message: `${action} is missing on the subscription ${subscription}, or the subscription doesn't exist (${words})`,
    };
  if (has(UNKNOWN_TABLE))
    return { code: "unsupported", message: `Resource Graph doesn't have this table (${words})` };
  if (status === 408 || status === 504) return { code: "timeout", message: `Azure timed out (${words})` };
  return { code: "internal", message: `Azure answered ${words}` };
}

/** Explains why Entra ID returns no access token for `client`. */
export function signInFailure({ status, body }: Answer, client: string): ShardFailure {
  if (status === 429) return { code: "throttled", message: "Entra ID is throttling access tokens" };
  if (status >= 500)
    return { code: "internal", message: `Entra ID answered ${status} instead of an access token` };
  const code = SIGN_IN_CODE.exec(text(body, "error_description") ?? "")?.[0] ?? "";
  const reason = SIGN_IN[code] ?? `status ${status}`;
  const named = code === "" ? "" : ` (${code})`;
  return {
    code: "permission_denied",
    message: `Entra ID refused an access token for ${client}: ${reason}${named}`,
  };
}

/**
 * Returns the wait that Azure asks for, in milliseconds. It comes with a refusal, or earlier if the quota is used up.
 */
export function azurePause({ headers }: Answer, now: number): number | undefined {
  const asked = retryAfterMs(headers, now);
  if (asked !== undefined || headers.get("x-ms-user-quota-remaining")?.trim() !== "0") return asked;
  const [, hours, minutes, seconds] = TIME_SPAN.exec(headers.get("x-ms-user-quota-resets-after") ?? "") ?? [];
  return hours === undefined
    ? undefined
    : (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}
