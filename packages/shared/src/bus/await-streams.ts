import type { JetStreamManager } from "nats";

import { unavailable } from "../values/errors.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { BusConnection } from "./connection.ts";
import { bodiesOf, streamManager, type BusParts } from "./streams.ts";

const PATIENCE_MS = 60_000;
const LOOK_MS = 200;
const LOG_EVERY_MS = 10_000;

/**
 * Waits until the bus has every stream and consumer of a service. Migrations create them.
 * @throws {AppError} `unavailable` after `patienceMs`, with the first one that is missing
 */
export async function awaitStreams(
  bus: BusConnection,
  parts: BusParts,
  { log, patienceMs = PATIENCE_MS }: { log: Pick<Logger, "warn">; patienceMs?: number },
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let nextLogAt = 0;
  for (;;) {
    const found = await firstMissing(await streamManager(bus), parts);
    if (found === undefined) return;
    const now = performance.now();
    const { missing, error } = found;
    if (now >= deadline)
      throw unavailable(`the message bus has no ${missing}; run migrations with this NATS_URL`, error);
    if (now >= nextLogAt) {
      log.warn({ missing, error }, "waiting for the message bus");
      nextLogAt = now + LOG_EVERY_MS;
    }
    await Bun.sleep(LOOK_MS);
  }
}

async function firstMissing(
  { consumers, streams }: JetStreamManager,
  { service, durables, takesBodies, sendsBodiesTo = [] }: BusParts,
): Promise<{ missing: string; error: unknown } | undefined> {
  const owners = [...(takesBodies ? [service] : []), ...sendsBodiesTo];
  const looks: [missing: string, look: () => Promise<unknown>][] = [
    ...durables.map(({ event, durable }): [string, () => Promise<unknown>] => [
      `consumer ${durable}`,
      () => consumers.info(event.stream, durable),
    ]),
    ...owners
      .map(bodiesOf)
      .map((stream): [string, () => Promise<unknown>] => [`stream ${stream}`, () => streams.info(stream)]),
  ];
  for (const [missing, look] of looks) {
    const error: unknown = await look().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (error !== undefined) return { missing, error };
  }
  return undefined;
}
