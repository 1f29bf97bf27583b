import { headers as natsHeaders, NatsError, type Msg, type MsgHdrs } from "nats";

import { currentContext } from "../platform/context.ts";
import type { BodyContract, Input, Output, RequestContract } from "../contracts/contract.ts";
import { AppError, unavailable, type ErrorCode, type ErrorDetail } from "../values/errors.ts";
import { isObject, type JsonObject } from "../values/json.ts";
import { reportFreed } from "../platform/freed-memory.ts";
import { durations } from "../platform/telemetry/metrics.ts";
import { injectTrace, span, SpanKind } from "../platform/telemetry/trace.ts";
import { watchCall } from "./alive.ts";
import { callerOn, ownerOf, requestSubject } from "./callers.ts";
import type { BusConnection } from "./connection.ts";
import { sendPosition } from "./freshness.ts";
import { CANCEL_SUBJECT, HEADER } from "./headers.ts";
import { withinRequestLimits } from "./request-limits.ts";
import { packed, unpacked } from "./packing.ts";
import { hasSealed, openFields, sealFields, type Passage } from "./sealed-fields.ts";

/** An answer as JSON from the owning service, not parsed here. */
export interface Reply {
  body: Uint8Array;
  /** Cursor of the next page, if there is one. */
  nextCursor?: string;
}

/** A failure in the form in which it is sent. */
export interface WireError {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
  fields?: JsonObject;
  retry_after?: number;
}

/**
 * Additional time for each MiB of a body, because large ones take longer to read. With the longest wait in the gateway,
 * 5 MiB stay within the ten seconds that code hosts wait for a response.
 */
const BODY_MS_PER_MIB = 400;
/** Separates the input from the body. Our JSON has no line feeds. */
export const BODY_MARK = 0x0a;

const requestSeconds = durations("bus_request_seconds", "Time until a bus request was answered", [
  "subject",
  "outcome",
]);

/**
 * Sends a request and returns the answer's bytes. The work is canceled if the context's signal aborts or the time is
 * over.
 * @throws {AppError} from the owner's answer, or `unavailable` without one
 */
export async function forward<C extends RequestContract>(
  bus: BusConnection,
  contract: C,
  input: Input<C>,
): Promise<Reply> {
  const passage = passageOf(bus, contract, input);
  const message = await measured(contract.subject, () =>
    withinRequestLimits(bus, { contract, input }, (timeoutMs) =>
      send(bus, { ...contract, timeoutMs }, JSON.stringify(sealFields(passage, "input", input))),
    ),
  );
  if (message.headers?.has(HEADER.errorCode)) throw readError(message);
  const nextCursor = message.headers?.get(HEADER.nextCursor);
  return { body: opened(passage, unpacked(message)), ...(nextCursor && { nextCursor }) };
}

function passageOf(bus: BusConnection, contract: RequestContract, input: unknown): Passage {
  const orgId = isObject(input) ? input["org_id"] : undefined;
  return { keys: bus.keys, contract, caller: callerOn(bus, contract), orgId };
}

/** Returns an answer with its secret fields decrypted. */
function opened(passage: Passage, body: Uint8Array): Uint8Array {
  if (!hasSealed(passage, "output")) return body;
  return Buffer.from(JSON.stringify(openFields(passage, "output", outputOf(body))));
}

/** Sends a request and returns the answer. @throws {AppError} as `forward` */
export async function call<C extends RequestContract>(
  bus: BusConnection,
  contract: C,
  input: Input<C>,
): Promise<Output<C>> {
  const { body } = await forward(bus, contract, input);
  return outputOf<C>(body);
}

/**
 * Sends a request with bytes after the input, unchanged. It doesn't wait in a queue: storing many bodies together makes
 * each cheaper. Its time limit grows with the body.
 * @throws {AppError} as `forward`
 */
