import { randomUUID } from "node:crypto";

import { isObject, text, type JsonObject } from "@leeway/shared/json";

import { Failure } from "../failure.ts";
import { parseJson, persist, retryAfterMs, startOf, unreachable, within, type Setback } from "../http.ts";

const LONGEST_TRY_MS = 30_000;
const LONGEST_ANSWER = 100_000_000;

/** Where Leeway is, and as whom and how patiently it is asked. */
export interface ApiSettings {
  url: URL;
  apiKey: string;
  orgId: string;
  tries: number;
  maxSeconds: number;
  userAgent: string;
}

type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

interface Call {
  method: "GET" | "POST" | "PUT";
  /** Below `/api/v2/`; what comes from outside is encoded by `path`. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Made anew for each try. */
  body?: () => Body;
  longestTryMs?: number;
}

/** What Leeway said, well or not; of other servers' answers only a proxy's 413 comes this far. */
export interface Answer {
  status: number;
  body: JsonObject;
  headers: Headers;
}

/** Leeway's API, as one command uses it. */
export interface Api {
  readonly orgId: string;
  /** When all patience ends, by `performance.now()`. */
  readonly deadline: number;
  /**
   * Asks until it is answered; a POST is worked off once, however often it is sent.
   * @throws {Failure} `unavailable` when tries or time run out, `refused` when what answers is not Leeway
   */
  ask(call: Call): Promise<Answer>;
}

/** `tell` hears of every setback that another try follows. */
export function createApi(settings: ApiSettings, tell: (message: string) => void): Api {
  const { orgId, tries, maxSeconds } = settings;
  const deadline = performance.now() + maxSeconds * 1000;
  return {
    orgId,
    deadline,
    ask(call) {
      const headers = {
        authorization: `Bearer ${settings.apiKey}`,
        accept: "application/json",
        "user-agent": settings.userAgent,
        ...(call.method === "POST" && { "idempotency-key": randomUUID() }),
        ...call.headers,
      };
      const url = `${settings.url.href.replace(/\/$/, "")}/api/v2/${call.path}`;
      const attempt = (remainingMs: number): Promise<Answer | Setback> =>
        tryOnce(url, { ...call, headers }, remainingMs);
      return persist({ tries, deadline }, attempt, tell);
    },
  };
}

/** A path whose parts are encoded. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

async function tryOnce(url: string, call: Call, remainingMs: number): Promise<Answer | Setback> {
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
    return judge(response, await startOf(response, LONGEST_ANSWER));
  } catch (error) {
    if (error instanceof Failure) throw error;
    return unreachable(error);
  }
}

function judge({ status, headers }: Response, answer: string): Answer | Setback {
  if (status >= 300 && status < 400) {
    throw new Failure(
      "refused",
      `redirects (${status}) are not followed: check --url, its https:// above all`,
    );
  }
  const body = parseJson(answer);
  const said = isObject(body) ? body : undefined;
  const code = text(said, "error");
  const problem = said ? busy(status, headers, code) : unread(status, headers);
  const isUnderWay = status === 409;
  if (problem !== undefined) return { problem, retryAfterMs: retryAfterMs(headers), isUnderWay };
  if (said && (status < 300 || code !== undefined)) return { status, body: said, headers };
  if (status === 413) return { status, body: {}, headers };
  throw new Failure("refused", `what answers at --url is not Leeway (${status}${kindOf(headers)})`);
}

/** Why another try may do better than an answer of Leeway's; undefined when it doesn't. */
function busy(status: number, headers: Headers, code: string | undefined): string | undefined {
  // A proxy's limit has no code; a quota's denial has one of its own.
  const isLimited = code === "rate_limited" || (status === 429 && code === undefined);
  // A first try whose answer was lost, or another push, is still being worked off.
  const isUnderWay = status === 409 && (code === "scan_in_progress" || headers.has("retry-after"));
  if (!isLimited && !isUnderWay && !isDown(status)) return undefined;
  return `Leeway answers ${status} (${/^[a-z_]{1,64}$/.test(code ?? "") ? code : "unknown"})`;
}

/** Why another try may do better than an answer that is no JSON of Leeway's. */
function unread(status: number, headers: Headers): string | undefined {
  if (isDown(status) || status === 429) return `Leeway answers ${status}`;
  return status < 300 && !isPage(headers) ? "the answer was cut off, or is not Leeway's" : undefined;
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
