import { AckPolicy, DeliverPolicy, nanos, type JetStreamManager } from "nats";

import type { EventContract } from "../contract.ts";
import { watchBacklog } from "./backlog.ts";
import type { BusConnection } from "./connection.ts";
import { deliveryOf, type Delivery } from "./delivery.ts";
import { restoreStreams, streamManager } from "./streams.ts";
import { countOutcomes, workOff, type Worker } from "./work-off.ts";

interface ConsumeOptions<E extends EventContract> extends Worker<E> {
  concurrency: number;
  /** So many may be under way or wait to be tried again before no more are given; 5,000 by default. */
  mostUnfinished?: number;
}

/** Stops taking events, and resolves when those under way are done. */
export type StopConsuming = () => Promise<void>;

const ACK_WAIT_MS = 30_000;
/** What waits to be tried again counts too: too few, and one organization's failures hold up the others. */
const MOST_UNFINISHED = 5_000;
const PULL_MS = 1_000;
const PULL_GRACE_MS = 1_000;
const RESUME_MS = 500;
const NOTHING_THERE: ReadonlySet<number> = new Set([404, 408]);

/**
 * Works off an event's stream until stopped, through losses of the bus and of its store. An event that
 * fails five times, or kills its worker so often, goes to the dead letters with the reason.
 */
export function consume<E extends EventContract>(
  bus: BusConnection,
  options: ConsumeOptions<E>,
): StopConsuming {
  const { event, durable, log } = options;
  const { ackWaitMs = ACK_WAIT_MS, mostUnfinished = MOST_UNFINISHED } = options;
  const stop = Promise.withResolvers<void>();
  const state = { stopped: false };
  countOutcomes(durable);

  /** One event at a time: none is fetched before somebody is free for it, so none grows old unattended. */
  async function work(): Promise<void> {
    let ready = false;
    while (!state.stopped) {
      try {
        if (!ready) await ensureConsumer(bus, event, { durable, ackWaitMs, mostUnfinished });
        ready = true;
        const delivery = await pull(bus, event.stream, durable);
        // Not at once: whatever else this process has asked for would bring it back here, attempt by attempt.
        if (delivery && state.stopped) delivery.retry(PULL_MS);
        else if (delivery) await workOff(bus, { ...options, ackWaitMs }, delivery);
      } catch (error) {
        ready = false;
        if (bus.connected) log.warn({ error, durable }, "taking events was interrupted");
        await Promise.race([Bun.sleep(RESUME_MS), stop.promise]);
      }
    }
  }

  const workers = Array.from({ length: options.concurrency }, work);
  const stopWatching = watchBacklog(bus, { event, durable, log });
  return async () => {
    state.stopped = true;
    stop.resolve();
    await Promise.all([...workers, stopWatching()]);
  };
}

async function ensureConsumer(
  bus: BusConnection,
  { stream, subject }: EventContract,
  { durable, ackWaitMs, mostUnfinished }: { durable: string; ackWaitMs: number; mostUnfinished: number },
): Promise<void> {
  const config = {
    durable_name: durable,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: mostUnfinished,
  };
  await bus.whileConnected(async () => {
    const manager = await streamManager(bus);
    try {
      await dropIfAhead(manager, { stream, subject }, durable);
      await manager.consumers.add(stream, config);
    } catch {
      await restoreStreams(bus);
      await manager.consumers.add(stream, config);
    }
  });
}

/**
 * A server that was killed can have forgotten how far a stream had come that was empty, and counts it anew
 * (seen with 2.10.27). To its consumer all that is stored then looks as if it had been worked off long ago:
 * such a consumer is removed, to be made anew.
 */
async function dropIfAhead(
  manager: JetStreamManager,
  { stream, subject }: { stream: string; subject: string },
  durable: string,
): Promise<void> {
  const known = await manager.consumers.info(stream, durable).catch(() => undefined);
  if (!known) return;
  const { state } = await manager.streams.info(stream);
  const firstOfSubject = { seq: 1, next_by_subj: subject };
  const first = await manager.streams.getMessage(stream, firstOfSubject).catch(() => undefined);
  const isForgotten = first !== undefined && first.seq <= known.ack_floor.stream_seq;
  if (isForgotten || known.delivered.stream_seq > state.last_seq) {
    await manager.consumers.delete(stream, durable);
  }
}

/**
 * The next event, if there is one within a second.
 * (https://docs.nats.io/reference/reference-protocols/nats_api_reference, "Fetching from a pull consumer")
 */
async function pull(bus: BusConnection, stream: string, durable: string): Promise<Delivery | undefined> {
  const wish = JSON.stringify({ batch: 1, expires: nanos(PULL_MS) });
  const answer = await bus.whileConnected(() =>
    bus.nats.request(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, wish, {
      timeout: PULL_MS + PULL_GRACE_MS,
      noMux: true, // an event comes under its own subject, not under that of the answer
    }),
  );
  const { code = 0, description = "" } = answer.headers ?? {};
  if (code === 0) return deliveryOf(answer);
  if (NOTHING_THERE.has(code)) return undefined;
  throw new Error(`${durable}: ${description}`);
}
