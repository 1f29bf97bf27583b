import { credentialHeaders, currentSession, type Session } from "./session.ts";
import { createEventReader, type ServerEvent } from "./event-stream.ts";
import { createKnownAnswers, type KnownAnswers } from "./known-answers.ts";
import { failureOf, notFoundAt, unreachable } from "./failure.ts";
import type { Operations } from "./openapi.gen.ts";
import { visible } from "./visible.ts";

/** An operation by method and path, such as `GET /orgs/{id}/posture`. */
export type Operation = keyof Operations;
export type Answer<K extends Operation> = Operations[K]["answer"];
export type Query<K extends Operation> = Operations[K]["query"];
export type Body<K extends Operation> = Operations[K]["body"];

/** Row type of a listing. */
export type Row<K extends Operation> = Answer<K> extends { data: (infer R)[] } ? R : never;

export interface Input<K extends Operation> {
  params: Operations[K]["params"];
  query?: Query<K>;
  body?: Body<K>;
  /** Key that makes a retry safe for operations that create something. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Id of the last event that was received, to go on after it. */
  lastEventId?: string;
  /** Session for the request; the signed-in one by default. */
  as?: Session;
}

const known = new WeakMap<Session, KnownAnswers>();

/** Longer than the slowest request, which checks a key with a model. */
const LONGEST_MS = 90_000;

/**
 * Calls the API.
 * @throws {ApiFailure} for every error answer, and when there is no answer
 */
export async function call<K extends Operation>(operation: K, input: Input<K>): Promise<Answer<K>> {
  const late = AbortSignal.timeout(LONGEST_MS);
  const signal = input.signal ? AbortSignal.any([input.signal, late]) : late;
  const kept = keptFor(operation, input);
  const known = kept?.answers.get(kept.url);
  const response = await send(
    operation,
    { ...input, signal, ...(known && { etag: known.etag }) },
    "application/json",
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was an answer to the same request
  if (response.status === 304 && known) return known.answer as Answer<K>;
  const text = await response.text().catch(unanswered);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer has the type in the operation's description
  const answer = (text === "" ? undefined : visible(parsed(text))) as Answer<K>;
  kept?.answers.keep(kept.url, response.headers.get("etag"), answer);
  return answer;
}

/** Returns where answers to a read are kept, of this session only. Other requests and streams have none. */
function keptFor<K extends Operation>(
  operation: K,
  { params, query, as = currentSession() }: Input<K>,
): { answers: KnownAnswers; url: string } | undefined {
  if (!as || !operation.startsWith("GET ")) return undefined;
  const answers = known.get(as) ?? createKnownAnswers();
  known.set(as, answers);
  return { answers, url: filled(operation, params) + searchText(query) };
}

/**
 * Streams an operation's events until the stream ends.
 * @throws as `call`
 */
export async function follow<K extends Operation>(
  operation: K,
  input: Input<K>,
  onEvent: (event: ServerEvent) => void,
): Promise<void> {
  const response = await send(operation, input, "text/event-stream");
  const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = createEventReader();
  for (let piece = await pieces?.read(); piece?.value !== undefined; piece = await pieces?.read()) {
    for (const event of read(piece.value)) onEvent(event);
  }
}

export async function send<K extends Operation>(
  operation: K,
  input: Input<K> & { etag?: string },
  accept: string,
): Promise<Response> {
  const [method = "", path = ""] = operation.split(" ", 2);
  const { params, query, body, signal } = input;
  const response = await fetch(`/api/v2${filled(path, params)}${searchText(query)}`, {
    method,
    headers: headersOf(method, input, accept),
    credentials: "same-origin",
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch(unanswered);
  if (response.ok || response.status === 304) return response;
  const failure = await failureOf(response);
  throw method === "GET" ? notFoundAt(Object.keys(params), failure) : failure;
}

function headersOf<K extends Operation>(
  method: string,
  { body, idempotencyKey, lastEventId, etag, as = currentSession() }: Input<K> & { etag?: string },
  accept: string,
): Record<string, string> {
  const known = {
    "content-type": body === undefined ? undefined : "application/json",
    "idempotency-key": idempotencyKey,
    "if-none-match": etag,
    "last-event-id": lastEventId,
  };
  const given = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { accept, ...credentialHeaders(method, as), ...Object.fromEntries(given) };
}

/** Throws the failure for a missing or incomplete answer. An aborted request isn't a failure. */
export function unanswered(error: unknown): never {
  throw error instanceof DOMException && error.name === "AbortError" ? error : unreachable();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreachable(); // a proxy's own page, such as its sign-in
  }
}

/** Returns a path with its parameters filled in. */
export function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** Returns a query string; absent and empty values are omitted. */
export function searchText(query: object = {}): string {
  const given = Object.entries(query)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one: unknown) => [name, one]))
    .filter(([, value]) => value !== undefined && value !== "");
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]) => [String(name), String(value)])).toString()}`;
}
