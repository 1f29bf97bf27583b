import type { ConsumerInfo } from "nats";

import type { EventContract } from "../contract.ts";
import type { Logger } from "../telemetry/log.ts";
import { gauge } from "../telemetry/metrics.ts";
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

/** Whether the bus holds events for a consumer that no worker has been given yet. */
export async function isBehind(bus: BusConnection, event: EventContract, durable: string): Promise<boolean> {
  if (!bus.connected) return false;
  return ((await infoOf(bus, event, durable))?.num_pending ?? 0) > 0;
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
    const info = await infoOf(bus, event, durable);
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

async function infoOf(
  bus: BusConnection,
  { stream }: EventContract,
  durable: string,
): Promise<ConsumerInfo | undefined> {
  const manager = await streamManager(bus);
  return manager.consumers.info(stream, durable).catch(() => undefined);
}
