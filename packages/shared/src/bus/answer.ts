import { headers as natsHeaders, type Msg, type Subscription } from "nats";

import { withContext } from "../context.ts";
import type { BodyContract, Input, Output, RequestContract } from "../contract.ts";
import { decode } from "../decode.ts";
import { AppError, unavailable } from "../errors.ts";
import { letGo } from "../let-go.ts";
import type { Logger } from "../telemetry/log.ts";
import { gauge } from "../telemetry/metrics.ts";
import { extractTrace, span, SpanKind } from "../telemetry/trace.ts";
import { sayAlive } from "./alive.ts";
import type { BusConnection } from "./connection.ts";
import { CANCEL_SUBJECT, HEADER } from "./headers.ts";
import { packed, unpacked } from "./packing.ts";
import { BODY_MARK, type WireError } from "./request.ts";

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
    respond: async (payload) => handle(decode(contract.input, parse(payload))),
  };
}

/** Answers `contract`, whose caller sends bytes along; `body` is only good until the handler is done. */
export function answerBody<C extends BodyContract>(
  contract: C,
  handle: (input: Input<C>, body: Uint8Array) => Promise<Output<C>>,
): Endpoint {
  return {
    subject: contract.subject,
    respond: async (payload) => {
      const mark = payload.indexOf(BODY_MARK);
      const input = decode(contract.input, parse(payload.subarray(0, mark)));
      try {
        return { json: JSON.stringify(await handle(input, payload.subarray(mark + 1))) };
      } finally {
        letGo(payload.length);
      }
    },
  };
}

/** Takes no more requests, and resolves when those under way are answered: what takes too long, by a refusal. */
export type StopServing = () => Promise<void>;

const MOST_IN_FLIGHT = 2_000;
const DEFAULT_TIMEOUT_MS = 10_000;
/** A service that stops has nine seconds for everything. */
const STOP_GRACE_MS = 6_000;
const INTERNAL: WireError = { code: "internal", message: "something went wrong here" };

const inFlight = gauge("bus_requests_in_flight", "Requests over the bus that are being answered", []);

interface Serving {
  bus: BusConnection;
  log: Logger;
  /** What is being answered, by its call. */
  calls: Map<string, AbortController>;
}

/**
 * Answers every endpoint, sharing the requests with the other instances of `service`. Each request runs
 * in its context: its id, its trace, a signal that aborts when the caller gives up. Nothing a handler
 * does can end the process: what it throws is answered, and logged once when it is a bug.
 */
export function serve(
  bus: BusConnection,
  { service, endpoints, log }: { service: string; endpoints: readonly Endpoint[]; log: Logger },
): StopServing {
  const serving: Serving = { bus, log, calls: new Map() };
  const underWay = new Set<Promise<void>>();
  const take = (endpoint: Endpoint, message: Msg): void => {
    const work = handle(serving, endpoint, message).finally(() => underWay.delete(work));
    underWay.add(work);
  };
  const cancels = bus.nats.subscribe(CANCEL_SUBJECT, {
    callback: (problem, message) => {
      if (problem === null) serving.calls.get(message.string())?.abort();
    },
  });
  const subscriptions = endpoints.map((endpoint) =>
    bus.nats.subscribe(endpoint.subject, {
      queue: service,
      callback: (problem, message) => {
        if (problem === null) take(endpoint, message);
        else log.error({ error: problem, subject: endpoint.subject }, "not served");
      },
    }),
  );
  return async () => {
    const grace = setTimeout(() => {
      for (const call of serving.calls.values()) call.abort();
    }, STOP_GRACE_MS);
    await Promise.all(subscriptions.map(drain));
    await Promise.all(underWay);
    clearTimeout(grace);
    cancels.unsubscribe();
  };
}

/** What has been sent to us already is still taken. */
async function drain(subscription: Subscription): Promise<void> {
  await subscription.drain().catch(() => undefined); // the connection is closed: nothing comes any more
}

async function handle({ bus, calls, log }: Serving, endpoint: Endpoint, message: Msg): Promise<void> {
  const controller = new AbortController();
  const call = header(message, HEADER.call)?.split(" ") ?? [];
  const [callId = crypto.randomUUID(), timeout, requestId = callId] = call;
  const timeoutMs = Number(timeout) || DEFAULT_TIMEOUT_MS;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const context = { requestId, signal: controller.signal };
  const overloaded = calls.size >= MOST_IN_FLIGHT;
  const fallSilent = sayAlive(bus, callId, timeoutMs);
  calls.set(callId, controller);
  inFlight.set(calls.size);
  try {
    await withContext(context, async () => {
      const reply = overloaded
        ? wireError(unavailable("too many requests are under way"))
        : await attempt(endpoint, message, { signal: controller.signal, log });
      send(bus, message, { reply, log });
    });
  } catch (error) {
    log.error({ error, subject: endpoint.subject }, "an answer couldn't be sent");
  } finally {
    clearTimeout(timer);
    fallSilent();
    calls.delete(callId);
    inFlight.set(calls.size);
  }
}

async function attempt(
  endpoint: Endpoint,
  message: Msg,
  { signal, log }: { signal: AbortSignal; log: Logger },
): Promise<ReadyJson | WireError> {
  const parent = extractTrace((name) => header(message, name));
  try {
    return await span(`${endpoint.subject} answer`, { kind: SpanKind.SERVER, parent }, () =>
      unlessAborted(signal, endpoint.respond(unpacked(message))),
    );
  } catch (error) {
    if (!(error instanceof AppError)) {
      log.error({ error, subject: endpoint.subject }, "a request failed");
      return INTERNAL;
    }
    if (error.code === "unavailable")
      log.warn({ error, subject: endpoint.subject }, "a request was turned away");
    return wireError(error);
  }
}

/** `work`, or a failure once nobody waits for it: a handler that never ends would keep its place for ever. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(unavailable("nobody waits for it any more, or the service stops"));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, aborted]);
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

/** An answer that can't be sent, being too large say, is a failure that can. */
function send(
  bus: BusConnection,
  message: Msg,
  { reply, log }: { reply: ReadyJson | WireError; log: Logger },
): void {
  if (!("json" in reply)) return sendError(message, reply);
  try {
    sendJson(bus, message, reply);
  } catch (error) {
    log.error({ error, subject: message.subject }, "an answer couldn't be sent");
    sendError(message, INTERNAL);
  }
}

function sendJson(bus: BusConnection, message: Msg, { json, nextCursor }: ReadyJson): void {
  // `JSON.stringify` gives undefined for what isn't JSON, whatever its type says.
  if (typeof json !== "string") throw new TypeError("a handler answered nothing");
  const headers = natsHeaders();
  if (nextCursor !== undefined) headers.set(HEADER.nextCursor, nextCursor);
  const payload = packed(bus, json, headers);
  message.respond(payload, headers.keys().length > 0 ? { headers } : undefined);
}

function sendError(message: Msg, error: WireError): void {
  const headers = natsHeaders();
  headers.set(HEADER.errorCode, error.code);
  headers.set(HEADER.error, error.code); // the text may hold characters that a header can't
  message.respond(JSON.stringify(error), { headers });
}

function header(message: Msg, name: string): string | undefined {
  return message.headers?.get(name) || undefined;
}

function parse(payload: Uint8Array): unknown {
  return payload.length === 0 ? {} : JSON.parse(Buffer.from(payload).toString("utf8"));
}
