import { publish } from "@leeway/shared/bus/publish";
import { withContext } from "@leeway/shared/context";
import { DeliveryAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Platform } from "@leeway/shared/service";

import { overdueDeliveries } from "./store/work.ts";

interface Offer {
  org_id: string;
  delivery_id: string;
}

/** Gives stored deliveries to the bus. What it misses, the database knows: the sweep offers it again. */
export interface Outbox {
  /** Offers a delivery that has just been stored; never fails and never waits. */
  offer(orgId: string, deliveryId: string): void;
  /** Offers every delivery that has waited for too long. */
  sweep(): Promise<void>;
}

/** What is on its way to the bus at once; what doesn't fit is left to the sweep. */
const MOST_UNDER_WAY = 1_000;
/** Overdue: what the bus should have brought long ago, and what was offered and still isn't worked off. */
const OVERDUE = { newSeconds: 5, offeredSeconds: 60, limit: 500 };

export function createOutbox({ database, bus, log }: Platform): Outbox {
  let underWay = 0;

  async function give(offer: Offer, id: string): Promise<void> {
    await withContext({ requestId: offer.delivery_id }, () => publish(bus, DeliveryAccepted, offer, id));
  }

  return {
    offer(orgId, deliveryId) {
      if (underWay >= MOST_UNDER_WAY || !bus.connected) return;
      underWay += 1;
      give({ org_id: orgId, delivery_id: deliveryId }, deliveryId)
        .catch((error: unknown) => log.warn({ error }, "the bus didn't take a delivery; it will be swept up"))
        .finally(() => {
          underWay -= 1;
        });
    },
    async sweep() {
      let found = OVERDUE.limit;
      while (found === OVERDUE.limit && bus.connected) {
        const overdue = await overdueDeliveries(database.system, OVERDUE);
        await Promise.all(overdue.map((offer) => give(offer, `${offer.delivery_id}:${Date.now()}`)));
        found = overdue.length;
      }
    },
  };
}
