import {
  DiscardPolicy,
  nanos,
  NatsError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from "nats";

import type { EventContract } from "../contract.ts";
import { unavailable } from "../errors.ts";
import type { BusConnection } from "./connection.ts";

/** Where events go that nobody could work off; one subject a stream and consumer. */
export const DEAD_LETTERS = "DEAD_LETTERS";

/** Large bodies on their way, in chunks. */
export const BODIES = "BODIES";

const DAY_MS = 24 * 60 * 60 * 1000;
const KEEP_EVENTS_MS = 7 * DAY_MS;
const KEEP_DEAD_MS = 30 * DAY_MS;
const DUPLICATE_WINDOW_MS = 2 * 60 * 1000;
const API_TIMEOUT_MS = 2_000;
/** Servers that start together have chosen by then, and a service that can't start says so. */
const AGREED_MS = 60_000;
const PAUSE_MS = 250;
const NAME_IN_USE = 10_058;
const NO_PEERS = 10_005;

interface Needs {
  events: readonly EventContract[];
  replicas: number;
}

/** What each connection needs, so that it can be made again where the server has lost it. */
const needsOf = new WeakMap<BusConnection, Needs>();

/**
 * Makes the streams of `events`, and that of dead letters, or brings what is there up to date, waiting for servers that
 * haven't agreed yet who leads them. A stream that is lost later is made again by whoever misses it, publishing or consuming.
 * @throws {AppError} `unavailable` when the bus can't keep them
 */
export async function ensureStreams(
  bus: BusConnection,
  events: readonly EventContract[],
  replicas: number,
): Promise<void> {
  needsOf.set(bus, { events: [...(needsOf.get(bus)?.events ?? []), ...events], replicas });
  const until = Date.now() + AGREED_MS;
  for (;;) {
    try {
      return await restoreStreams(bus);
    } catch (error) {
      if (isRefused(error) || Date.now() > until) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}

/** Whether the bus has answered that it won't. Without a leader it says nothing or 503, and another code while some are missing. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const answer = cause instanceof NatsError ? cause.api_error : undefined;
  return answer !== undefined && answer.code !== 503 && answer.err_code !== NO_PEERS;
}

/**
 * Makes what `ensureStreams` was asked for on this connection, where it is missing.
 * @throws {AppError} `unavailable` when the bus can't keep streams now
 */
export async function restoreStreams(bus: BusConnection): Promise<void> {
  const needs = needsOf.get(bus);
  if (needs === undefined) return;
  const manager = await streamManager(bus);
  for (const [name, events] of Map.groupBy(needs.events, ({ stream }) => stream)) {
    await ensureStream(manager, {
      name,
      subjects: events.map(({ subject }) => subject),
      retention: RetentionPolicy.Workqueue,
      max_age: nanos(KEEP_EVENTS_MS),
      num_replicas: needs.replicas,
    });
  }
  await ensureStream(manager, {
    name: DEAD_LETTERS,
    subjects: ["dead.>"],
    retention: RetentionPolicy.Limits,
    max_age: nanos(KEEP_DEAD_MS),
    num_replicas: needs.replicas,
  });
}

/** The API for streams, whose every call ends soon. */
export function streamManager(bus: BusConnection): Promise<JetStreamManager> {
  return bus.nats.jetstreamManager({ timeout: API_TIMEOUT_MS, checkAPI: false });
}

/** Whether nobody answers for a stream: it isn't there, or not yet again. */
export function isStreamMissing(error: unknown): boolean {
  return error instanceof NatsError && error.code === "503";
}

/** Makes a stream, or adds to what is there; other services may have given it subjects of their own. */
export async function ensureStream(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string; subjects: string[] },
): Promise<void> {
  const full = {
    ...config,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
  try {
    await manager.streams
      .add({ ...full, subjects: [...new Set(full.subjects)] })
      .catch(async (error: unknown) => {
        if (!(error instanceof NatsError) || error.api_error?.err_code !== NAME_IN_USE) throw error;
        const { config: present } = await manager.streams.info(config.name);
        const subjects = [...new Set([...present.subjects, ...full.subjects])];
        await manager.streams.update(config.name, { ...full, subjects });
      });
  } catch (cause) {
    const why = isStreamMissing(cause) ? ": JetStream isn't on there, or nobody leads it" : "";
    throw unavailable(`the message bus can't keep the stream ${config.name}${why}`, cause);
  }
}
