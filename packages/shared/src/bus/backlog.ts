import type { ConsumerInfo } from "nats";

import type { EventContract } from "../contracts/contract.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { gauge } from "../platform/telemetry/metrics.ts";
import { repeat } from "../platform/repeat.ts";
import type { BusConnection } from "./connection.ts";
import { streamManager } from "./streams.ts";

/** Prometheus scrapes every 15 s, and must see a change within 30 s. */
const LOOK_MS = 5_000;

const waiting = gauge("events_waiting", "Events that no worker has received yet", ["durable"]);
const unfinished = gauge("events_unfinished", "Events in progress or waiting for a retry", ["durable"]);
const stalled = gauge("events_stalled", "1 while delivery is paused because too many events are unfinished", [
  "durable",
]);

const stalledNow = new Set<string>();

/** Returns the consumers of this process that get no events, because too many of theirs are unfinished. */
export function stalledConsumers(): string[] {
  return [...stalledNow].toSorted();
}

/** Returns whether the bus has events of a consumer that no worker has received yet. */
export async function isBehind(bus: BusConnection, event: EventContract, durable: string): Promise<boolean> {
  if (!bus.connected) return false;
  return ((await infoOf(bus, event, durable))?.num_pending ?? 0) > 0;
}

interface Watched {
  event: EventContract;
  durable: string;
  log: Logger;
}

/** Reports the backlog of a consumer by metrics, log and {@link stalledConsumers}, until it is stopped. */
export function watchBacklog(bus: BusConnection, { event, durable, log }: Watched): () => Promise<void> {
  async function look(): Promise<void> {
    if (!bus.connected) return;
    const info = await infoOf(bus, event, durable);
    if (!info) return; // it will be created again
    waiting.set({ durable }, info.num_pending);
    unfinished.set({ durable }, info.num_ack_pending);
    report(info.num_ack_pending >= (info.config.max_ack_pending ?? Infinity), info.num_pending);
  }

  function report(isStalled: boolean, behind: number): void {
    stalled.set({ durable }, isStalled ? 1 : 0);
    if (isStalled === stalledNow.has(durable)) return;
    if (isStalled) stalledNow.add(durable);
    else stalledNow.delete(durable);
    if (isStalled) log.warn({ durable, waiting: behind }, "too many unfinished events: delivery is paused");
    else log.info({ durable, waiting: behind }, "delivery of events resumed");
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
