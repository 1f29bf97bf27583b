import { createGiveWay } from "@leeway/shared/concurrency/give-way";
import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { ReadDeliveries } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Database } from "@leeway/shared/database/database";
import { SealError } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { AppError } from "@leeway/shared/values/errors";

import { botUsernames, type ActiveConfigs } from "../configs/active-configs.ts";
import type { Reader } from "../events/reader.ts";
import { openBody, type Ended } from "./store/incoming.ts";
import { attemptDeliveries, endDeliveries, type Attempted, type Ending } from "./store/work.ts";

interface ReadDependencies {
  database: Database;
  ring: KeyRing;
  active: ActiveConfigs;
  reader: Reader;
}

/**
 * Limit for failures that look like an outage of the analyzer's database, five every two minutes: about 90 minutes.
 * Other failures are settled by the fifth attempt.
 */
const MAX_ATTEMPTS = 250;
/** Outcome of a delivery whose body takes too long to read. It isn't retried, because that would take as long. */
export const TOO_SLOW = { outcome: "failed", reason: "reading the body takes too long" } as const;

/** Returns the events of pending deliveries, and ends those without one. */
export async function readDeliveries(
  deps: ReadDependencies,
  { org_id: orgId, delivery_ids: ids }: Input<typeof ReadDeliveries>,
): Promise<Output<typeof ReadDeliveries>> {
  const sql = deps.database.org(orgId);
  const giveWay = createGiveWay();
  const deliveries: Output<typeof ReadDeliveries>["deliveries"] = [];
  const endings: Ending[] = [];
  for (const attempted of await attemptDeliveries(sql, ids)) {
    const { id: delivery_id, config_id, replays } = attempted;
    const read = await readOne(deps, orgId, attempted);
    if ("event" in read) deliveries.push({ delivery_id, config_id, replays, event: read.event });
    else endings.push({ id: delivery_id, replays, ...read });
    await giveWay();
  }
  if (endings.length > 0) await endDeliveries(sql, endings);
  return { deliveries };
}

async function readOne(
  { ring, active, reader }: ReadDependencies,
  orgId: string,
  { id, source, attempts, sealed }: Attempted,
): Promise<{ event: string } | Ended> {
  if (attempts > MAX_ATTEMPTS) return { outcome: "failed", reason: "processing timed out too often" };
  if (sealed === null) return { outcome: "failed", reason: "the body has been deleted" };
  const body = opened(ring, orgId, id, sealed);
  if (!body) return { outcome: "failed", reason: "the body can't be decrypted" };
  const bots = botUsernames(await active.of(orgId, source));
  try {
    const read = await reader.read(orgId, { source, body, botUsernames: bots });
    return read.wanted ? { event: read.event } : { outcome: "ignored", reason: read.reason };
  } catch (error) {
    if (error instanceof AppError && error.code === "too_slow_to_read") return TOO_SLOW;
    throw error;
  }
}

function opened(ring: KeyRing, orgId: string, id: string, sealed: Uint8Array): Buffer | undefined {
  try {
    return openBody(ring, orgId, id, sealed);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
