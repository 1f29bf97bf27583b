import { headers as natsHeaders, type Msg, type Subscription } from "nats";

import { withContext } from "../platform/context.ts";
import type { BodyContract, Input, Output, RequestContract } from "../contracts/contract.ts";
import { Actor } from "../contracts/common.ts";
import { decode } from "../values/decode.ts";
import type { BusKeys } from "../security/encryption/bus-keys.ts";
import { AppError, unavailable } from "../values/errors.ts";
import { reportFreed } from "../platform/freed-memory.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { gauge } from "../platform/telemetry/metrics.ts";
import { extractTrace, span, SpanKind } from "../platform/telemetry/trace.ts";
import { sayAlive } from "./alive.ts";
import { callerOf, isRequest, servedSubjects } from "./callers.ts";
import type { BusConnection } from "./connection.ts";
import { positionIn, sayReplica } from "./freshness.ts";
import { CANCEL_SUBJECT, HEADER } from "./headers.ts";
import { packed, unpacked } from "./packing.ts";
import { BODY_MARK, type WireError } from "./request.ts";
import { hasSealed, opened, passageOf, sealFields, type Passage } from "./sealed-fields.ts";

/** JSON text, and the cursor of the next page. */
export interface ReadyJson {
  json: string;
  nextCursor?: string;
}

/** A contract and the function that answers it. */
export interface Endpoint {
  subject: string;
  callers: readonly string[];
  fromReplica?: boolean;
  /** `caller` is undefined for version 0.1.0. */
  respond(payload: Uint8Array, from: { keys: BusKeys; caller: string | undefined }): Promise<ReadyJson>;
}

/** Answers `contract` with a value of its output. */
export function answer<C extends RequestContract>(
  contract: C,
  handle: (input: Input<C>) => Promise<Output<C>>,
): Endpoint {
  return answerJson(contract, async (input) => ({ json: JSON.stringify(await handle(input)) }));
}

/** Answers `contract` with JSON text from the handler, which must fit the contract's output. */
export function answerJson<C extends RequestContract>(
  contract: C,
  handle: (input: Input<C>) => Promise<ReadyJson>,
): Endpoint {
  return {
    subject: contract.subject,
    callers: contract.callers,
    fromReplica: contract.fromReplica,
    respond: async (payload, from) => {
      const sent = parse(payload);
      const passage = passageOf(contract, sent, from);
      const answer = await handle(decode(contract.input, opened(passage, sent)));
      return sealedAnswer(passage, answer);
    },
  };
}

/** Answers `contract`, whose caller also sends bytes. `body` is only valid until the handler is done. */
export function answerBody<C extends BodyContract>(
  contract: C,
  handle: (input: Input<C>, body: Uint8Array) => Promise<Output<C>>,
): Endpoint {
  return {
    subject: contract.subject,
    callers: contract.callers,
    respond: async (payload, from) => {
      const mark = payload.indexOf(BODY_MARK);
      const sent = parse(payload.subarray(0, mark));
      const passage = passageOf(contract, sent, from);
      const input = decode(contract.input, opened(passage, sent));
      try {
        const output = await handle(input, payload.subarray(mark + 1));
        return sealedAnswer(passage, { json: JSON.stringify(output) });
      } finally {
        reportFreed(payload.length);
      }
    },
  };
}

function sealedAnswer(passage: Passage | undefined, answer: ReadyJson): ReadyJson {
  if (!passage || !hasSealed(passage, "output")) return answer;
  return { ...answer, json: JSON.stringify(sealFields(passage, "output", JSON.parse(answer.json))) };
}

/** Stops taking requests, and resolves when those in progress are answered. Requests that take too long fail. */
export type StopServing = () => Promise<void>;

const MAX_IN_FLIGHT = 2_000;
const DEFAULT_TIMEOUT_MS = 10_000;
/** Part of the nine seconds in which a service must stop. */
const STOP_GRACE_MS = 6_000;
const INTERNAL: WireError = {
  code: "internal",
  message: "internal error; include the request id when you report it",
};

const inFlight = gauge("bus_requests_in_flight", "Bus requests being answered", []);

interface Serving {
  bus: BusConnection;
  log: Logger;
  /** Requests that are being answered, by call. */
  calls: Map<string, AbortController>;
}

/**
 * Answers every endpoint, and shares the requests with the other instances of `service`. The context of a request has
 * its id, its trace, and a signal that aborts when the caller gives up. A handler's error never ends the process. The
 * caller receives it, and bugs are logged once.
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
  const subscriptions = endpoints.flatMap((endpoint) =>
    servedSubjects(endpoint).map((subject) =>
      bus.nats.subscribe(subject, {
        queue: service,
        callback: (problem, message) => {
          if (problem !== null)
            log.error(
              { error: problem, subject },
              "subscription failed; requests on this subject aren't served",
            );
          else if (isRequest(endpoint, message)) take(endpoint, message);
          else log.error({ subject, as: message.subject }, "dropped a message that isn't a request");
        },
      }),
    ),
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

/** Unsubscribes, but still takes the messages that were already sent to this process. */
async function drain(subscription: Subscription): Promise<void> {
  await subscription.drain().catch(() => undefined); // the connection is closed, so no message can arrive
}

