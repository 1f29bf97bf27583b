import { AnswerTooLarge } from "@leeway/shared/egress/read-answer";
import type { Egress } from "@leeway/shared/egress/egress";
import { AppError } from "@leeway/shared/errors";

import { ConnectorError, type KeptState } from "../connector.ts";
import type { TokenSource } from "./token-source.ts";

/** A state is read in one piece. Larger ones are pushed, which takes them chunk by chunk. */
export const MOST_STATE_BYTES = 64 << 20;
const TIMEOUT_MS = 60_000;
const MOVED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What an answer calls its state, and takes back (RFC 9110, 8.8.3). */
const ENTITY_TAG = /^(?:W\/)?"/;

interface Place {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Whose token goes with it. */
  tokens?: TokenSource;
  /** What is said of who may not read it. */
  refusal: string;
  /** Whether it may be at another place, which is asked as anybody asks it; one that is told there is final. */
  mayMove?: boolean;
  /** Largest answer that is read; of a state's size unless it is given. */
  mostBytes?: number;
}

/**
 * Reads a state over HTTP; undefined where it is still the one called `known`.
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
  { url, headers, tokens, mostBytes = MOST_STATE_BYTES }: Place,
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
    return await egress.fetch(url, { headers: sent, signal, timeoutMs: TIMEOUT_MS, mostBytes });
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
  if (status === 429) return new ConnectorError({ code: "throttled", message: "it asks to slow down" });
  return new ConnectorError({ code: "internal", message: `it answered ${status} in place of a state` });
}

export function noState(): AppError {
  return new AppError("not_found", "there is no state at this place");
}

export function tooLarge(): AppError {
  return new AppError(
    "payload_too_large",
    `the state is larger than ${MOST_STATE_BYTES} bytes, which is too much to be read: push it`,
  );
}

/** What a state is called where nothing else tells it from another. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`;
}

/** The path of an object, whose slashes are folders. */
export function objectPath(key: string): string {
  return key.split("/").map(encodeURIComponent).join("/");
}

/** A backend that an account of this cloud doesn't have. */
export function foreignBackend(type: string): AppError {
  return new AppError("invalid_parameter", `the source's account keeps no states of the backend ${type}`);
}
