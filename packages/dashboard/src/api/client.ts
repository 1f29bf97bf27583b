import { credentialHeaders, currentSession, type Session } from "../session/session.ts";
import { createEventReader, type ServerEvent } from "./event-stream.ts";
import { failureOf, notFoundAt, unreachable } from "./failure.ts";
import type { Operations } from "./openapi.gen.ts";
import { visible } from "./visible.ts";

/** An operation by method and path, as `GET /orgs/{id}/posture`. */
export type Operation = keyof Operations;
export type Answer<K extends Operation> = Operations[K]["answer"];
export type Query<K extends Operation> = Operations[K]["query"];
export type Body<K extends Operation> = Operations[K]["body"];

/** One of the rows that a listing answers. */
export type Row<K extends Operation> = Answer<K> extends { data: (infer R)[] } ? R : never;

export interface Input<K extends Operation> {
  params: Operations[K]["params"];
  query?: Query<K>;
  body?: Body<K>;
  /** Makes a repeat harmless where the operation makes something. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Who asks, where that isn't who is signed in. */
  as?: Session;
}

/** Longer than what takes longest: a model that is asked whether it knows a key. */
const LONGEST_MS = 90_000;

/** Calls the API. @throws {ApiFailure} for every answer that isn't the one hoped for, or that doesn't come */
export async function call<K extends Operation>(operation: K, input: Input<K>): Promise<Answer<K>> {
  const late = AbortSignal.timeout(LONGEST_MS);
  const signal = input.signal ? AbortSignal.any([input.signal, late]) : late;
  const response = await send(operation, { ...input, signal }, "application/json");
  const text = await response.text().catch(unanswered);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the operation answers is what its description says
  return (text === "" ? undefined : visible(parsed(text))) as Answer<K>;
}

/** Takes an operation's events as they come, until there are no more. @throws as `call` */
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

async function send<K extends Operation>(operation: K, input: Input<K>, accept: string): Promise<Response> {
  const [method = "", path = ""] = operation.split(" ", 2);
  const { params, query, body, idempotencyKey, signal, as = currentSession() } = input;
  const response = await fetch(`/api/v2${filled(path, params)}${searchText(query)}`, {
    method,
    headers: {
      accept,
      ...credentialHeaders(method, as),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    credentials: "same-origin",
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch(unanswered);
  if (response.ok) return response;
  const failure = await failureOf(response);
  throw method === "GET" ? notFoundAt(Object.keys(params), failure) : failure;
}

/** What a request fails with that got no answer, or half of one: nobody's fault where it isn't wanted any more. */
function unanswered(error: unknown): never {
  throw error instanceof DOMException && error.name === "AbortError" ? error : unreachable();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreachable(); // a proxy's own page, for whoever has to sign in there first
  }
}

/** A path with its steps filled in. */
export function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** A query as it stands behind a path; what is absent or empty is left out. */
export function searchText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}
