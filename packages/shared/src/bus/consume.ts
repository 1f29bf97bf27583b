import { nanos } from "nats";

import type { EventContract } from "../contracts/contract.ts";
import { graceMs } from "../platform/stop-time.ts";
import { watchBacklog } from "./backlog.ts";
import type { BusConnection } from "./connection.ts";
import { countOutcomes, deliveryOf, PASSED_ON_MS, workOff, type Delivery, type Worker } from "./work-off.ts";

interface ConsumeOptions<E extends EventContract> extends Worker<E> {
  concurrency: number;
}

/** Stops taking events, and resolves when those in progress are done. The bus delivers aborted ones again. */
export type StopConsuming = () => Promise<void>;

const ACK_WAIT_MS = 30_000;
const PULL_MS = 1_000;
const PULL_GRACE_MS = 1_000;
const RESUME_MS = 500;
const NOTHING_THERE: ReadonlySet<number> = new Set([404, 408]);

/**
 * Processes an event's stream until stopped, even after losses of the bus and its storage. Migrations create the
 * consumer. An event that fails five times, or kills its worker that often, becomes a dead letter with the reason.
 */
export function consume<E extends EventContract>(
  bus: BusConnection,
  options: ConsumeOptions<E>,
): StopConsuming {
  const { event, durable, log } = options;
  const { ackWaitMs = ACK_WAIT_MS } = options;
  const stop = Promise.withResolvers<void>();
  const state = { stopped: false };
  const calledOff = new AbortController();
  countOutcomes(durable);

  /** Processes one event at a time. It fetches none before it is free, so that none waits unattended. */
  async function work(): Promise<void> {
    while (!state.stopped) {
      try {
        const delivery = await pull(bus, event.stream, durable);
        if (delivery && state.stopped) delivery.retry(PASSED_ON_MS);
        else if (delivery)
          await workOff(bus, { ...options, ackWaitMs, calledOff: calledOff.signal }, delivery);
      } catch (error) {
        if (bus.connected) log.warn({ error, durable }, "couldn't fetch events; trying again");
        await Promise.race([Bun.sleep(RESUME_MS), stop.promise]);
      }
    }
  }

  const workers = Array.from({ length: options.concurrency }, work);
  const stopWatching = watchBacklog(bus, { event, durable, log });
  return async () => {
    state.stopped = true;
    stop.resolve();
    const grace = setTimeout(() => calledOff.abort(), graceMs());
    await Promise.all([...workers, stopWatching()]);
    clearTimeout(grace);
  };
}

/**
 * Fetches the next event, if one arrives within a second.
 * (https://docs.nats.io/reference/reference-protocols/nats_api_reference, "Fetching from a pull consumer")
 */
async function pull(bus: BusConnection, stream: string, durable: string): Promise<Delivery | undefined> {
  const body = JSON.stringify({ batch: 1, expires: nanos(PULL_MS) });
  const answer = await bus.whileConnected(() =>
    bus.nats.request(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, body, {
      timeout: PULL_MS + PULL_GRACE_MS,
      noMux: true, // an event has its own subject, not that of the reply
    }),
  );
  const { code = 0, description = "" } = answer.headers ?? {};
  if (code === 0) return deliveryOf(answer);
  if (NOTHING_THERE.has(code)) return undefined;
  throw new Error(`${durable}: ${description}`);
}
