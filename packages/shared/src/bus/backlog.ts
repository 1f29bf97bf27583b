import type { EventContract } from "../contract.ts";
import type { Logger } from "../log.ts";
import { gauge } from "../metrics.ts";
import { repeat } from "../repeat.ts";
import type { BusConnection } from "./connection.ts";
import { streamManager } from "./streams.ts";

/** Prometheus comes every 15 s, and shall know within 30. */
const LOOK_MS = 5_000;

const waiting = gauge("events_waiting", "Events that no worker has been given yet", ["durable"]);
const unfinished = gauge("events_unfinished", "Events under way, and those to be tried again", ["durable"]);
const stalled = gauge("events_stalled", "1 where so many are unfinished that no more are given", ["durable"]);

const stalledNow = new Set<string>();

/** The consumers of this process that get no events, since too many of theirs are unfinished. */
export function stalledConsumers(): string[] {
  return [...stalledNow].toSorted();
}

interface Watched {
  event: EventContract;
  durable: string;
  log: Logger;
}

/** Tells by metrics, log and {@link stalledConsumers} how far a consumer is behind, until it is stopped. */
export function watchBacklog(bus: BusConnection, { event, durable, log }: Watched): () => Promise<void> {
  async function look(): Promise<void> {
    if (!bus.connected) return;
    const manager = await streamManager(bus);
    const info = await manager.consumers.info(event.stream, durable).catch(() => undefined);
    if (!info) return; // its workers make it again
    waiting.set({ durable }, info.num_pending);
    unfinished.set({ durable }, info.num_ack_pending);
    tell(info.num_ack_pending >= (info.config.max_ack_pending ?? Infinity), info.num_pending);
  }

  function tell(isStalled: boolean, behind: number): void {
    stalled.set({ durable }, isStalled ? 1 : 0);
    if (isStalled === stalledNow.has(durable)) return;
    if (isStalled) stalledNow.add(durable);
    else stalledNow.delete(durable);
    if (isStalled)
      log.warn({ durable, waiting: behind }, "too many events are unfinished: no more are given");
    else log.info({ durable, waiting: behind }, "events are given again");
  }

  const { stop } = repeat({ name: `backlog of ${durable}`, everyMs: LOOK_MS, log, work: look });
  return async () => {
    await stop();
    stalledNow.delete(durable);
  };
}
