import { currentContext } from "@leeway/shared/platform/context";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { AnswerTooLarge } from "@leeway/shared/security/egress/read-answer";
import { AppError } from "@leeway/shared/values/errors";
import { Type as t, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { HostFailure } from "./failure.ts";
import type { Pauses } from "./pauses.ts";
import { refusalOf } from "./refusal.ts";
import type { Keep } from "./repository-leases.ts";

/**
 * Size limit of one response. A hundred of GitHub's longest comments are 6.5 MB of plain text; a hundred of GitLab's
 * would be 100 MB.
 */
const MAX_BYTES = 16 << 20;
const MAX_PAGES = 100;
/** Page size after a full page was too large. */
const FEW = 10;

interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the API's base URL, with its query if any. */
  path: string;
  body?: object;
}

/** HTTP API of a code host, called with a credential. */
export interface Api {
  /** Returns the response, checked against `schema`. @throws {HostFailure} */
  ask<T extends TSchema>(call: Call, schema: T): Promise<Static<T>>;
  /** Yields the items of all pages in order, with one page in memory at a time. @throws {HostFailure} */
  list<T extends TSchema>(path: string, item: T): AsyncIterable<Static<T>>;
  /** Sends a request and ignores the response body. @throws {HostFailure} */
  send(call: Call): Promise<void>;
}

interface ApiOptions {
  egress: Egress;
  pauses: Pauses;
  orgId: string;
  /** Base URL without a trailing slash. */
  baseUrl: string;
  headers: Record<string, string>;
  keep: Keep;
}

interface Answer<T extends TSchema> {
  value: Static<T>;
  headers: Headers;
}

export function createApi({ egress, pauses, orgId, baseUrl, headers, keep }: ApiOptions): Api {
  const pauseKey = `${orgId} ${baseUrl}`;
  const signal = currentContext()?.signal ?? null;

  async function send(call: Call): Promise<Response> {
    const left = pauses.left(pauseKey);
    if (left > 0) throw new HostFailure("unavailable", left);
    await keep();
    const init = { ...initOf(call, headers), signal, maxBytes: MAX_BYTES };
    const response = await egress.fetch(`${baseUrl}${call.path}`, init).catch((error: unknown) => {
      if (!signal?.aborted) pauses.failed(pauseKey, kindOf(call));
      throw new HostFailure("unavailable", undefined, { cause: error });
    });
    if (response.ok) return response;
    const failure = refusalOf(response.status, response.headers, await jsonOf(response));
    note(kindOf(call), failure);
    throw failure;
  }

  function note(kind: string, { problem, retryAfterSeconds }: HostFailure): void {
    if (problem !== "unavailable") pauses.worked(pauseKey, kind);
    else if (retryAfterSeconds === undefined) pauses.failed(pauseKey, kind);
    else pauses.ask(pauseKey, retryAfterSeconds);
  }

  async function ask<T extends TSchema>(call: Call, schema: T): Promise<Answer<T>> {
    const response = await send(call);
    const value = await jsonOf(response);
    if (!Value.Check(schema, value)) {
      pauses.failed(pauseKey, kindOf(call));
      throw new HostFailure("unavailable");
    }
    pauses.worked(pauseKey, kindOf(call));
    return { value, headers: response.headers };
  }

  return {
    ask: async (call, schema) => (await ask(call, schema)).value,
    list: (path, item) => listed(ask, path, item),
    async send(call) {
      await send(call);
      pauses.worked(pauseKey, kindOf(call));
    },
  };
}

type Ask = <T extends TSchema>(call: Call, schema: T) => Promise<Answer<T>>;

/** Yields the items of all pages. A page that is too large is requested again as smaller pages. */
async function* listed<T extends TSchema>(ask: Ask, path: string, item: T): AsyncGenerator<Static<T>> {
  let next: string | undefined = path;
  for (let page = 0; next !== undefined; page += 1) {
    if (page === MAX_PAGES) throw new HostFailure("unavailable");
    const asked: string = next;
    const answer = await ask({ path: asked }, t.Array(item)).catch((error: unknown) => {
      const smaller = isTooLarge(error) ? inSmallerPages(asked, { isFirst: page === 0 }) : undefined;
      if (smaller === undefined) throw error;
      return smaller;
    });
    if (typeof answer !== "string") yield* answer.value;
    next = typeof answer === "string" ? answer : nextOf(path, answer.headers);
  }
}

function initOf({ method = "GET", body }: Call, headers: Record<string, string>) {
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Returns a request's kind: its method and the number of path segments, because ids are at the same positions. */
function kindOf({ method = "GET", path }: Call): string {
  return `${method} ${path.replace(/\?.*$/, "").split("/").length}`;
}

async function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

function isTooLarge(error: unknown): boolean {
  const cause = error instanceof HostFailure ? error.cause : undefined;
  return cause instanceof AppError && cause.cause instanceof AnswerTooLarge;
}

/**
 * Returns the path of the first smaller page; undefined if the page is small already or its number isn't in the URL.
 */
function inSmallerPages(path: string, { isFirst }: { isFirst: boolean }): string | undefined {
  const [list, query] = path.split("?");
  const params = new URLSearchParams(query);
  const size = Number(params.get("per_page"));
  const page = Number(params.get("page") ?? (isFirst ? 1 : 0));
  if (size <= FEW || page === 0) return undefined;
  params.set("per_page", String(FEW));
  params.set("page", String(((page - 1) * size) / FEW + 1));
  return `${list}?${params.toString()}`;
}

/** Returns the next page of `path` (RFC 8288). Only the link's query is used, so that it can't lead to another host. */
function nextOf(path: string, headers: Headers): string | undefined {
  const [, link] = /<([^<>]*)>\s*;[^<]*\brel="?next\b/.exec(headers.get("link") ?? "") ?? [];
  const query = link === undefined ? undefined : URL.parse(link, "https://host.invalid")?.search;
  return query === undefined ? undefined : path.replace(/\?.*$/, "") + query;
}
