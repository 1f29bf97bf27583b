import { headers as natsHeaders, NatsError, type Msg, type MsgHdrs } from "nats";

import { currentContext } from "../context.ts";
import type { BodyContract, Input, Output, RequestContract } from "../contract.ts";
import { AppError, unavailable, type ErrorCode, type ErrorDetail } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { letGo } from "../let-go.ts";
import { durations } from "../telemetry/metrics.ts";
import { injectTrace, span, SpanKind } from "../telemetry/trace.ts";
import { watchCall } from "./alive.ts";
import type { BusConnection } from "./connection.ts";
import { CANCEL_SUBJECT, HEADER } from "./headers.ts";
import { inTurn } from "./in-turn.ts";
import { packed, unpacked } from "./packing.ts";

/** An answer as the owning service wrote it: JSON, not parsed here. */
export interface Reply {
  body: Uint8Array;
  /** Where the next page begins, when there is one. */
  nextCursor?: string;
}

/** How a failure travels. */
export interface WireError {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
  fields?: JsonObject;
  retry_after?: number;
}

/** Ends the input where a body follows: JSON as we write it has no line feed. */
export const BODY_MARK = 0x0a;

const requestSeconds = durations("bus_request_seconds", "Time until a request over the bus was answered", [
  "subject",
  "outcome",
]);

/**
 * Asks and gives the answer's bytes. The work is called off when the context's signal aborts or time runs out.
 * @throws {AppError} what the owner answered, or `unavailable` when nobody did
 */
export async function forward<C extends RequestContract>(
  bus: BusConnection,
  contract: C,
  input: Input<C>,
): Promise<Reply> {
  const message = await measured(contract.subject, () =>
    inTurn(bus, { contract, input }, (timeoutMs) =>
      send(bus, { ...contract, timeoutMs }, JSON.stringify(input)),
    ),
  );
  if (message.headers?.has(HEADER.errorCode)) throw readError(message);
  const nextCursor = message.headers?.get(HEADER.nextCursor);
  return { body: unpacked(message), ...(nextCursor && { nextCursor }) };
}

/** Asks and gives the answer. @throws {AppError} as `forward` */
export async function call<C extends RequestContract>(
  bus: BusConnection,
  contract: C,
  input: Input<C>,
): Promise<Output<C>> {
  const { body } = await forward(bus, contract, input);
  return outputOf<C>(body);
}

/**
 * Asks with bytes behind the input, which travel as they are; not in turn: the more of them are stored at once, the less
 * each costs.
 * @throws {AppError} as `forward`
 */
export async function callWithBody<C extends BodyContract>(
  bus: BusConnection,
  contract: C,
  input: Input<C>,
  body: Uint8Array,
): Promise<Output<C>> {
  const payload = Buffer.concat([Buffer.from(`${JSON.stringify(input)}\n`), body]);
  try {
    const message = await measured(contract.subject, () => send(bus, contract, payload));
    if (message.headers?.has(HEADER.errorCode)) throw readError(message);
    return outputOf<C>(unpacked(message));
  } finally {
    letGo(payload.length);
  }
}

function outputOf<C extends RequestContract>(body: Uint8Array): Output<C> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the owner answers by the same contract
  return JSON.parse(Buffer.from(body).toString("utf8")) as Output<C>;
}

async function send(
  bus: BusConnection,
  { subject, timeoutMs }: Pick<RequestContract, "subject" | "timeoutMs">,
  payload: string | Uint8Array,
): Promise<Msg> {
  const signal = currentContext()?.signal;
  const callId = crypto.randomUUID();
  const headers = requestHeaders(callId, timeoutMs);
  const { promise: over, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(unavailable("the caller is gone"));
  if (signal?.aborted) throw unavailable("the caller is gone");
  signal?.addEventListener("abort", onAbort, { once: true });
  const unwatch = watchCall(bus, callId, {
    timeoutMs,
    onLost: () => reject(unavailable(`the ${ownerOf(subject)} service went away`)),
  });
  try {
    const answered = bus.whileConnected(() =>
      bus.nats.request(subject, packed(bus, payload, headers), { timeout: timeoutMs, headers }),
    );
    return await Promise.race([answered, over]);
  } catch (error) {
    // Whoever has the call, or comes to it later, is to leave it.
    if (bus.connected) bus.nats.publish(CANCEL_SUBJECT, callId);
    throw translate(error, subject);
  } finally {
    unwatch();
    signal?.removeEventListener("abort", onAbort);
  }
}

function requestHeaders(callId: string, timeoutMs: number): MsgHdrs {
  const headers = natsHeaders();
  headers.set(HEADER.call, `${callId} ${timeoutMs} ${currentContext()?.requestId ?? callId}`);
  injectTrace((name, value) => headers.set(name, value));
  return headers;
}

/** A failure of NATS in our words; its codes: "503" is no responders. */
function translate(error: unknown, subject: string): unknown {
  if (!(error instanceof NatsError)) return error;
  const owner = ownerOf(subject);
  switch (error.code) {
    case "503":
      return unavailable(`the ${owner} service isn't there`, error);
    case "TIMEOUT":
      return unavailable(`the ${owner} service didn't answer in time`, error);
    case "MAX_PAYLOAD_EXCEEDED":
      return new AppError("payload_too_large", "the request is too large", { cause: error });
    default:
      return unavailable("the message bus can't be reached", error);
  }
}

function ownerOf(subject: string): string {
  const [owner = subject] = subject.split(".");
  return owner;
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
    if (currentContext()?.signal?.aborted) outcome = "canceled"; // a client that leaves is no failure
    throw error;
  } finally {
    requestSeconds.observe({ subject, outcome }, (performance.now() - started) / 1000);
  }
}
