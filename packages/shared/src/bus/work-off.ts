import { headers as natsHeaders } from "nats";
import type { Static } from "@sinclair/typebox";

import { withContext } from "../context.ts";
import type { EventContract } from "../contract.ts";
import { decode } from "../decode.ts";
import { AppError, unavailable } from "../errors.ts";
import type { Logger } from "../telemetry/log.ts";
import { counter } from "../telemetry/metrics.ts";
import { extractTrace, span, SpanKind } from "../telemetry/trace.ts";
import type { BusConnection } from "./connection.ts";
import { deadLetterHeaders } from "./dead-letters.ts";
import type { Delivery } from "./delivery.ts";
import { HEADER } from "./headers.ts";
import { store } from "./publish.ts";

/** Who works events off, and how patiently. */
export interface Worker<E extends EventContract> {
  event: E;
  /** `<service>-<purpose>`: the instances of a service share the work under this name. */
  durable: string;
  /**
   * Works one event off. Returning is done; `AppError` with `invalid_parameter` means that it never will
   * be; anything else is tried again. It may run twice for one event, at the same time even.
   */
  handle(payload: Static<E["payload"]>, delivery: { attempt: number; last: boolean }): Promise<void>;
  /** Called before an event is given up, with the reason; what it throws is logged. */
  onDead?(payload: Static<E["payload"]>, reason: string): Promise<void>;
  /** An attempt that takes longer has failed, and its context's signal aborts; 15 minutes by default. */
  timeLimitMs?: number;
  /** Waits before the second, third, fourth and fifth attempt. */
  retryMs?: readonly number[];
  /** An event goes to another worker when its own has given no sign of life for so long; 30 s by default. */
  ackWaitMs?: number;
  log: Logger;
}

const ATTEMPTS = 5;
const RETRY_MS = [1_000, 10_000, 60_000, 300_000];
const TIME_LIMIT_MS = 15 * 60_000;

const OUTCOMES = ["done", "retried", "dead"] as const;
type Outcome = (typeof OUTCOMES)[number];

const outcomes = counter("events_total", "Events worked off", ["durable", "outcome"]);

/** Counts from nought: the first of a series that appears with it is no increase to Prometheus. */
export function countOutcomes(durable: string): void {
  for (const outcome of OUTCOMES) outcomes.inc({ durable, outcome }, 0);
}

/** Works one delivery off and tells the stream how it ended; never rejects. */
export async function workOff<E extends EventContract>(
  bus: BusConnection,
  worker: Worker<E> & { ackWaitMs: number },
  delivery: Delivery,
): Promise<void> {
  const { durable, log, timeLimitMs = TIME_LIMIT_MS } = worker;
  const requestId = delivery.header(HEADER.requestId) ?? crypto.randomUUID();
  const controller = new AbortController();
  const limit = setTimeout(() => controller.abort(), timeLimitMs);
  const alive = setInterval(() => bus.connected && delivery.stillWorking(), worker.ackWaitMs / 3);
  try {
    const outcome = await withContext({ requestId, signal: controller.signal }, () =>
      attempt(bus, worker, delivery, controller.signal),
    );
    outcomes.inc({ durable, outcome });
  } catch (error) {
    log.error({ error, durable }, "an event's outcome couldn't be told");
  } finally {
    clearTimeout(limit);
    clearInterval(alive);
  }
}

async function attempt<E extends EventContract>(
  bus: BusConnection,
  worker: Worker<E>,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const { durable, log, retryMs = RETRY_MS } = worker;
  const { attempt } = delivery;
  const parent = extractTrace(delivery.header);
  try {
    // Beyond the last attempt its worker died each time and never told why.
    if (attempt > ATTEMPTS) throw new AppError("invalid_parameter", "no attempt lived to tell its outcome");
    const payload = payloadOf(worker.event, delivery);
    await span(`${worker.event.subject} process`, { kind: SpanKind.CONSUMER, parent }, () =>
      within(signal, worker.handle(payload, { attempt, last: attempt === ATTEMPTS })),
    );
    delivery.done();
    return "done";
  } catch (error) {
    const hopeless = error instanceof AppError && error.code === "invalid_parameter";
    if (!hopeless && attempt < ATTEMPTS) {
      log.warn({ error, durable, attempt }, "an event failed and will be tried again");
      delivery.retry(retryMs[attempt - 1]);
      return "retried";
    }
    log.error({ error, durable, attempt }, "an event was given up");
    await bury(bus, worker, delivery, error instanceof AppError ? error.message : "internal");
    return "dead";
  }
}

/** `work`, or a failure when its time is over. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(unavailable("it took too long")), { once: true });
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
    log.error({ error, durable }, "a given-up event couldn't be marked");
  }
  delivery.giveUp();
}

function payloadOf<E extends EventContract>(event: E, delivery: Delivery): Static<E["payload"]> {
  try {
    return decode(event.payload, JSON.parse(Buffer.from(delivery.data).toString("utf8")));
  } catch (cause) {
    throw new AppError("invalid_parameter", `not a ${event.subject}`, { cause });
  }
}
