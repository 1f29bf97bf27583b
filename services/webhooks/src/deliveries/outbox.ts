import { publish } from "@leeway/shared/bus/publish";
import { DeliveryAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import { createOutbox, type Outbox } from "@leeway/shared/service/outbox";
import type { Platform } from "@leeway/shared/service/service";

import { overdueDeliveries, withdrawOffers } from "./store/work.ts";

/** Delivery to process, with the size of its body. */
interface Offered {
  id: string;
  size: number;
}

/** Publishes stored deliveries on the bus. */
export interface DeliveryOutbox extends Outbox<Offered> {
  /** Offers deliveries again, in one message. @throws {AppError} `unavailable` */
  offerAgain(orgId: string, deliveryIds: readonly string[]): Promise<void>;
}

const SWEEP_MS = 1_000;
/**
 * Limits for overdue deliveries: new ones that weren't read, and offered ones that weren't processed. A sweep ends at
 * `limit`: without an analyzer many wait, and the stream has them already.
 */
const OVERDUE = { newSeconds: 5, offeredSeconds: 60, limit: 1_000 };
const MAX_TOGETHER = 64;
const MAX_BYTES_TOGETHER = 4 << 20;
/** Wait for more deliveries of the same organization, to process them together. */
const GATHER_MS = 20;

export function createDeliveryOutbox(platform: Platform): DeliveryOutbox {
  const { database, bus } = platform;
  const gathered = new Map<string, Offered[]>();

  function give(orgId: string, ids: readonly string[]): Promise<void> {
    const payload = { org_id: orgId, delivery_ids: [...ids] };
    return publish(bus, DeliveryAccepted, payload, crypto.randomUUID());
  }

  const outbox = createOutbox<Offered>(platform, {
    name: "outbox",
    everyMs: SWEEP_MS,
    claim: () => overdueDeliveries(database.system, OVERDUE),
    batches,
    send: (orgId, deliveries) =>
      give(
        orgId,
        deliveries.map(({ id }) => id),
      ),
    withdraw: (orgId, deliveries) => withdrawOffers(database.org(orgId), deliveries),
  });
  return {
    ...outbox,
    offer(orgId, deliveries) {
      if (deliveries.length === 0) return;
      const own = gathered.get(orgId);
      if (own) return void own.push(...deliveries);
      const fresh = [...deliveries];
      gathered.set(orgId, fresh);
      setTimeout(() => {
        gathered.delete(orgId);
        outbox.offer(orgId, fresh);
      }, GATHER_MS);
    },
    offerAgain: give,
  };
}

/** Groups deliveries into batches to process together. */
function* batches(deliveries: readonly Offered[]): Generator<Offered[]> {
  let batch: Offered[] = [];
  let bytes = 0;
  for (const delivery of deliveries) {
    const isFull = batch.length === MAX_TOGETHER || bytes + delivery.size > MAX_BYTES_TOGETHER;
    if (batch.length > 0 && isFull) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(delivery);
    bytes += delivery.size;
  }
  if (batch.length > 0) yield batch;
}
