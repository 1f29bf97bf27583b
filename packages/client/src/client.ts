import createFetchClient, { type Client as FetchClient, type Middleware } from "openapi-fetch";

import { withRetries } from "./retries.ts";
import type { components, paths } from "./schema.gen.ts";

export type { components, paths } from "./schema.gen.ts";

/** Typed functions `GET`, `POST`, `PUT`, `PATCH` and `DELETE`, by path. They resolve to `{ data, error, response }`. */
export type Client = FetchClient<paths>;

export interface ClientOptions {
  /** Address of the Leeway server, such as `https://leeway.example.com`. */
  url: string;
  /** API key, or the token of a signed-in person or CI job. */
  token: string;
  /** Tries of each request, 5 by default. */
  tries?: number;
  /** Sends one request; `fetch` by default. */
  fetch?: (request: Request) => Promise<Response>;
}

/** An answer that isn't a success. `code` is for programs, `message` for people. */
export class LeewayError extends Error {
  override readonly name = "LeewayError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string;

  constructor(
    status: number,
    { code, message, request_id: requestId }: Partial<components["schemas"]["Error"]>,
  ) {
    super(message ?? `Leeway answers ${status}`);
    this.status = status;
    this.code = code ?? "unknown";
    this.requestId = requestId ?? "";
  }
}

/**
 * Creates a client. Requests are tried again if the server is busy or can't be reached; a `POST` carries an
 * `Idempotency-Key`, so it takes effect once.
 */
export function createClient({ url, token, tries = 5, fetch: send = fetch }: ClientOptions): Client {
  const client = createFetchClient<paths>({
    baseUrl: url.replace(/\/$/, ""),
    fetch: withRetries(send, tries),
    bodySerializer: (body: unknown) => (isBinary(body) ? body : JSON.stringify(body)),
  });
  const headers: Middleware = {
    onRequest({ request }) {
      request.headers.set("authorization", `Bearer ${token}`);
      if (request.method === "POST" && !request.headers.has("idempotency-key")) {
        request.headers.set("idempotency-key", crypto.randomUUID());
      }
    },
  };
  client.use(headers);
  return client;
}

/** Uploads, such as listings and states, are sent as they are. */
function isBinary(body: unknown): body is Blob | ArrayBuffer | Uint8Array | ReadableStream {
  return (
    body instanceof Blob ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof ReadableStream
  );
}

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the data of a successful answer. @throws {LeewayError} for any other */
export async function dataOf<T>(outcome: Promise<Outcome<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await outcome;
  if (response.ok && data !== undefined && data !== null) return data;
  const said = typeof error === "object" && error !== null ? error : {};
  throw new LeewayError(response.status, said);
}

interface Page<Row> {
  data: Row[];
  next_cursor?: string;
}

/** Part of a query that asks for the next page; empty for the first one. */
interface Next {
  cursor?: string;
}

/**
 * Lists the rows of all pages, one request for each page:
 * `rows((next) => client.GET("/api/v2/orgs/{id}/resources", { params: { path: { id }, query: { ...next } } }))`
 * @throws {LeewayError} if a page can't be read
 */
export async function* rows<Row>(ask: (next: Next) => Promise<Outcome<Page<Row>>>): AsyncGenerator<Row> {
  let next: Next | undefined = {};
  while (next !== undefined) {
    const page: Page<Row> = await dataOf(ask(next));
    yield* page.data;
    next = page.next_cursor === undefined ? undefined : { cursor: page.next_cursor };
  }
}
