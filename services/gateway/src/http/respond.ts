import { withContext } from "@leeway/shared/platform/context";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import { durations } from "@leeway/shared/platform/telemetry/metrics";
import { extractTrace, span, SpanKind } from "@leeway/shared/platform/telemetry/trace";

import { ANONYMOUS } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import type { Visit } from "./access.ts";
import { joined, type Answer } from "./answer.ts";
import type { Connection } from "./client-address.ts";
import { failureAnswer, INTERNAL } from "./failure.ts";
import type { Run } from "./pipeline.ts";

const REQUEST_ID = /^[\w.-]{1,64}$/;
/** Status for the log if the client disconnected before the answer. */
const CLIENT_GONE = 499;

/** Largest body that Bun sends together with its headers. */
const BODY_BESIDE_HEADERS_BYTES = 15 * 1024;

/** Methods in metrics. All others are counted as one. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const requestSeconds = durations("http_request_seconds", "Time until a response was sent", [
  "method",
  "route",
  "status",
]);

/** Name of a route in logs and metrics. `quiet` routes are only logged at debug level. */
export interface RouteName {
  route: string;
  quiet: boolean;
}

export type Respond = (request: Request, connection: Connection | null) => Promise<Response>;

/**
 * Creates the handler of requests, which never throws. Each request runs in its context and is traced, measured and
 * logged.
 */
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

/** Logs bugs, and outages of dependencies of the gateway itself. Other services log their own outages. */
function noteFailure(log: Logger, error: unknown, route: string): void {
  if (!(error instanceof AppError)) log.error({ error, route }, "request failed");
  else if (error.code === "unavailable" && error.cause !== undefined)
    log.warn({ error, route }, "request rejected");
}

/**
 * Returns a body in the form that Bun sends fast. A body that doesn't fit behind the headers in Bun's 16 KiB becomes
 * a stream. Otherwise each header's name, colon and value would cost a system call and a packet.
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
 * Rejects requests without a valid host. Bun's URL for them is only the path, from which Elysia drops the first step.
 * A path that a proxy has allowed would then mean another one here. Paths of one step, such as health checks, aren't
 * affected.
 * @throws {AppError} `invalid_parameter`
 */
function requireHost(url: string): void {
  if (url.startsWith("/") && url.includes("/", 1)) throw invalidParameter("Host", "must be a valid host");
}

function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && REQUEST_ID.test(given) ? given : Bun.randomUUIDv7();
}

/** Returns the default headers of every answer. */
function standingHeaders(publicBaseUrl: string): Record<string, string> {
  return {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(publicBaseUrl.startsWith("https:") && {
      "strict-transport-security": "max-age=31536000; includeSubDomains",
    }),
  };
}
