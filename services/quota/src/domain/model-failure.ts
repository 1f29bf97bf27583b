import type { FAILURE_KINDS, ModelFailure } from "@leeway/shared/contracts/quota/completions";

type Kind = (typeof FAILURE_KINDS)[number];

/** What a provider answered that is no completion. */
export interface Refused {
  status: number;
  body: string;
  retryAfter: string | undefined;
}

/** What it means; its words are read for two causes that no status tells apart, and then forgotten. */
export function modelFailure({ status, body, retryAfter }: Refused, now: Date): ModelFailure {
  const seconds = retryAfterSeconds(retryAfter, now);
  return {
    kind: kindOf(status, body),
    status,
    ...(seconds !== undefined && { retry_after_seconds: seconds }),
  };
}

function kindOf(status: number, body: string): Kind {
  if (status === 401 || status === 403) return "rejected";
  if (status === 408) return "timeout";
  if (status === 429) return "throttled";
  if (status >= 500) return "server";
  if (status < 400) return "answer";
  if (body.includes("API_KEY_INVALID")) return "rejected"; // Google says 400
  // OpenAI, of a model that thinks: it used up the tokens before it could answer.
  return body.includes("model output limit was reached") ? "output_limit" : "request";
}

/** Whether a failure says something of the key or its provider: our own request and whoever called it off don't. */
export function countsAgainstKey({ kind }: ModelFailure): boolean {
  return kind !== "request" && kind !== "output_limit" && kind !== "canceled";
}

/** `Retry-After` as seconds from `now`, rounded up (RFC 9110, 10.2.3); undefined when it makes no sense. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
