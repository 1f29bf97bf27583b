import { member, members, text } from "@leeway/shared/json";

import type { ShardFailure } from "../connector.ts";
import type { Answer } from "../rest/rest-client.ts";
import { retryAfterMs } from "../rest/retry-after.ts";

/** Azure's codes can be repeated: a closed set in fact, and never data. */
const CODE = /^[A-Za-z]{1,60}$/;
const SIGN_IN_CODE = /\bAADSTS\d{4,7}\b/;
const TIME_SPAN = /^(\d{1,4}):(\d\d):(\d\d)(?:\.\d+)?$/;
const NOT_SEEN = ["NoValidSubscriptionsInQueryRequest", "SubscriptionNotFound", "InvalidSubscriptionId"];
const UNKNOWN_TABLE = ["DisallowedLogicalTableName", "UnknownTable", "DisallowedTableName"];

/** What Entra ID's codes mean that a user can mend. */
const SIGN_IN: Readonly<Record<string, string>> = {
  AADSTS7000215: "the client secret is wrong",
  AADSTS7000222: "the client secret has expired",
  AADSTS700016: "the tenant has no application with this client id",
  AADSTS90002: "there is no such tenant",
  AADSTS900023: "there is no such tenant",
  AADSTS7000112: "the application is disabled",
  AADSTS53003: "a conditional access policy forbids it",
  AADSTS70021: "the application has no federated credential for this issuer, subject and audience",
  AADSTS700211: "the application has no federated credential for this issuer",
  AADSTS700212: "the application has no federated credential for this audience",
  AADSTS700213: "the application has no federated credential for this subject",
  AADSTS700024: "the assertion is not valid at this time",
};

/** The codes by which Azure says what is wrong, the general one first. */
export function codesOf({ body }: Pick<Answer, "body">): string[] {
  const error = member(body, "error");
  const codes = [text(error, "code"), ...members(error, "details").map((detail) => text(detail, "code"))];
  return codes.filter((code): code is string => code !== undefined && CODE.test(code));
}

/** What Azure refuses, in words of ours; `action` is what the call needs. */
export function azureFailure(
  { status, body }: Answer,
  { action, subscription }: { action: string; subscription: string },
): ShardFailure {
  const said = codesOf({ body });
  const words = [status, ...said].join(" ");
  const has = (known: readonly string[]): boolean => said.some((code) => known.includes(code));
  if (status === 429)
    return { code: "throttled", message: "Azure lets no more calls through: its quota is used up" };
  if (status === 401)
    return { code: "permission_denied", message: `Azure doesn't accept the access token (${words})` };
  if (status === 403 || status === 404 || has(NOT_SEEN))
    return {
      code: "permission_denied",
      message: `${action} is missing on the subscription ${subscription}, or it doesn't exist (${words})`,
    };
  if (has(UNKNOWN_TABLE))
    return { code: "unsupported", message: `Resource Graph has no such table here (${words})` };
  if (status === 408 || status === 504) return { code: "timeout", message: `Azure gave up (${words})` };
  return { code: "internal", message: `Azure answered ${words}` };
}

/** Why Entra ID gives no access token to `client`. */
export function signInFailure({ status, body }: Answer, client: string): ShardFailure {
  if (status === 429) return { code: "throttled", message: "Entra ID gives no more access tokens for now" };
  if (status >= 500)
    return { code: "internal", message: `Entra ID answered ${status} instead of an access token` };
  const code = SIGN_IN_CODE.exec(text(body, "error_description") ?? "")?.[0] ?? "";
  const reason = SIGN_IN[code] ?? `it answered ${status}`;
  const named = code === "" ? "" : ` (${code})`;
  return {
    code: "permission_denied",
    message: `Entra ID gives no access token for ${client}: ${reason}${named}`,
  };
}

/** How long Azure asks to wait, in milliseconds: told with a refusal, or before, when the quota is used up. */
export function azurePause({ headers }: Answer, now: number): number | undefined {
  const asked = retryAfterMs(headers, now);
  if (asked !== undefined || headers.get("x-ms-user-quota-remaining")?.trim() !== "0") return asked;
  const [, hours, minutes, seconds] = TIME_SPAN.exec(headers.get("x-ms-user-quota-resets-after") ?? "") ?? [];
  return hours === undefined
    ? undefined
    : (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}
