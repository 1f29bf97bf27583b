import { headers as natsHeaders, nanos, type Msg } from "nats";
import type { Static } from "@sinclair/typebox";

import { withContext } from "../platform/context.ts";
import type { EventContract } from "../contracts/contract.ts";
import { decode } from "../values/decode.ts";
import { AppError, unavailable } from "../values/errors.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { counter } from "../platform/telemetry/metrics.ts";
import { extractTrace, span, SpanKind } from "../platform/telemetry/trace.ts";
import type { BusConnection } from "./connection.ts";
import { deadLetterHeaders } from "./dead-letters.ts";
import { HEADER } from "./headers.ts";
import { store } from "./publish.ts";

/** One delivery of an event, and the ways to end it. */
export interface Delivery {
  data: Uint8Array;
  header(name: string): string | undefined;
  /** From 1. */
  attempt: number;
  /** Sequence number in the stream. */
  sequence: number;
  /** Confirms that the event is processed. */
  done(): void;
  /** Requests another delivery, after the delay. */
  retry(delayMs?: number): void;
  /** Ends the deliveries of the event. */
  giveUp(): void;
  /** Reports that the event is still being processed. */
  stillWorking(): void;
}

/**
 * Returns the delivery in a message from a stream. The reply subject contains its details:
 * `$JS.ACK[.<domain>.<account>].<stream>.<consumer>.<attempt>.<sequence>.<consumer
 * sequence>.<time>.<pending>[.<token>]`
 * (https://docs.nats.io/nats-concepts/jetstream/consumers#acknowledgment-models, ADR-15)
 */
export function deliveryOf(message: Msg): Delivery {
  const tokens = message.reply?.split(".") ?? [];
  const [attempt, sequence] = tokens.slice(tokens.length > 9 ? 6 : 4).map(Number);
  if (tokens[1] !== "ACK" || !attempt || !sequence)
    throw new Error("the message wasn't delivered by a stream");
  return {
    data: message.data,
    header: (name) => message.headers?.get(name) || undefined,
    attempt,
    sequence,
    done: () => void message.respond("+ACK"),
    retry: (delayMs) =>
      void message.respond(delayMs ? `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}` : "-NAK"),
    giveUp: () => void message.respond("+TERM"),
    stillWorking: () => void message.respond("+WPI"),
  };
}

/** A worker for events, and its limits. */
export interface Worker<E extends EventContract> {
  event: E;
  /** `<service>-<purpose>`: the instances of a service share the work under this name. */
  durable: string;
  /**
   * Processes one event. `AppError` with `invalid_parameter` means that it can never succeed; any other error leads
   * to a retry. It may run twice for an event, even at the same time.
   */
  handle(payload: Static<E["payload"]>, delivery: { attempt: number; last: boolean }): Promise<void>;
  /** Called with the reason before an event is given up. Its errors are logged. */
  onDead?(payload: Static<E["payload"]>, reason: string): Promise<void>;
  /** Time limit of an attempt, after which its context's signal aborts; 15 minutes by default. */
  timeLimitMs?: number;
  /** Delays before the second, third, fourth and fifth attempt. */
  retryMs?: readonly number[];
  /** Time without a heartbeat after which an event goes to another worker; 30 s by default. */
  ackWaitMs?: number;
  log: Logger;
}

const ATTEMPTS = 5;
const RETRY_MS = [1_000, 10_000, 60_000, 300_000];
const TIME_LIMIT_MS = 15 * 60_000;
/** Not at once: another request of a stopping process would fetch the event again, and use up its attempts. */
export const PASSED_ON_MS = 1_000;

const OUTCOMES = ["done", "retried", "dead"] as const;
type Outcome = (typeof OUTCOMES)[number];

const outcomes = counter("events_total", "Events processed, by outcome", ["durable", "outcome"]);

/** Starts the counters at 0, because Prometheus doesn't count the first value of a series as an increase. */
export function countOutcomes(durable: string): void {
  for (const outcome of OUTCOMES) outcomes.inc({ durable, outcome }, 0);
}

