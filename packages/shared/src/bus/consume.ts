import { AckPolicy, DeliverPolicy, headers as natsHeaders, nanos, type Consumer, type JsMsg } from "nats";
import type { Static } from "@sinclair/typebox";

import { withContext } from "../context.ts";
import type { EventContract } from "../contract.ts";
import { decode } from "../decode.ts";
import { AppError } from "../errors.ts";
import type { Logger } from "../log.ts";
import { counter } from "../metrics.ts";
import { extractTrace, span, SpanKind } from "../trace.ts";
import type { BusConnection } from "./connection.ts";
import { HEADER } from "./headers.ts";

interface ConsumeOptions<E extends EventContract> {
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
  concurrency: number;
  log: Logger;
}

/** Stops taking events, and resolves when those under way are done. */
export type StopConsuming = () => Promise<void>;

const ATTEMPTS = 5;
const ACK_WAIT_MS = 30_000;
const RETRY_MS = [1_000, 5_000, 15_000, 60_000];
const RESUME_MS = 500;
const PULL_EXPIRES_MS = 5_000;

const outcomes = counter("events_total", "Events worked off", ["durable", "outcome"]);

/**
 * Works off an event's stream until stopped, through losses of the bus and of its store. An event that
 * fails five times, or kills its worker so often, goes to the dead letters with the reason.
 */
export function consume<E extends EventContract>(
  bus: BusConnection,
  options: ConsumeOptions<E>,
): StopConsuming {
  const running = new Set<Promise<void>>();
  const state: { stopped: boolean; stopPulling?: () => void } = { stopped: false };

  async function pull(): Promise<void> {
    const consumer = await ensureConsumer(bus, options);
    const messages = await consumer.consume({ max_messages: options.concurrency, expires: PULL_EXPIRES_MS });
    state.stopPulling = () => messages.stop();
    if (state.stopped) messages.stop();
    for await (const message of messages) {
      const work = workOff(bus, options, message).finally(() => running.delete(work));
      running.add(work);
      if (running.size >= options.concurrency) await Promise.race(running);
    }
  }

  async function loop(): Promise<void> {
    while (!state.stopped) {
      try {
        await pull();
      } catch (error) {
        if (bus.connected)
          options.log.warn({ error, durable: options.durable }, "taking events was interrupted");
      }
      if (!state.stopped) await Bun.sleep(RESUME_MS);
    }
  }

  const looping = loop();
  return async () => {
    state.stopped = true;
    state.stopPulling?.();
    await Promise.race([looping, Bun.sleep(PULL_EXPIRES_MS)]);
    await Promise.all(running);
  };
}

async function ensureConsumer<E extends EventContract>(
  bus: BusConnection,
  { event, durable, concurrency }: ConsumeOptions<E>,
): Promise<Consumer> {
  const manager = await bus.nats.jetstreamManager();
  await manager.consumers.add(event.stream, {
    durable_name: durable,
    filter_subject: event.subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: concurrency * 16,
  });
  return bus.nats.jetstream().consumers.get(event.stream, durable);
}

async function workOff<E extends EventContract>(
  bus: BusConnection,
  options: ConsumeOptions<E>,
  message: JsMsg,
): Promise<void> {
  const { durable, log } = options;
  const requestId = message.headers?.get(HEADER.requestId) || crypto.randomUUID();
  const alive = setInterval(() => message.working(), ACK_WAIT_MS / 3);
  try {
    const outcome = await withContext({ requestId }, () => attempt(bus, options, message));
    outcomes.inc({ durable, outcome });
  } catch (error) {
    log.error({ error, durable }, "an event's outcome couldn't be told");
  } finally {
    clearInterval(alive);
  }
}

async function attempt<E extends EventContract>(
  bus: BusConnection,
  options: ConsumeOptions<E>,
  message: JsMsg,
): Promise<"done" | "retried" | "dead"> {
  const attempt = message.info.redeliveryCount;
  const parent = extractTrace((name) => message.headers?.get(name) || undefined);
  try {
    // Beyond the last attempt its worker died each time and never told why.
    if (attempt > ATTEMPTS) throw new AppError("invalid_parameter", "its worker ended each time");
    await span(`${options.event.subject} process`, { kind: SpanKind.CONSUMER, parent }, () =>
      options.handle(payloadOf(options.event, message), { attempt, last: attempt === ATTEMPTS }),
    );
    message.ack();
    return "done";
  } catch (error) {
    const hopeless = error instanceof AppError && error.code === "invalid_parameter";
    if (!hopeless && attempt < ATTEMPTS) {
      options.log.warn(
        { error, durable: options.durable, attempt },
        "an event failed and will be tried again",
      );
      message.nak(RETRY_MS[attempt - 1]);
      return "retried";
    }
    options.log.error({ error, durable: options.durable, attempt }, "an event was given up");
    await bury(bus, options, message, error instanceof AppError ? error.message : "internal");
    return "dead";
  }
}

async function bury<E extends EventContract>(
  bus: BusConnection,
  options: ConsumeOptions<E>,
  message: JsMsg,
  reason: string,
): Promise<void> {
  const { event, durable, onDead, log } = options;
  const headers = natsHeaders();
  for (const [name, value] of Object.entries({
    "Leeway-Subject": event.subject,
    "Leeway-Reason": reason.replaceAll(/[^\x20-\x7e]/g, " "),
    "Leeway-Attempts": String(message.info.redeliveryCount),
    [HEADER.requestId]: message.headers?.get(HEADER.requestId) ?? "",
  })) {
    headers.set(name, value);
  }
  const id = `${event.stream}:${durable}:${message.info.streamSequence}`;
  await bus.nats
    .jetstream()
    .publish(`dead.${event.stream}.${durable}`, message.data, { headers, msgID: id, timeout: 1_000 });
  try {
    await onDead?.(payloadOf(event, message), reason);
  } catch (error) {
    log.error({ error, durable }, "a given-up event couldn't be marked");
  }
  message.term();
}

function payloadOf<E extends EventContract>(event: E, message: JsMsg): Static<E["payload"]> {
  try {
    return decode(event.payload, JSON.parse(Buffer.from(message.data).toString("utf8")));
  } catch (cause) {
    throw new AppError("invalid_parameter", `not a ${event.subject}`, { cause });
  }
}
