import { createOffers } from "@leeway/shared/bus/offers";
import { publish } from "@leeway/shared/bus/publish";
import { withContext } from "@leeway/shared/context";
import { DeliveriesAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Database } from "@leeway/shared/database/database";
import type { Platform } from "@leeway/shared/service";

import { overdueDeliveries, withdrawOffers, type OverdueDelivery } from "./store/work.ts";

/** A delivery that is to be worked off, and the bytes of its body. */
interface Offered {
  id: string;
  size: number;
}

/** Gives stored deliveries to the bus. What it misses, the database knows: the sweep offers it again. */
export interface Outbox {
  /** Offers deliveries that have just been stored, with those that come soon after; never fails. */
  offer(orgId: string, deliveries: readonly Offered[]): void;
  /** Offers one delivery again, alone. @throws {AppError} `unavailable` */
  offerAgain(orgId: string, deliveryId: string): Promise<void>;
  /** Offers every delivery that has waited for too long. */
  sweep(): Promise<void>;
}

/** Overdue: what the bus should have brought long ago, and what was offered and still isn't worked off. */
const OVERDUE = { newSeconds: 5, offeredSeconds: 60, limit: 1_000 };
const MOST_TOGETHER = 64;
const MOST_BYTES_TOGETHER = 4 << 20;
/** So long deliveries wait for others of their organization, to be worked off together. */
const GATHER_MS = 20;

export function createOutbox({ database, bus, log }: Platform): Outbox {
  const gathered = new Map<string, Offered[]>();
  const offer = createOffers(bus, log);

  async function give(orgId: string, deliveryIds: string[]): Promise<void> {
    const id = crypto.randomUUID();
    const payload = { org_id: orgId, delivery_ids: deliveryIds };
    await withContext({ requestId: id }, () => publish(bus, DeliveriesAccepted, payload, id));
  }

  function giveGathered(orgId: string): void {
    const deliveries = gathered.get(orgId) ?? [];
    gathered.delete(orgId);
    for (const together of batches(deliveries)) offer(() => give(orgId, together));
  }

  return {
    offer(orgId, deliveries) {
      if (deliveries.length === 0) return;
      const own = gathered.get(orgId);
      if (own) return void own.push(...deliveries);
      gathered.set(orgId, [...deliveries]);
      setTimeout(() => giveGathered(orgId), GATHER_MS);
    },
    offerAgain: (orgId, deliveryId) => give(orgId, [deliveryId]),
    async sweep() {
      let found = OVERDUE.limit;
      while (found === OVERDUE.limit && bus.connected) {
        const overdue = await overdueDeliveries(database.system, OVERDUE);
        await offerOverdue(database, overdue, give);
        found = overdue.length;
      }
    },
  };
}

/** What the bus doesn't take must not wait as long as if it had: the next sweep finds it again. */
async function offerOverdue(
  database: Database,
  overdue: readonly OverdueDelivery[],
  give: (orgId: string, deliveryIds: string[]) => Promise<void>,
): Promise<void> {
  const left = Map.groupBy(overdue, ({ org_id }) => org_id);
  try {
    for (const [orgId, own] of left) {
      for (const together of batches(own)) await give(orgId, together);
      left.delete(orgId);
    }
  } finally {
    for (const [orgId, own] of left) {
      const ids = own.map(({ id }) => id);
      await withdrawOffers(database.org(orgId), ids);
    }
  }
}

/** The ids of deliveries that can be worked off together. */
function* batches(deliveries: readonly Offered[]): Generator<string[]> {
  let ids: string[] = [];
  let bytes = 0;
  for (const { id, size } of deliveries) {
    if (ids.length === MOST_TOGETHER || (ids.length > 0 && bytes + size > MOST_BYTES_TOGETHER)) {
      yield ids;
      ids = [];
      bytes = 0;
    }
    ids.push(id);
    bytes += size;
  }
  if (ids.length > 0) yield ids;
}
