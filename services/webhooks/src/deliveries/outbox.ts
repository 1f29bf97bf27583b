import { publish } from "@leeway/shared/bus/publish";
import { withContext } from "@leeway/shared/context";
import { DeliveriesAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Database } from "@leeway/shared/database/database";
import type { Platform } from "@leeway/shared/service";

import { overdueDeliveries, withdrawOffers, type OverdueDelivery } from "./store/work.ts";

/** Gives stored deliveries to the bus. What it misses, the database knows: the sweep offers it again. */
export interface Outbox {
  /** Offers deliveries that have just been stored, with those that come soon after; never fails. */
  offer(orgId: string, deliveryIds: readonly string[]): void;
  /** Offers deliveries, at most 64, again: the stream may know them from before. @throws {AppError} `unavailable` */
  offerAgain(orgId: string, deliveryIds: readonly string[]): Promise<void>;
  /** Offers every delivery that has waited for too long. */
  sweep(): Promise<void>;
}

/** What is on its way to the bus at once; what doesn't fit is left to the sweep. */
const MOST_UNDER_WAY = 500;
/** Overdue: what the bus should have brought long ago, and what was offered and still isn't worked off. */
const OVERDUE = { newSeconds: 5, offeredSeconds: 60, limit: 1_000 };
const MOST_TOGETHER = 64;
/** So long deliveries wait for others of their organization, to be worked off together. */
const GATHER_MS = 20;

export function createOutbox({ database, bus, log }: Platform): Outbox {
  const gathered = new Map<string, string[]>();
  let underWay = 0;

  async function give(orgId: string, deliveryIds: readonly string[], id: string): Promise<void> {
    const payload = { org_id: orgId, delivery_ids: [...deliveryIds] };
    await withContext({ requestId: id }, () => publish(bus, DeliveriesAccepted, payload, id));
  }

  function giveGathered(orgId: string): void {
    const deliveryIds = gathered.get(orgId) ?? [];
    gathered.delete(orgId);
    for (let start = 0; start < deliveryIds.length; start += MOST_TOGETHER) {
      if (underWay >= MOST_UNDER_WAY || !bus.connected) return;
      const together = deliveryIds.slice(start, start + MOST_TOGETHER);
      underWay += 1;
      give(orgId, together, crypto.randomUUID())
        .catch((error: unknown) => log.warn({ error }, "deliveries weren't taken; they will be swept up"))
        .finally(() => {
          underWay -= 1;
        });
    }
  }

  const offerAgain: Outbox["offerAgain"] = (orgId, deliveryIds) =>
    give(orgId, deliveryIds, crypto.randomUUID());

  return {
    offer(orgId, deliveryIds) {
      if (deliveryIds.length === 0) return;
      const own = gathered.get(orgId);
      if (own) return void own.push(...deliveryIds);
      gathered.set(orgId, [...deliveryIds]);
      setTimeout(() => giveGathered(orgId), GATHER_MS);
    },
    offerAgain,
    async sweep() {
      let found = OVERDUE.limit;
      while (found === OVERDUE.limit && bus.connected) {
        const overdue = await overdueDeliveries(database.system, OVERDUE);
        await offerOverdue(database, overdue, offerAgain);
        found = overdue.length;
      }
    },
  };
}

/** What the bus doesn't take must not wait as long as if it had: the next sweep finds it again. */
async function offerOverdue(
  database: Database,
  overdue: readonly OverdueDelivery[],
  offer: Outbox["offerAgain"],
): Promise<void> {
  const left = Map.groupBy(overdue, ({ org_id }) => org_id);
  try {
    for (const [orgId, own] of left) {
      for (let start = 0; start < own.length; start += MOST_TOGETHER) {
        await offer(orgId, idsOf(own.slice(start, start + MOST_TOGETHER)));
      }
      left.delete(orgId);
    }
  } finally {
    for (const [orgId, own] of left) await withdrawOffers(database.org(orgId), idsOf(own));
  }
}

function idsOf(overdue: readonly OverdueDelivery[]): string[] {
  return overdue.map(({ delivery_id }) => delivery_id);
}
