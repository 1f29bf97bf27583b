import { headers as natsHeaders, type Msg } from "nats";

import { withContext } from "../context.ts";
import type { Input, Output, RequestContract } from "../contract.ts";
import { decode } from "../decode.ts";
import { AppError, unavailable } from "../errors.ts";
import type { Logger } from "../log.ts";
import { gauge } from "../metrics.ts";
import { extractTrace, span, SpanKind } from "../trace.ts";
import type { BusConnection } from "./connection.ts";
import { CANCEL_SUBJECT, HEADER } from "./headers.ts";
import type { WireError } from "./request.ts";

/** JSON that is already text, with the cursor of the page behind it. */
export interface ReadyJson {
  json: string;
  nextCursor?: string;
}

/** A contract together with the function that answers it. */
export interface Endpoint {
  subject: string;
  respond(payload: Uint8Array): Promise<ReadyJson>;
}

/** Answers `contract` with a value of its output. */
export function answer<C extends RequestContract>(
  contract: C,
  handle: (input: Input<C>) => Promise<Output<C>>,
): Endpoint {
  return answerJson(contract, async (input) => ({ json: JSON.stringify(await handle(input)) }));
}

/** Answers `contract` with JSON that the handler has as text already; it must be of the contract's output. */
export function answerJson<C extends RequestContract>(
  contract: C,
  handle: (input: Input<C>) => Promise<ReadyJson>,
): Endpoint {
  return {
    subject: contract.subject,
    respond: (payload) => handle(decode(contract.input, parse(payload))),
  };
}

const MOST_IN_FLIGHT = 2_000;
const DEFAULT_TIMEOUT_MS = 10_000;

const inFlight = gauge("bus_requests_in_flight", "Requests over the bus that are being answered", []);

/**
 * Answers every endpoint, sharing the requests with the other instances of `service`. Each request runs
 * in its context: its id, its trace, a signal that aborts when the caller gives up. Nothing a handler
 * does can end the process: what it throws is answered, and logged once when it is a bug.
 */
export function serve(
  bus: BusConnection,
  { service, endpoints, log }: { service: string; endpoints: readonly Endpoint[]; log: Logger },
): void {
  const running = new Map<string, AbortController>();
  bus.nats.subscribe(CANCEL_SUBJECT, {
    callback: (_, message) => running.get(message.string())?.abort(),
  });
  for (const endpoint of endpoints) {
    bus.nats.subscribe(endpoint.subject, {
      queue: service,
      callback: (error, message) => {
        if (error === null) void handle(endpoint, message, running, log);
      },
    });
  }
}

async function handle(
  endpoint: Endpoint,
  message: Msg,
  running: Map<string, AbortController>,
  log: Logger,
): Promise<void> {
  const controller = new AbortController();
  const callId = header(message, HEADER.call) ?? crypto.randomUUID();
  const timeoutMs = Number(header(message, HEADER.timeout)) || DEFAULT_TIMEOUT_MS;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const context = { requestId: header(message, HEADER.requestId) ?? callId, signal: controller.signal };
  running.set(callId, controller);
  inFlight.set(running.size);
  const parent = extractTrace((name) => header(message, name));
  try {
    await withContext(context, async () => {
      const reply = await attempt(endpoint, message, {
        overloaded: running.size > MOST_IN_FLIGHT,
        parent,
        log,
      });
      send(message, reply);
    });
  } catch (error) {
    log.error({ error, subject: endpoint.subject }, "an answer couldn't be sent");
  } finally {
    clearTimeout(timer);
    running.delete(callId);
    inFlight.set(running.size);
  }
}

type Attempt = { parent: ReturnType<typeof extractTrace>; overloaded: boolean; log: Logger };

async function attempt(
  endpoint: Endpoint,
  message: Msg,
  { parent, overloaded, log }: Attempt,
): Promise<ReadyJson | WireError> {
  try {
    if (overloaded) throw unavailable("too many requests are under way");
    return await span(`${endpoint.subject} answer`, { kind: SpanKind.SERVER, parent }, () =>
      endpoint.respond(message.data),
    );
  } catch (error) {
    if (!(error instanceof AppError)) {
      log.error({ error, subject: endpoint.subject }, "a request failed");
      return { code: "internal", message: "something went wrong here" };
    }
    if (error.code === "unavailable")
      log.warn({ error, subject: endpoint.subject }, "a request was turned away");
    return wireError(error);
  }
}

function wireError({ code, message, details, fields, retryAfterSeconds }: AppError): WireError {
  return {
    code,
    message,
    ...(details && { details }),
    ...(fields && { fields }),
    ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
  };
}

function send(message: Msg, reply: ReadyJson | WireError): void {
  const headers = natsHeaders();
  if ("json" in reply) {
    if (reply.nextCursor === undefined) return void message.respond(reply.json);
    headers.set(HEADER.nextCursor, reply.nextCursor);
    return void message.respond(reply.json, { headers });
  }
  headers.set(HEADER.errorCode, reply.code);
  headers.set(HEADER.error, reply.code); // the text may hold characters that a header can't
  message.respond(JSON.stringify(reply), { headers });
}

function header(message: Msg, name: string): string | undefined {
  return message.headers?.get(name) || undefined;
}

function parse(payload: Uint8Array): unknown {
  return payload.length === 0 ? {} : JSON.parse(Buffer.from(payload).toString("utf8"));
}
