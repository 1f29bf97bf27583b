import { AnswerTooLarge } from "@leeway/shared/security/egress/read-answer";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError } from "@leeway/shared/values/errors";

import { ConnectorError, type KeptState } from "../connector.ts";
import type { TokenSource } from "./token-source.ts";

/** Max size of a fetched state, which is read in one piece. Larger states are pushed, in chunks. */
export const MAX_STATE_BYTES = 64 << 20;
const TIMEOUT_MS = 60_000;
const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Shape of an entity tag, which can be sent back in `If-None-Match` (RFC 9110, 8.8.3). */
const ENTITY_TAG = /^(?:W\/)?"/;

interface Place {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Tokens to send with the request. */
  tokens?: TokenSource;
  /** Failure message if access is denied. */
  refusal: string;
  /** Whether to follow one redirect; the second request carries no token. */
  mayMove?: boolean;
  /** Max size of the answer; defaults to that of a state. */
  maxBytes?: number;
}

/**
 * Reads a state over HTTP; returns undefined if its edition is still `known`.
 * @throws {ConnectorError}; {AppError} `not_found`, `payload_too_large`, and as {@link Egress.fetch}
 */
export async function fetchFrom(
  egress: Egress,
  place: Place,
  known: string | undefined,
  signal: AbortSignal,
): Promise<KeptState | undefined> {
  const response = await ask(egress, place, known, signal);
  if (response.status === 304) return undefined;
  if (response.status === 401) place.tokens?.renew();
  const moved = place.mayMove ? movedTo(response, place.url) : undefined;
  if (moved !== undefined) return fetchFrom(egress, { url: moved, refusal: place.refusal }, known, signal);
  if (response.status !== 200) throw refused(response.status, place.refusal);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const edition = response.headers.get("etag") ?? digestOf(bytes);
  return edition === known ? undefined : { bytes, edition };
}

async function ask(
  egress: Egress,
  { url, headers, tokens, maxBytes = MAX_STATE_BYTES }: Place,
  known: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const token = await tokens?.get(signal);
  const sent = {
    ...headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(known !== undefined && ENTITY_TAG.test(known) && { "if-none-match": known }),
  };
  try {
    return await egress.fetch(url, { headers: sent, signal, timeoutMs: TIMEOUT_MS, maxBytes });
  } catch (error) {
    if (error instanceof AppError && error.cause instanceof AnswerTooLarge) throw tooLarge();
    throw error;
  }
}

function movedTo({ status, headers }: Response, from: string): string | undefined {
  const location = headers.get("location");
  return MOVED.has(status) && location !== null ? URL.parse(location, from)?.href : undefined;
}

function refused(status: number, refusal: string): Error {
  if (status === 401 || status === 403)
    return new ConnectorError({ code: "permission_denied", message: refusal });
  if (status === 404 || status === 204) return noState();
  if (status === 429)
    return new ConnectorError({ code: "throttled", message: "the server is throttling requests" });
  return new ConnectorError({
    code: "internal",
    message: `the server answered ${status} instead of a state`,
  });
}

export function noState(): AppError {
  return new AppError("not_found", "no state exists at this place");
}

export function tooLarge(): AppError {
  return new AppError(
    "payload_too_large",
    `the state exceeds the limit of ${MAX_STATE_BYTES} bytes for reading; push it instead`,
  );
}

/** Returns an edition for a state that has no entity tag. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`;
}

/** Returns the URL path of an object; slashes in its key stay. */
export function objectPath(key: string): string {
  return key.split("/").map(encodeURIComponent).join("/");
}

/** Returns the error for a backend that this cloud doesn't have. */
export function foreignBackend(type: string): AppError {
  return new AppError("invalid_parameter", `the source's cloud account has no backend ${type}`);
}