export async function callWithBody<C extends BodyContract>(
  bus: BusConnection,
  contract: C,
  input: Input<C>,
  body: Uint8Array,
): Promise<Output<C>> {
  const passage = passageOf(bus, contract, input);
  const sealed = JSON.stringify(sealFields(passage, "input", input));
  const payload = Buffer.concat([Buffer.from(`${sealed}\n`), body]);
  const timeoutMs = contract.timeoutMs + Math.ceil((body.length / (1 << 20)) * BODY_MS_PER_MIB);
  try {
    const message = await measured(contract.subject, () => send(bus, { ...contract, timeoutMs }, payload));
    if (message.headers?.has(HEADER.errorCode)) throw readError(message);
    return outputOf<C>(opened(passage, unpacked(message)));
  } finally {
    reportFreed(payload.length);
  }
}

function outputOf<C extends RequestContract>(body: Uint8Array): Output<C> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the owner answers by the same contract
  return JSON.parse(Buffer.from(body).toString("utf8")) as Output<C>;
}

async function send(
  bus: BusConnection,
  contract: Pick<RequestContract, "subject" | "callers" | "timeoutMs" | "fromReplica">,
  payload: string | Uint8Array,
): Promise<Msg> {
  const { subject, timeoutMs } = contract;
  const signal = currentContext()?.signal;
  const callId = crypto.randomUUID();
  const headers = requestHeaders(callId, timeoutMs);
  const noteAnswer = sendPosition(contract, headers);
  const { promise: over, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(unavailable("the caller disconnected"));
  if (signal?.aborted) throw unavailable("the caller disconnected");
  signal?.addEventListener("abort", onAbort, { once: true });
  const unwatch = watchCall(bus, callId, {
    timeoutMs,
    onLost: () => reject(unavailable(`the ${ownerOf(subject)} service stopped before it answered`)),
  });
  try {
    const answered = bus.whileConnected(() =>
      bus.nats.request(requestSubject(bus, contract), packed(bus, payload, headers), {
        timeout: timeoutMs,
        headers,
      }),
    );
    const message = await Promise.race([answered, over]);
    noteAnswer(message);
    return message;
  } catch (error) {
    // The worker that has the call, or gets it later, must drop it.
    if (bus.connected) bus.nats.publish(CANCEL_SUBJECT, callId);
    throw translate(error, subject);
  } finally {
    unwatch();
    signal?.removeEventListener("abort", onAbort);
  }
}

function requestHeaders(callId: string, timeoutMs: number): MsgHdrs {
  const headers = natsHeaders();
  const { requestId = callId, actor } = currentContext() ?? {};
  headers.set(HEADER.call, `${callId} ${timeoutMs} ${requestId}`);
  if (actor) headers.set(HEADER.actor, encodeURIComponent(JSON.stringify(actor)));
  injectTrace((name, value) => headers.set(name, value));
  return headers;
}

/** Translates a failure of NATS. Its code "503" means that there are no responders. */
function translate(error: unknown, subject: string): unknown {
  if (!(error instanceof NatsError)) return error;
  const owner = ownerOf(subject);
  switch (error.code) {
    case "503":
      return unavailable(`the ${owner} service isn't running; retry in a moment`, error);
    case "TIMEOUT":
      return unavailable(`the ${owner} service didn't answer in time; retry in a moment`, error);
    case "MAX_PAYLOAD_EXCEEDED":
      return new AppError("payload_too_large", "the request is too large for the message bus", {
        cause: error,
      });
    default:
      return unavailable("can't reach the message bus", error);
  }
}

function readError(message: Msg): AppError {
  const wire = message.json<WireError>(); // written by `answer`, in this package
  return new AppError(wire.code, wire.message, {
    ...(wire.details && { details: wire.details }),
    ...(wire.fields && { fields: wire.fields }),
    ...(wire.retry_after !== undefined && { retryAfterSeconds: wire.retry_after }),
  });
}

async function measured(subject: string, work: () => Promise<Msg>): Promise<Msg> {
  const started = performance.now();
  let outcome = "error";
  try {
    const message = await span(`${subject} request`, { kind: SpanKind.CLIENT }, work);
    outcome = message.headers?.get(HEADER.errorCode) || "ok";
    return message;
  } catch (error) {
    if (currentContext()?.signal?.aborted) outcome = "canceled"; // a client that leaves isn't a failure
    throw error;
  } finally {
    requestSeconds.observe({ subject, outcome }, (performance.now() - started) / 1000);
  }
}