interface Limits {
  ackWaitMs: number;
  /** Aborted when the process stops and the work takes too long for that. */
  calledOff: AbortSignal;
}

/** Processes one delivery and reports the outcome to the stream. Never rejects. */
export async function workOff<E extends EventContract>(
  bus: BusConnection,
  worker: Worker<E> & Limits,
  delivery: Delivery,
): Promise<void> {
  const { durable, log, timeLimitMs = TIME_LIMIT_MS } = worker;
  const requestId = delivery.header(HEADER.requestId) ?? crypto.randomUUID();
  const controller = new AbortController();
  const limit = setTimeout(() => controller.abort(), timeLimitMs);
  const callOff = (): void => controller.abort();
  worker.calledOff.addEventListener("abort", callOff, { once: true });
  const alive = setInterval(() => bus.connected && delivery.stillWorking(), worker.ackWaitMs / 3);
  try {
    const outcome = await withContext({ requestId, signal: controller.signal }, () =>
      attempt(bus, worker, delivery, controller.signal),
    );
    outcomes.inc({ durable, outcome });
  } catch (error) {
    log.error({ error, durable }, "couldn't report an event's outcome");
  } finally {
    worker.calledOff.removeEventListener("abort", callOff);
    clearTimeout(limit);
    clearInterval(alive);
  }
}

async function attempt<E extends EventContract>(
  bus: BusConnection,
  worker: Worker<E> & Limits,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const { durable, log, retryMs = RETRY_MS, calledOff } = worker;
  const { attempt } = delivery;
  const parent = extractTrace(delivery.header);
  try {
    // Beyond the last attempt, the worker died each time before it could report an outcome.
    if (attempt > ATTEMPTS)
      throw new AppError("invalid_parameter", "the worker stopped during every attempt");
    const payload = payloadOf(worker.event, delivery);
    await span(`${worker.event.subject} process`, { kind: SpanKind.CONSUMER, parent }, () =>
      within(signal, worker.handle(payload, { attempt, last: attempt === ATTEMPTS })),
    );
    delivery.done();
    return "done";
  } catch (error) {
    if (calledOff.aborted) {
      delivery.retry(PASSED_ON_MS);
      return "retried";
    }
    const hopeless = error instanceof AppError && error.code === "invalid_parameter";
    if (!hopeless && attempt < ATTEMPTS) {
      log.warn({ error, durable, attempt }, "an event failed; it will be retried");
      delivery.retry(retryMs[attempt - 1]);
      return "retried";
    }
    log.error({ error, durable, attempt }, "an event failed for the last time");
    await bury(bus, worker, delivery, error instanceof AppError ? error.message : "internal");
    return "dead";
  }
}

/** Settles like `work`, or fails when its time is over. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(unavailable("processing exceeded its time limit")), {
    once: true,
  });
  return Promise.race([work, over]);
}

async function bury<E extends EventContract>(
  bus: BusConnection,
  { event, durable, onDead, log }: Worker<E>,
  delivery: Delivery,
  reason: string,
): Promise<void> {
  const requestId = delivery.header(HEADER.requestId) ?? "";
  const letter = { subject: event.subject, reason, attempts: delivery.attempt, requestId };
  const headers = natsHeaders();
  for (const [name, value] of deadLetterHeaders(letter)) headers.set(name, value);
  const id = `${event.stream}:${durable}:${delivery.sequence}`;
  await store(bus, `dead.${event.stream}.${durable}`, delivery.data, { headers, id });
  try {
    await onDead?.(payloadOf(event, delivery), reason);
  } catch (error) {
    log.error({ error, durable }, "couldn't mark an event as failed");
  }
  delivery.giveUp();
}

function payloadOf<E extends EventContract>(event: E, delivery: Delivery): Static<E["payload"]> {
  try {
    return decode(event.payload, JSON.parse(Buffer.from(delivery.data).toString("utf8")));
  } catch (cause) {
    throw new AppError("invalid_parameter", `the payload isn't a valid ${event.subject}`, { cause });
  }
}
