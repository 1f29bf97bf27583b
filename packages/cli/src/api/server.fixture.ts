import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

import { strict } from "@leeway/shared/contracts/contract";
import { Submission } from "@leeway/shared/contracts/analyzer/jobs";
import { FixInput } from "@leeway/shared/contracts/analyzer/noise";
import { Uuid } from "@leeway/shared/contracts/common";
import { decode } from "@leeway/shared/values/decode";
import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { Type as t } from "@sinclair/typebox";

import { bytesOf } from "../text.ts";
import { ACCOUNTS, FIX, NOISE, RESULT, SCAN, SOURCES } from "./recorded.fixture.ts";

export const ORG_ID = "0192e4a0-7c1e-7a33-9d55-6f1f0c2b8a10";
/** An API key in Leeway's format, assembled so that secret scanners don't report it. */
export const KEY = ["leeway", "a1B2c3D4", "Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3h2G1"].join("_");

/** Handling of a request: as Leeway does, with a given answer, or with a network failure. */
export type Treatment = "leeway" | "reset" | "hang" | "truncate" | Reply;
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | object;
}

export interface Request {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  /** Body as sent; `body` is uncompressed. */
  sent: Buffer;
  body: Buffer;
}

const AnalyzeBody = strict(Submission);
const FixBody = strict(t.Object({ org_id: t.Optional(Uuid), ...FixInput.properties }));

/** A server that speaks Leeway's API with recorded answers, and can simulate any network failure. */
export class LeewayServer {
  readonly requests: Request[] = [];
  /** Answer that denies a model's explanation. */
  denial: Reply | undefined;
  result: object = RESULT;
  /** Statuses that polls return before the job is done. */
  pending: string[] = [];
  jobError: object | undefined;
  pushed: Reply | undefined;
  fix: object = FIX;
  fixUnderWay = false;
  adoption: object = {};
  /** Live resources. Their text search isn't imitated: it finds all of them. */
  resources: readonly object[] = [];
  /** Texts that anyone may download, by path. */
  files: Readonly<Record<string, string>> = {};
  /** Hook that runs before a job is reported. */
  onJob: () => Promise<void> = async () => undefined;
  readonly jobs = new Map<string, string>();
  readonly #treatments: Treatment[];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  /** Handles requests with the given treatments in order, and all further ones as Leeway does. */
  constructor(...treatments: Treatment[]) {
    this.#treatments = treatments;
    this.#server.listen(0, "127.0.0.1");
  }

  get url(): string {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get env(): Record<string, string> {
    return { LEEWAY_URL: this.url, LEEWAY_API_KEY: KEY, LEEWAY_ORG_ID: ORG_ID };
  }

  /** Returns the JSON bodies sent to paths with this ending. */
  bodies(end: string): JsonObject[] {
    return this.requests
      .filter(({ path }) => path.endsWith(end))
      .map(({ body }) => {
        const value: unknown = JSON.parse(body.toString());
        if (!isObject(value)) throw new Error("no object");
        return value;
      });
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await bytesOf(incoming).catch(() => undefined);
    if (!sent) return;
    const url = new URL(incoming.url ?? "", this.url);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const path = url.pathname;
    const request = { method: incoming.method ?? "", path, query: url.searchParams, headers, sent, body };
    this.requests.push(request);
    const treatment = this.#treatments.shift() ?? "leeway";
    if (treatment === "hang") return;
    if (treatment === "reset") return void incoming.socket.resetAndDestroy();
    if (path.includes("/llm-jobs/")) await this.onJob();
    const reply = typeof treatment === "object" ? treatment : this.#answer(request);
    send(response, reply, treatment === "truncate");
  }

  #answer(request: Request): Reply {
    const file = this.files[request.path];
    if (file !== undefined) return { status: 200, body: file };
    if (request.headers["authorization"] !== `Bearer ${KEY}`) {
      return refusal(401, "unauthenticated", "the API key is wrong");
    }
    const fix = /^\/api\/v2\/plan-noise\/([^/]+)\/fix$/.exec(request.path);
    if (fix) return this.#makeFix(request);
    const [, org, rest = ""] = /^\/api\/v2\/orgs\/([^/]+)\/(.+)$/.exec(request.path) ?? [];
    if (org !== ORG_ID) return refusal(404, "not_found", "the organization doesn't exist");
    const [, handle] = this.#routes().find(([route]) => route.test(`${request.method} ${rest}`)) ?? [];
    return handle?.(request, rest.split("/")) ?? refusal(404, "not_found", "there is nothing here");
  }

