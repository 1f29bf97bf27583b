import { randomUUID } from "node:crypto";

import { isObject, text, type JsonObject } from "@leeway/shared/values/json";

import { Failure } from "../failure.ts";
import { parseJson, persist, retryAfterMs, startOf, unreachable, within, type Setback } from "../http.ts";

const LONGEST_TRY_MS = 30_000;
const LONGEST_ANSWER = 100_000_000;

/** Server, credentials, and retry limits. */
export interface ApiSettings {
  url: URL;
  /** Absent for what takes none. */
  apiKey?: string;
  orgId: string;
  tries: number;
  maxSeconds: number;
  userAgent: string;
}

type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below `/api/v2/`; `path` encodes untrusted values. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Body; called for each try. */
  body?: () => Body;
  longestTryMs?: number;
}

/** An answer of Leeway, success or error, or a proxy's 413. */
export interface Answer {
  status: number;
  body: JsonObject;
  headers: Headers;
}

/** Leeway's API, as one command uses it. */
export interface Api {
  readonly orgId: string;
  /** End of all tries, as a `performance.now()` time. */
  readonly deadline: number;
  /** Returns the URL of an organization's page in the dashboard. */
  page(place: string): string;
  /**
   * Retries until there is an answer. A POST takes effect once, however often it is sent.
   * @throws {Failure} `unavailable` when tries or time run out, `refused` when another server answers
   */
  ask(call: Call): Promise<Answer>;
}

/** Creates a client; `log` reports every failure before a retry. */
export function createApi(settings: ApiSettings, log: (message: string) => void): Api {
  const { orgId, tries, maxSeconds } = settings;
  const deadline = performance.now() + maxSeconds * 1000;
  const base = settings.url.href.replace(/\/$/, "");
  return {
    orgId,
    deadline,
    page: (place) => `${base}/orgs/${orgId}/${place}`,
    ask(call) {
      const headers = {
        ...(settings.apiKey !== undefined && { authorization: `Bearer ${settings.apiKey}` }),
        accept: "application/json",
        "user-agent": settings.userAgent,
        ...(call.method === "POST" && { "idempotency-key": randomUUID() }),
        ...call.headers,
      };
      const url = new URL(`${base}/api/v2/${call.path}`);
      const attempt = (remainingMs: number): Promise<Answer | Setback> =>
        tryOnce(url, { ...call, headers }, remainingMs);
      return persist({ tries, deadline }, attempt, log);
    },
  };
}

/** Builds a path with encoded segments. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

async function tryOnce(url: URL, call: Call, remainingMs: number): Promise<Answer | Setback> {
  const { method, headers, body, longestTryMs = LONGEST_TRY_MS } = call;
  const signal = within(longestTryMs, remainingMs);
  const sent = body && { body: body(), duplex: "half" as const };
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers },
      redirect: "manual",
      signal,
      ...sent,
    });
    if (response.status === 204) return { status: 204, body: {}, headers: response.headers };
    return judge(url, response, await startOf(response, LONGEST_ANSWER));
  } catch (error) {
    if (error instanceof Failure) throw error;
    return unreachable(url, error);
  }
}

function judge({ origin }: URL, { status, headers }: Response, answer: string): Answer | Setback {
  if (status >= 300 && status < 400) {
    throw new Failure(
      "refused",
      `${origin} redirects (${status}), which leeway doesn't follow: check --url, especially https://`,
    );
  }
  const body = parseJson(answer);
  const said = isObject(body) ? body : undefined;
  const code = text(said, "error");
  const problem = said ? busy(origin, { status, headers, code }) : unread(origin, { status, headers });
  const isUnderWay = status === 409;
  if (problem !== undefined) return { problem, retryAfterMs: retryAfterMs(headers), isUnderWay };
  if (said && (status < 300 || code !== undefined)) return { status, body: said, headers };
  if (status === 413) return { status, body: {}, headers };
  throw new Failure("refused", `${origin} isn't a Leeway server (${status}${kindOf(headers)}): check --url`);
}

interface Said {
  status: number;
  headers: Headers;
  code?: string | undefined;
}

/** Returns the reason to retry after Leeway's answer; undefined if a retry wouldn't help. */
function busy(origin: string, { status, headers, code }: Said): string | undefined {
  if (status === 409 && code === "scan_in_progress") return "another scan of this account is running";
  if (status === 409 && headers.has("retry-after")) return "an earlier try is still being processed";
  // A proxy's rate limit has no code; a quota denial has its own code.
  const isLimited = code === "rate_limited" || (status === 429 && code === undefined);
  return isLimited || isDown(status) ? `${origin} answers ${status}${nameOf(code)}` : undefined;
}

function nameOf(code = ""): string {
  return /^[a-z_]{1,64}$/.test(code) ? ` (${code})` : "";
}

/** Returns the reason to retry after an answer that isn't Leeway's JSON. */
function unread(origin: string, { status, headers }: Said): string | undefined {
  if (isDown(status) || status === 429) return `${origin} answers ${status}`;
  const isCut = status < 300 && !isPage(headers);
  return isCut ? `the answer of ${origin} is incomplete or isn't from Leeway` : undefined;
}

function isDown(status: number): boolean {
  return status === 408 || status >= 500;
}

function isPage(headers: Headers): boolean {
  return headers.get("content-type")?.includes("html") === true;
}

function kindOf(headers: Headers): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? `, ${type}` : "";
}
