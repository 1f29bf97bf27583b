import { DiscardPolicy, nanos, RetentionPolicy, StorageType, type StreamConfig } from "nats";

import type { EventContract } from "../contract.ts";
import type { BusConnection } from "./connection.ts";

/** Where events go that nobody could work off; one subject a stream and consumer. */
export const DEAD_LETTERS = "DEAD_LETTERS";

const DAY_MS = 24 * 60 * 60 * 1000;
const KEEP_EVENTS_MS = 7 * DAY_MS;
const KEEP_DEAD_MS = 30 * DAY_MS;
const DUPLICATE_WINDOW_MS = 2 * 60 * 1000;

/** Makes the streams of `events`, and that of dead letters, or brings what is there up to date. */
export async function ensureStreams(
  bus: BusConnection,
  events: readonly EventContract[],
  replicas: number,
): Promise<void> {
  const subjects = Map.groupBy(events, ({ stream }) => stream);
  for (const [name, ofStream] of subjects) {
    await ensure(bus, {
      name,
      subjects: ofStream.map(({ subject }) => subject),
      retention: RetentionPolicy.Workqueue,
      max_age: nanos(KEEP_EVENTS_MS),
      num_replicas: replicas,
    });
  }
  await ensure(bus, {
    name: DEAD_LETTERS,
    subjects: ["dead.>"],
    retention: RetentionPolicy.Limits,
    max_age: nanos(KEEP_DEAD_MS),
    num_replicas: replicas,
  });
}

async function ensure(bus: BusConnection, config: Partial<StreamConfig> & { name: string }): Promise<void> {
  const full = {
    ...config,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
  const manager = await bus.nats.jetstreamManager();
  const { name, ...changes } = full;
  try {
    await manager.streams.add(full);
  } catch {
    await manager.streams.update(name, changes);
  }
}