  #routes(): [RegExp, (request: Request, steps: string[]) => Reply][] {
    return [
      [/^POST analyze$/, (request) => this.#analyze(request)],
      [/^GET llm-jobs\/[^/]+$/, (_, [, id = ""]) => this.#job(id)],
      [/^GET iac-sources$/, ({ query }) => page(SOURCES, query)],
      [/^GET iac-sources\/[^/]+$/, (_, [, id]) => one(SOURCES, "id", id)],
      [/^PUT iac-sources\/[^/]+\/state$/, (_, [, id]) => this.pushed ?? one(SOURCES, "id", id)],
      [/^GET cloud-accounts$/, ({ query }) => page(ACCOUNTS, query)],
      [/^GET cloud-accounts\/[^/]+$/, (_, [, id]) => one(ACCOUNTS, "id", id)],
      [/^PUT cloud-accounts\/[^/]+\/listing$/, () => this.pushed ?? { status: 202, body: SCAN }],
      [/^POST adoptions$/, () => ({ status: 200, body: this.adoption })],
      [/^GET resources$/, ({ query }) => page(this.resources, withoutSearch(query))],
      [/^GET plan-noise$/, ({ query }) => page(NOISE, query)],
      [/^GET plan-noise\/[^/]+$/, (_, [, fingerprint]) => one(NOISE, "fingerprint", fingerprint)],
    ];
  }

  #analyze({ headers, body }: Request): Reply {
    const submission = decoded(AnalyzeBody, body);
    if (!submission) return { status: 400, body: { error: 'invalid request body: json: unknown field "x"' } };
    if (this.denial && submission["narrative"] !== false) return this.denial;
    return this.#take("analyze", headers);
  }

  #makeFix({ headers, body }: Request): Reply {
    if (!decoded(FixBody, body)) return refusal(400, "invalid_parameter", "the body is wrong");
    if (this.denial) return this.denial;
    const taken = this.#take("plan_noise_fix", headers);
    const job = isObject(taken.body) ? taken.body["job_id"] : "";
    if (!this.fixUnderWay) return taken;
    return { status: 409, body: { code: "conflict", error: "conflict", message: "under way", job_id: job } };
  }

  /** Processes a POST once for each idempotency key. */
  #take(kind: string, { "idempotency-key": key = randomUUID() }: Request["headers"]): Reply {
    const known = [...this.jobs].find(([, each]) => each === `${kind} ${key}`)?.[0];
    const id = known ?? randomUUID();
    this.jobs.set(id, `${kind} ${key}`);
    const poll_url = `/api/v2/orgs/${ORG_ID}/llm-jobs/${id}`;
    return {
      status: 202,
      body: { job_id: id, kind, status: "queued", poll_url },
      headers: { location: poll_url },
    };
  }

  #job(id: string): Reply {
    const [kind] = this.jobs.get(id)?.split(" ") ?? [];
    if (kind === undefined)
      return refusal(404, "not_found", "the job doesn't exist, or its retention has ended");
    const status = this.pending.shift() ?? (this.jobError ? "error" : "done");
    const result = status === "done" && { result: kind === "analyze" ? this.result : this.fix };
    const error = status === "error" && { error: this.jobError };
    return {
      status: 200,
      body: { id, kind, status, ...result, ...error, created_at: "2026-10-07T14:03:22Z" },
    };
  }
}

export function refusal(status: number, code: string, message: string): Reply {
  const body = { code, error: code, message, request_id: "req-1" };
  return { status, body, headers: { "x-request-id": "req-1" } };
}

function send(response: ServerResponse, { status, headers = {}, body = {} }: Reply, isCut: boolean): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/html; charset=utf-8" : "application/json";
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text), ...headers });
  if (!isCut) return void response.end(text);
  response.write(text.slice(0, 10));
  setTimeout(() => response.destroy(), 20);
}

function one(rows: readonly object[], key: string, value: string | undefined): Reply {
  const found = rows.find((row) => Reflect.get(row, key) === value);
  return found ? { status: 200, body: found } : refusal(404, "not_found", "there is no such thing");
}

function withoutSearch(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => name !== "q"));
}

/** Returns one row per page, to catch clients that read only the first page. */
function page(rows: readonly object[], query: URLSearchParams): Reply {
  const at = Number(query.get("cursor") ?? 0);
  const filters = [...query].filter(([name]) => name !== "cursor" && name !== "limit");
  const left = rows.filter((row) => filters.every(([name, value]) => Reflect.get(row, name) === value));
  const next = at + 1 < left.length && { next_cursor: String(at + 1) };
  return { status: 200, body: { data: left.slice(at, at + 1), ...next } };
}

function decoded(schema: typeof AnalyzeBody | typeof FixBody, body: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    decode(schema, value);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
