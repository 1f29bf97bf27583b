import { withContext } from "@leeway/shared/context";
import { AppError, invalidParameter } from "@leeway/shared/errors";
import type { Logger } from "@leeway/shared/telemetry/log";
import { durations } from "@leeway/shared/telemetry/metrics";
import { extractTrace, span, SpanKind } from "@leeway/shared/telemetry/trace";

import { ANONYMOUS } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import type { Visit } from "./access.ts";
import { joined, type Answer } from "./answer.ts";
import type { Connection } from "./client-address.ts";
import { failureAnswer, INTERNAL } from "./failure.ts";
import type { Run } from "./pipeline.ts";

const REQUEST_ID = /^[\w.-]{1,64}$/;
/** The client went away before the answer: nobody will see this status. */
const CLIENT_GONE = 499;

/** The longest body that Bun sends together with its headers. */
const BODY_BESIDE_HEADERS_BYTES = 15 * 1024;

/** Anything else a client makes up is one value in the metrics. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const requestSeconds = durations("http_request_seconds", "Time until a request was answered", [
  "method",
  "route",
  "status",
]);

/** What a route is called in logs and metrics, and whether it is worth a line of the log. */
export interface RouteName {
  route: string;
  quiet: boolean;
}

export type Respond = (request: Request, connection: Connection | null) => Promise<Response>;

/** Answers requests by `run`, whatever happens: each in its context, traced, measured and logged. */
export function createRespond({ route, quiet }: RouteName, run: Run, gateway: Gateway): Respond {
  const always = standingHeaders(gateway.publicBaseUrl);

  async function attempt(visit: Visit, requestId: string): Promise<Answer> {
    try {
      requireHost(visit.request.url);
      return await run(visit);
    } catch (error) {
      noteFailure(gateway.log, error, route);
      const accept = visit.request.headers.get("accept");
      return failureAnswer(error instanceof AppError ? error : INTERNAL, { requestId, accept });
    }
  }

  function note({ request, caller, orgId }: Visit, status: number, started: number): void {
    const seconds = (performance.now() - started) / 1000;
    const method = METHODS.has(request.method) ? request.method : "other";
    requestSeconds.observe({ method, route, status }, seconds);
    const line = {
      method,
      route,
      status,
      ms: Math.round(seconds * 1e5) / 100,
      ...(caller.id && { caller: caller.id }),
      ...(orgId && { org_id: orgId }),
    };
    if (quiet) gateway.log.debug(line, "request");
    else gateway.log.info(line, "request");
  }

  return (request, connection) => {
    const started = performance.now();
    const requestId = requestIdOf(request);
    const { signal } = request;
    return withContext({ requestId, signal }, async () => {
      const visit: Visit = { request, connection, caller: ANONYMOUS, orgId: "", headers: {} };
      const answer = await span(
        `${request.method} ${route}`,
        {
          kind: SpanKind.SERVER,
          attributes: { "http.request.method": request.method, "http.route": route },
          parent: extractTrace((name) => request.headers.get(name) ?? undefined),
        },
        () => attempt(visit, requestId),
      );
      note(visit, signal.aborted ? CLIENT_GONE : answer.status, started);
      const headers = { ...always, ...joined(answer.headers, visit.headers), "x-request-id": requestId };
      const response = new Response(answer.stream ?? sent(answer.body), { status: answer.status, headers });
      for (const cookie of answer.cookies ?? []) response.headers.append("set-cookie", cookie);
      return response;
    });
  };
}

/** Bugs, and what is away that is asked from here; a service that is asked tells in its own log what is away there. */
function noteFailure(log: Logger, error: unknown, route: string): void {
  if (!(error instanceof AppError)) log.error({ error, route }, "a request failed");
  else if (error.code === "unavailable" && error.cause !== undefined)
    log.warn({ error, route }, "a request was turned away");
}

/**
 * A body as Bun sends it fast. One that has no room behind the headers in its 16 KiB costs a system call and a packet for
 * each name, colon and value of them, unless it is a stream.
 */
function sent(body: Answer["body"]): Answer["body"] | ReadableStream<Uint8Array> {
  if (body === null || body.length <= BODY_BESIDE_HEADERS_BYTES) return body;
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/**
 * Bun's URL of a request without a host that is one is its path alone, and behind its first step Elysia finds another path:
 * what a proxy has let through would be something else here. A path of one step, as of a health check, is what it is.
 * @throws {AppError} `invalid_parameter`
 */
function requireHost(url: string): void {
  if (url.startsWith("/") && url.includes("/", 1)) throw invalidParameter("Host", "must be a host");
}

function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && REQUEST_ID.test(given) ? given : Bun.randomUUIDv7();
}

/** What every answer carries unless it says otherwise. */
function standingHeaders(publicBaseUrl: string): Record<string, string> {
  return {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(publicBaseUrl.startsWith("https:") && {
      "strict-transport-security": "max-age=31536000; includeSubDomains",
    }),
  };
}
