import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  nanos,
  NatsError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
  type StreamUpdateConfig,
} from "nats";

import { unavailable } from "../values/errors.ts";
import { repeat, type Repeated } from "../platform/repeat.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { BusConnection } from "./connection.ts";
import {
  bodiesOf,
  DEAD_LETTERS,
  isStreamMissing,
  streamManager,
  type BusParts,
  type Durable,
} from "./streams.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const KEEP_EVENTS_MS = 7 * DAY_MS;
const KEEP_DEAD_MS = 30 * DAY_MS;
/** Age at which a body is deleted if its owner died before it could. */
const KEEP_BODIES_MS = 60 * 60 * 1000;
const DUPLICATE_WINDOW_MS = 2 * 60 * 1000;
const ACK_WAIT_MS = 30_000;
/**
 * Limit that includes events waiting for a retry. With a lower one, an organization's failures would delay the
 * others.
 */
const MAX_UNFINISHED = 5_000;
/** Time in which servers that start together elect a leader. */
const AGREED_MS = 60_000;
const PAUSE_MS = 250;
const LOOK_MS = 2_000;
const NAME_IN_USE = 10_058;
const MOVE_AND_SCALE = 10_123;
/** Too few servers, and a stream that is moving to others. */
const PASSING: ReadonlySet<number | undefined> = new Set([10_005, 10_124]);

/** How many servers keep each stream, and the tags that these servers have. */
export interface Placement {
  /** 1 by default. */
  replicas?: number;
  tags?: readonly string[];
}

type Stream = Pick<StreamConfig, "name" | "subjects" | "retention" | "max_age"> & Partial<StreamConfig>;

/**
 * Creates or updates the streams and durable consumers of all services, and waits for servers without a leader. This
 * needs the operator's rights, which services don't have.
 * @throws {AppError} `unavailable` if the bus can't keep them
 */
export async function ensureStreams(
  bus: BusConnection,
  parts: readonly BusParts[],
  placement: Placement = {},
): Promise<void> {
  const until = Date.now() + AGREED_MS;
  for (;;) {
    try {
      return await keepStreams(bus, parts, placement);
    } catch (error) {
      if (isRefused(error) || Date.now() > until) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}

/**
 * Returns whether the bus has refused. Without a leader it doesn't answer, or answers 503. Without enough servers it
 * answers another code, and so it does while it moves a stream to other servers.
 */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof NatsError)) return false;
  const { api_error: answer } = cause;
  if (answer === undefined) return cause.isPermissionError();
  return answer.code !== 503 && !PASSING.has(answer.err_code);
}

/** Does the same as {@link ensureStreams}, without waiting. */
export async function keepStreams(
  bus: BusConnection,
  parts: readonly BusParts[],
  { replicas = 1, tags = [] }: Placement,
): Promise<void> {
  const where = tags.length === 0 ? {} : { placement: { cluster: "", tags: [...tags] } };
  const manager = await streamManager(bus);
  for (const stream of streamsOf(parts))
    await keepStream(manager, { ...stream, num_replicas: replicas, ...where });
  for (const durable of parts.flatMap(({ durables }) => durables)) await keepConsumer(manager, durable);
}

/**
 * Creates lost streams and consumers again, until it is stopped. A server can lose its disk, or forget the last
 * sequence of a stream.
 */
export function watchStreams(
  bus: BusConnection,
  { parts, log, ...placement }: Placement & { parts: readonly BusParts[]; log: Logger },
): Repeated {
  return repeat({
    name: "streams",
    everyMs: LOOK_MS,
    log,
    work: async () => {
      if (bus.connected) await keepStreams(bus, parts, placement);
    },
  });
}

function streamsOf(parts: readonly BusParts[]): Stream[] {
  const events = parts.flatMap(({ durables }) => durables.map(({ event }) => event));
  return [
    ...[...Map.groupBy(events, ({ stream }) => stream)].map(([name, kept]) => ({
      name,
      subjects: kept.map(({ subject }) => subject),
      retention: RetentionPolicy.Workqueue,
      max_age: nanos(KEEP_EVENTS_MS),
    })),
    {
      name: DEAD_LETTERS,
      subjects: ["dead.>"],
      retention: RetentionPolicy.Limits,
      max_age: nanos(KEEP_DEAD_MS),
    },
    ...parts
      .filter(({ takesBodies }) => takesBodies)
      .map(({ service }) => ({
        name: bodiesOf(service),
        subjects: [`body.${service}.*.*`],
        retention: RetentionPolicy.Limits,
        max_age: nanos(KEEP_BODIES_MS),
        // An empty message in a chunk's place deletes it, so that services need no right to purge.
        max_msgs_per_subject: 1,
        allow_direct: true,
      })),
  ];
}

/** Creates or updates a stream. @throws {AppError} `unavailable` */
export async function keepStream(manager: JetStreamManager, stream: Stream): Promise<void> {
  const config = {
    ...stream,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
  try {
    await manager.streams.add(config).catch(async (error: unknown) => {
      if (!(error instanceof NatsError) || error.api_error?.err_code !== NAME_IN_USE) throw error;
      await update(manager, { ...NOTHING_ELSE, ...config });
    });
  } catch (cause) {
    throw unavailable(`couldn't create the stream ${stream.name}${reasonOf(cause)}`, cause);
  }
}

function reasonOf(cause: unknown): string {
  if (isStreamMissing(cause))
    return ": enable JetStream on the server, or wait until the cluster has elected a leader";
  const reason = cause instanceof NatsError ? cause.api_error?.description : undefined;
  return reason === undefined ? "" : `: ${reason}`;
}

/** Updates a stream. NATS refuses another number of replicas together with other tags, so the number goes first. */
async function update(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string },
): Promise<void> {
  await manager.streams.update(config.name, config).catch(async (error: unknown) => {
    if (!(error instanceof NatsError) || error.api_error?.err_code !== MOVE_AND_SCALE) throw error;
    const { placement: _, ...scaled } = config;
    await manager.streams.update(config.name, scaled);
    await manager.streams.update(config.name, config);
  });
}

/**
 * An update keeps settings that it doesn't name. No stream may copy messages to or from other subjects, or be kept
 * by servers with other tags.
 */
const NOTHING_ELSE: Partial<StreamUpdateConfig> = Object.fromEntries(
  ["placement", "republish", "sources", "subject_transform"].map((setting) => [setting, undefined]),
);

/** Creates or updates a consumer. @throws {AppError} `unavailable` */
export async function keepConsumer(manager: JetStreamManager, consumer: Durable): Promise<void> {
  const { event, durable, ackWaitMs = ACK_WAIT_MS, maxUnfinished = MAX_UNFINISHED } = consumer;
  try {
    await dropIfAhead(manager, consumer);
    await manager.consumers.add(event.stream, {
      durable_name: durable,
      filter_subject: event.subject,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: maxUnfinished,
    });
  } catch (cause) {
    throw unavailable(`couldn't create the consumer ${durable}`, cause);
  }
}

/**
 * Deletes a consumer that is ahead of its stream, so that it is created again. A killed server can forget the last
 * sequence of an empty stream, and count from the start (seen with 2.10.27). Its consumer then treats stored messages
 * as processed.
 */
async function dropIfAhead(
  manager: JetStreamManager,
  { event: { stream, subject }, durable }: Durable,
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
