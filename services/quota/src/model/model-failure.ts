import type { FAILURE_KINDS, ModelFailure } from "@leeway/shared/contracts/quota/completions";

type Kind = (typeof FAILURE_KINDS)[number];

/** A provider's answer other than a completion. */
export interface Refused {
  status: number;
  body: string;
  retryAfter: string | undefined;
}

/** Classifies a provider's error. The body is only searched for causes that share a status, and then dropped. */
export function modelFailure({ status, body, retryAfter }: Refused, now: Date): ModelFailure {
  const seconds = retryAfterSeconds(retryAfter, now);
  return {
    kind: kindOf(status, body),
    status,
    ...(seconds !== undefined && { retry_after_seconds: seconds }),
  };
}

const BY_STATUS: Readonly<Record<number, Kind>> = {
  401: "rejected",
  402: "unpaid",
  403: "rejected",
  408: "timeout",
};
/** Marks of an account without credit. OpenAI sends 429, although waiting won't help; Anthropic sends 400. */
const UNPAID = /"insufficient_quota"|credit balance is too low/;

function kindOf(status: number, body: string): Kind {
  const plain = BY_STATUS[status];
  if (plain !== undefined) return plain;
  if (status >= 500) return "server";
  if (UNPAID.test(body)) return "unpaid";
  if (status === 429) return "throttled";
  if (status < 400) return "answer";
  if (body.includes("API_KEY_INVALID")) return "rejected"; // Google sends 400
  // OpenAI: a reasoning model used up the tokens before it could answer.
  return body.includes("model output limit was reached") ? "output_limit" : "request";
}

/** Returns whether a failure indicates a problem with the key or provider. Invalid requests and cancellations don't. */
export function countsAgainstKey({ kind }: ModelFailure): boolean {
  return kind !== "request" && kind !== "output_limit" && kind !== "canceled";
}

/** Parses `Retry-After` as seconds from `now`, rounded up (RFC 9110, 10.2.3); undefined if it is invalid. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
