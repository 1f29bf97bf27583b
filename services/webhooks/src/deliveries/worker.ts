import { consume, type StopConsuming } from "@leeway/shared/bus/consume";
import { ensureStreams } from "@leeway/shared/bus/streams";
import { DeliveryAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import { SealError } from "@leeway/shared/envelope";
import { AppError } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/keyring";
import type { Platform } from "@leeway/shared/service";

import { botUsernames, type ActiveConfigs } from "../configs/active-configs.ts";
import { readEvent } from "../events/read-event.ts";
import { openBody } from "./body.ts";
import { endDelivery, takeDelivery, type Ending, type TakenDelivery } from "./store/work.ts";

const CONCURRENT = 16;
const MOST_ATTEMPTS = 5;

interface WorkerDependencies extends Platform {
  ring: KeyRing;
  active: ActiveConfigs;
}

interface Job {
  org_id: string;
  delivery_id: string;
}

/** Works accepted deliveries off: each is read, and what it means is kept with it. */
export async function startDeliveryWorker(
  deps: WorkerDependencies,
  replicas: number,
): Promise<StopConsuming> {
  const { bus, log, database } = deps;
  await ensureStreams(bus, [DeliveryAccepted], replicas);
  return consume(bus, {
    event: DeliveryAccepted,
    durable: "webhooks-deliveries",
    concurrency: CONCURRENT,
    handle: (job) => workOff(deps, job),
    onDead: async ({ org_id, delivery_id }, reason) => {
      await endDelivery(database.org(org_id), delivery_id, { outcome: "failed", reason });
    },
    log,
  });
}

/** Attempts are counted in the database too: the bus forgets its own count with its store. */
async function workOff(deps: WorkerDependencies, { org_id: orgId, delivery_id: id }: Job): Promise<void> {
  const sql = deps.database.org(orgId);
  const taken = await takeDelivery(sql, id);
  if (!taken) return;
  if (taken.attempts > MOST_ATTEMPTS) {
    throw new AppError("invalid_parameter", "no attempt lived to tell its outcome");
  }
  await endDelivery(sql, id, await endingOf(deps, { orgId, id, taken }));
}

async function endingOf(
  { ring, active }: WorkerDependencies,
  { orgId, id, taken }: { orgId: string; id: string; taken: TakenDelivery },
): Promise<Ending> {
  const { source, sealed } = taken;
  if (sealed === null) throw new AppError("invalid_parameter", "the body is gone");
  const body = opened(ring, orgId, id, sealed);
  const reading = readEvent(source, body, { botUsernames: botUsernames(await active.of(orgId, source)) });
  if (!reading.wanted) return { outcome: "ignored", reason: reading.reason };
  return { outcome: "processed", event: JSON.stringify(reading.event()) };
}

function opened(ring: KeyRing, orgId: string, id: string, sealed: Uint8Array): Buffer {
  try {
    return openBody(ring, orgId, id, sealed);
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause;
    throw new AppError("invalid_parameter", "the body can't be decrypted", { cause });
  }
}
