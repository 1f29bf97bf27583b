import { isObject, text, type JsonObject } from "@leeway/shared/values/json";

import { Failure, type Outcome } from "../failure.ts";
import { parseJson, persist, retryAfterMs, startOf, unreachable, within, type Setback } from "../http.ts";
import { requireTls } from "../url.ts";
import { HOST, type Access } from "./access.ts";

const LONGEST_TRY_MS = 15_000;
const LONGEST_ANSWER = 20_000_000;
/** Limit on pages of 100 comments. */
const MAX_PAGES = 100;
const LONGEST_MESSAGE = 200;

interface Call {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path below the API's address, with encoded steps. */
  path: string;
  body?: object;
}

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** REST API of a code host. */
export interface HostApi {
  /** @throws {Failure} unless it succeeds */
  ask(call: Call): Promise<JsonObject>;
  /** Returns undefined if the host answers with `status`. @throws {Failure} for other refusals */
  askUnless(status: number, call: Call): Promise<JsonObject | undefined>;
  /** Lists all pages. @throws {Failure} */
  list(path: string): AsyncGenerator<JsonObject>;
}

interface Settings {
  tries: number;
  maxSeconds: number;
  userAgent: string;
  log: (message: string) => void;
}

/**
 * Opens the API of a code host. Redirects aren't followed, because they would send the token elsewhere.
 * @throws {Failure} `usage` for an address without TLS
 */
export function openHost(access: Access, { tries, maxSeconds, userAgent, log }: Settings): HostApi {
  requireTls(access.api, "the code host's address");
  const deadline = performance.now() + maxSeconds * 1000;
  const base = access.api.href.replace(/\/$/, "");
  const headers = { accept: "application/json", "user-agent": userAgent, ...credentials(access) };
  const send = (call: Call): Promise<Answer> => {
    const url = new URL(base + call.path);
    return persist({ tries, deadline }, (leftMs) => tryOnce(url, call, { headers, leftMs }), log);
  };
  async function askUnless(status: number, call: Call): Promise<JsonObject | undefined> {
    const answer = await send(call);
    if (answer.status === status) return undefined;
    const { body } = expectOk(answer, access);
    return isObject(body) ? body : {};
  }
  return {
    ask: async (call) => (await askUnless(0, call)) ?? {},
    askUnless,
    async *list(path) {
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const call = { method: "GET", path: `${path}?per_page=100&page=${page}` } as const;
        const { body, headers: said } = expectOk(await send(call), access);
        yield* Array.isArray(body) ? body.filter(isObject) : [];
        if (!/rel="?next"?/.test(said.get("link") ?? "")) return;
      }
    },
  };
}

function credentials({ host, token, isJobToken }: Access): Record<string, string> {
  if (host === "github") return { authorization: `Bearer ${token}`, "x-github-api-version": "2022-11-28" };
  return isJobToken ? { "job-token": token } : { "private-token": token };
}

async function tryOnce(
  url: URL,
  { method, body }: Call,
  { headers, leftMs }: { headers: Record<string, string>; leftMs: number },
): Promise<Answer | Setback> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      redirect: "manual",
      signal: within(LONGEST_TRY_MS, leftMs),
      ...(body && { body: JSON.stringify(body) }),
    });
    return judge(url, response, await startOf(response, LONGEST_ANSWER));
  } catch (error) {
    if (error instanceof Failure) throw error;
    return unreachable(url, error);
  }
}

function judge({ origin }: URL, { status, headers }: Response, answer: string): Answer | Setback {
  if (status >= 300 && status < 400) {
    throw new Failure("refused", `${origin} redirects (${status}), which leeway doesn't follow`);
  }
  const isLimited = status === 429 || (status === 403 && isRateLimit(headers));
  if (isLimited || status === 408 || status >= 500) {
    return { problem: `${origin} answers ${status}`, retryAfterMs: retryAfterMs(headers) };
  }
  return { status, headers, body: parseJson(answer) };
}

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
function isRateLimit(headers: Headers): boolean {
  return headers.has("retry-after") || headers.get("x-ratelimit-remaining") === "0";
}

function expectOk(answer: Answer, access: Access): Answer {
  if (answer.status < 300) return answer;
  const [outcome, advice] = refusal(answer.status, access);
  const said = isObject(answer.body) ? plain(text(answer.body, "message") ?? "") : "";
  const reason = [said, advice].filter(Boolean).join("; ");
  const { name } = HOST[access.host];
  throw new Failure(outcome, `no comment posted: ${name} answers ${answer.status}${reason && `: ${reason}`}`);
}

const RIGHTS = {
  github: "give the job the permission pull-requests: write; pull requests of forks never have it",
  gitlab: "the token needs the scope api and the role Reporter",
  job: "GitLab's job token may not write comments: set LEEWAY_COMMENT_TOKEN to a project access token",
};

function refusal(status: number, { host, isJobToken }: Access): [Outcome, string] {
  const rights = isJobToken ? RIGHTS.job : RIGHTS[host];
  if (status === 401)
    return ["unauthorized", isJobToken ? rights : "check that the token is complete and valid"];
  if (status === 403) return ["unauthorized", rights];
  if (status === 404) return ["not_found", `check the repository and the number; ${rights}`];
  return ["refused", ""];
}

/** Returns the host's text as one short line that can't control the terminal. */
function plain(said: string): string {
  return said
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, LONGEST_MESSAGE)
    .toWellFormed();
}
