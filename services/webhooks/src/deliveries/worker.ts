import { consume, type StopConsuming } from "@leeway/shared/bus/consume";
import { ensureStreams } from "@leeway/shared/bus/streams";
import { DeliveriesAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import type { OrgStatements } from "@leeway/shared/database/database";
import { SealError } from "@leeway/shared/encryption/envelope";
import { AppError } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Platform } from "@leeway/shared/service";
import type { Static } from "@sinclair/typebox";

import { botUsernames, type ActiveConfigs } from "../configs/active-configs.ts";
import { meaningOf, type ReadBody } from "../reading/read-body.ts";
import { createReader, type Reader } from "../reading/reader.ts";
import { openBody } from "./body.ts";
import type { FreshReadings } from "./fresh.ts";
import type { HandOver } from "./hand-over.ts";
import { jobIdOf } from "./job-id.ts";
import type { Outbox } from "./outbox.ts";
import {
  endDeliveries,
  noteFailedAttempt,
  waitingDeliveries,
  type Ending,
  type WaitingDelivery,
} from "./store/work.ts";

const CONCURRENT = 2;
/** Of what fails, five are enough; so many only for what can't be told from a database that is away. */
const MOST_ATTEMPTS = 25;
/** All of them before the sweep would offer a delivery again. */
const RETRY_MS = [1_000, 5_000, 15_000, 30_000];

interface WorkerDependencies extends Platform {
  ring: KeyRing;
  active: ActiveConfigs;
  outbox: Outbox;
  fresh: FreshReadings;
  handOver: HandOver;
  /** Waits between attempts; see `consume`. */
  retryMs?: readonly number[] | undefined;
}

type Job = Static<(typeof DeliveriesAccepted)["payload"]>;

/** Works accepted deliveries off: each is read, and what it means is kept with it. */
export async function startDeliveryWorker(
  deps: WorkerDependencies,
  replicas: number,
): Promise<StopConsuming> {
  const { bus, log, database } = deps;
  await ensureStreams(bus, [DeliveriesAccepted], replicas);
  const reader = createReader();
  const stop = consume(bus, {
    event: DeliveriesAccepted,
    durable: "webhooks-deliveries",
    concurrency: CONCURRENT,
    handle: (job, delivery) => workOff({ ...deps, reader }, job, delivery),
    retryMs: deps.retryMs ?? RETRY_MS,
    onDead: async ({ org_id, delivery_ids }, reason) => {
      const failed = delivery_ids.map((id): Ending => ({ id, outcome: "failed", reason }));
      await endDeliveries(database.org(org_id), failed);
    },
    log,
  });
  return async () => {
    await stop();
    reader.stop();
  };
}

/**
 * What failed together is tried one by one, so that one that can't be worked off fails alone. A database
 * that is away fails nobody: when it is back, the sweep offers what waits.
 */
async function workOff(
  deps: WorkerDependencies & { reader: Reader },
  job: Job,
  { attempt, last }: { attempt: number; last: boolean },
): Promise<void> {
  const { org_id: orgId, delivery_ids: ids } = job;
  if (attempt > 1 && ids.length > 1) {
    for (const id of ids) await deps.outbox.offerAgain(orgId, id);
    return;
  }
  const sql = deps.database.org(orgId);
  try {
    await readAll(deps, sql, ids);
  } catch (error) {
    const isAway = error instanceof AppError && error.code === "unavailable";
    // The last one is noted with its outcome; and the database may be what failed.
    if (!last || isAway) await noteFailedAttempt(sql, ids).catch(() => undefined);
    if (!last || !isAway) throw error;
    deps.log.warn({ error }, "deliveries couldn't be worked off: they are left to the sweep");
  }
}

async function readAll(
  deps: WorkerDependencies & { reader: Reader },
  sql: OrgStatements,
  deliveryIds: readonly string[],
): Promise<void> {
  const fresh = deliveryIds.flatMap((id) => {
    const reading = deps.fresh.take(id);
    return reading ? [endingFrom({ id, replays: 0 }, meaningOf(reading))] : [];
  });
  const done = await end(deps, sql, fresh);
  // Also one that another process worked off, and that is replayed: what was kept of it here is of the first time.
  const others = deliveryIds.filter((id) => !done.has(id));
  const waiting = others.length > 0 ? await waitingDeliveries(sql, others) : [];
  const endings: Ending[] = [];
  for (const delivery of waiting) endings.push(await endingOf(deps, sql.orgId, delivery));
  await end(deps, sql, endings);
}

/** Ends deliveries and hands over their events. @returns the ids of those that have one */
async function end(
  { handOver }: WorkerDependencies,
  sql: OrgStatements,
  endings: readonly Ending[],
): Promise<ReadonlySet<string>> {
  if (endings.length === 0) return new Set();
  const events = await endDeliveries(sql, endings);
  handOver.offer(sql.orgId, events);
  return new Set(events.map(({ id }) => id));
}

async function endingOf(
  { ring, active, reader }: WorkerDependencies & { reader: Reader },
  orgId: string,
  { id, source, attempts, replays, sealed }: WaitingDelivery,
): Promise<Ending> {
  if (attempts >= MOST_ATTEMPTS) return { id, outcome: "failed", reason: "it took too long, too often" };
  if (sealed === null) return { id, outcome: "failed", reason: "the body is gone" };
  const body = opened(ring, orgId, id, sealed);
  if (!body) return { id, outcome: "failed", reason: "the body can't be decrypted" };
  const bots = botUsernames(await active.of(orgId, source));
  return endingFrom({ id, replays }, await reader.read({ source, body, botUsernames: bots }));
}

function endingFrom(delivery: { id: string; replays: number }, read: ReadBody): Ending {
  const { id, replays } = delivery;
  if (!read.wanted) return { id, outcome: "ignored", reason: read.reason };
  const jobId = read.isAnalyzed ? jobIdOf(delivery) : undefined;
  return { id, outcome: "processed", event: read.event, jobId, replays };
}

function opened(ring: KeyRing, orgId: string, id: string, sealed: Uint8Array): Buffer | undefined {
  try {
    return openBody(ring, orgId, id, sealed);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
