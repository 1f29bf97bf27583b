import { consume, type StopConsuming } from "@leeway/shared/bus/consume";
import { ensureStreams } from "@leeway/shared/bus/streams";
import type { EventContract } from "@leeway/shared/contract";
import { DeliveriesAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import { SealError } from "@leeway/shared/envelope";
import type { KeyRing } from "@leeway/shared/keyring";
import type { Platform } from "@leeway/shared/service";
import type { Static } from "@sinclair/typebox";

import { botUsernames, type ActiveConfigs } from "../configs/active-configs.ts";
import { readEvent } from "../events/read-event.ts";
import { openBody } from "./body.ts";
import type { Outbox } from "./outbox.ts";
import { endDeliveries, takeDeliveries, type Ending, type TakenDelivery } from "./store/work.ts";

const CONCURRENT = 4;
const MOST_ATTEMPTS = 5;

interface WorkerDependencies extends Platform {
  ring: KeyRing;
  active: ActiveConfigs;
  outbox: Outbox;
}

type Job = Static<(typeof DeliveriesAccepted)["payload"]>;

/** Works accepted deliveries off: each is read, and what it means is kept with it. */
export async function startDeliveryWorker(
  deps: WorkerDependencies,
  replicas: number,
): Promise<StopConsuming> {
  const { bus, log, database } = deps;
  const event: EventContract<(typeof DeliveriesAccepted)["payload"]> = DeliveriesAccepted;
  await ensureStreams(bus, [event], replicas);
  return consume(bus, {
    event,
    durable: "webhooks-deliveries",
    concurrency: CONCURRENT,
    handle: (job, { attempt }) => workOff(deps, job, attempt),
    onDead: async ({ org_id, delivery_ids }, reason) => {
      const failed = delivery_ids.map((id): Ending => ({ id, outcome: "failed", reason }));
      await endDeliveries(database.org(org_id), failed);
    },
    log,
  });
}

/** What failed together is tried one by one, so that one that can't be worked off fails alone. */
async function workOff(deps: WorkerDependencies, job: Job, attempt: number): Promise<void> {
  const { org_id: orgId, delivery_ids: ids } = job;
  if (attempt > 1 && ids.length > 1) {
    for (const id of ids) await deps.outbox.offerAgain(orgId, [id]);
    return;
  }
  const sql = deps.database.org(orgId);
  const taken = await takeDeliveries(sql, ids);
  if (taken.length === 0) return;
  const endings: Ending[] = [];
  for (const delivery of taken) endings.push(await endingOf(deps, orgId, delivery));
  await endDeliveries(sql, endings);
}

/** Attempts are counted in the database, since the bus forgets its own count with its store. */
async function endingOf(
  { ring, active }: WorkerDependencies,
  orgId: string,
  { id, source, attempts, sealed }: TakenDelivery,
): Promise<Ending> {
  if (attempts > MOST_ATTEMPTS) {
    return { id, outcome: "failed", reason: "no attempt lived to tell its outcome" };
  }
  if (sealed === null) return { id, outcome: "failed", reason: "the body is gone" };
  const body = opened(ring, orgId, id, sealed);
  if (!body) return { id, outcome: "failed", reason: "the body can't be decrypted" };
  const known = { botUsernames: botUsernames(await active.of(orgId, source)) };
  const reading = readEvent(source, body, known);
  if (!reading.wanted) return { id, outcome: "ignored", reason: reading.reason };
  return { id, outcome: "processed", event: JSON.stringify(reading.event()) };
}

function opened(ring: KeyRing, orgId: string, id: string, sealed: Uint8Array): Buffer | undefined {
  try {
    return openBody(ring, orgId, id, sealed);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