async function handle({ bus, calls, log }: Serving, endpoint: Endpoint, message: Msg): Promise<void> {
  const controller = new AbortController();
  const call = header(message, HEADER.call)?.split(" ") ?? [];
  const [callId = crypto.randomUUID(), timeout, requestId = callId] = call;
  const timeoutMs = Number(timeout) || DEFAULT_TIMEOUT_MS;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const actor = actorIn(header(message, HEADER.actor));
  const context = {
    requestId,
    signal: controller.signal,
    ...(actor && { actor }),
    ...positionIn(endpoint, message),
  };
  const overloaded = calls.size >= MAX_IN_FLIGHT;
  const fallSilent = sayAlive(bus, callId, timeoutMs);
  calls.set(callId, controller);
  inFlight.set(calls.size);
  try {
    await withContext(context, async () => {
      const reply = overloaded
        ? wireError(unavailable("the service has too many requests in progress; retry in a moment"))
        : await attempt(endpoint, message, { signal: controller.signal, keys: bus.keys, log });
      send(bus, message, { reply, log });
    });
  } catch (error) {
    log.error({ error, subject: endpoint.subject }, "couldn't send an answer");
  } finally {
    clearTimeout(timer);
    fallSilent();
    calls.delete(callId);
    inFlight.set(calls.size);
  }
}

/** Returns the actor of a request; undefined if there is none, or it isn't valid. */
function actorIn(text: string | undefined): Actor | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    return decode(Actor, JSON.parse(decodeURIComponent(text)));
  } catch {
    return undefined;
  }
}

async function attempt(
  endpoint: Endpoint,
  message: Msg,
  { signal, keys, log }: { signal: AbortSignal; keys: BusKeys; log: Logger },
): Promise<ReadyJson | WireError> {
  const parent = extractTrace((name) => header(message, name));
  try {
    return await span(`${endpoint.subject} answer`, { kind: SpanKind.SERVER, parent }, () =>
      unlessAborted(signal, respond(endpoint, message, keys)),
    );
  } catch (error) {
    if (!(error instanceof AppError)) {
      log.error({ error, subject: endpoint.subject }, "request failed");
      return INTERNAL;
    }
    if (error.code === "unavailable") log.warn({ error, subject: endpoint.subject }, "request rejected");
    return wireError(error);
  }
}

/** @throws {AppError} `forbidden` for a service that the contract doesn't name as a caller */
async function respond(endpoint: Endpoint, message: Msg, keys: BusKeys): Promise<ReadyJson> {
  const caller = callerOf(endpoint, message);
  if (caller !== undefined && !endpoint.callers.includes(caller))
    throw new AppError("forbidden", `the ${caller} service may not call ${endpoint.subject}`);
  return endpoint.respond(unpacked(message), { keys, caller });
}

/**
 * Settles like `work`, or fails once the caller has given up. A handler that never ends would otherwise keep its
 * place.
 */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void =>
    reject(unavailable("canceled: the caller disconnected or the service is stopping"));
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

/** Sends an answer. If it can't be sent, for example because it is too large, sends an error instead. */
function send(
  bus: BusConnection,
  message: Msg,
  { reply, log }: { reply: ReadyJson | WireError; log: Logger },
): void {
  if (!("json" in reply)) return sendError(message, reply);
  try {
    sendJson(bus, message, reply);
  } catch (error) {
    log.error({ error, subject: message.subject }, "couldn't send an answer");
    sendError(message, INTERNAL);
  }
}

function sendJson(bus: BusConnection, message: Msg, { json, nextCursor }: ReadyJson): void {
  // `JSON.stringify` returns undefined for a value that isn't JSON, despite its type.
  if (typeof json !== "string") throw new TypeError("the handler returned no JSON value");
  const headers = natsHeaders();
  if (nextCursor !== undefined) headers.set(HEADER.nextCursor, nextCursor);
  sayReplica(headers);
  const payload = packed(bus, json, headers);
  message.respond(payload, headers.keys().length > 0 ? { headers } : undefined);
}

function sendError(message: Msg, error: WireError): void {
  const headers = natsHeaders();
  headers.set(HEADER.errorCode, error.code);
  headers.set(HEADER.error, error.code); // the message may contain characters that a header can't
  message.respond(JSON.stringify(error), { headers });
}

function header(message: Msg, name: string): string | undefined {
  return message.headers?.get(name) || undefined;
}

function parse(payload: Uint8Array): unknown {
  return payload.length === 0 ? {} : JSON.parse(Buffer.from(payload).toString("utf8"));
}
