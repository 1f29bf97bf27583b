import type { Input } from "@leeway/shared/contracts/contract";
import { RETENTION } from "@leeway/shared/contracts/retention";
import type { Delivery, ReplayDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import { AppError } from "@leeway/shared/values/errors";
import type { Platform } from "@leeway/shared/service/service";

import { audit } from "../audit.ts";
import { getConfig } from "../configs/store/configs.ts";
import type { DeliveryOutbox } from "./outbox.ts";
import { getDelivery, hasBody, reopenDelivery } from "./store/deliveries.ts";

/**
 * Processes a delivery again, unless it is still pending.
 * @throws {AppError} `not_found`; `conflict` if its body was deleted
 */
export async function replayDelivery(
  { database, outbox, log }: Platform & { outbox: DeliveryOutbox },
  { org_id, config_id: configId, delivery_id }: Input<typeof ReplayDelivery>,
): Promise<Delivery> {
  const sql = database.org(org_id);
  const which = { configId, deliveryId: delivery_id };
  if (!(await getConfig(sql, configId))) throw noDelivery();
  const reopened = await database.transaction(org_id, async (tx) => {
    const reopened = await reopenDelivery(tx, which);
    const details = { config_id: configId };
    if (reopened) await audit(tx, { action: "webhook_delivery.replay", targetId: delivery_id, details });
    return reopened;
  });
  const delivery = await getDelivery(sql, which);
  if (!delivery) throw noDelivery();
  // A pending delivery may have been processed in the meantime.
  if (!reopened && delivery.outcome !== "pending" && !(await hasBody(sql, delivery_id))) {
    throw new AppError(
      "conflict",
      `the delivery's body has been deleted; bodies are kept for ${RETENTION.bodies.days} days`,
    );
  }
  if (reopened) {
    await outbox.offerAgain(org_id, [delivery_id]).catch((error: unknown) => {
      log.warn({ error }, "couldn't publish a delivery to the bus; the sweep publishes it again");
    });
  }
  return delivery;
}

function noDelivery(): AppError {
  return new AppError("not_found", "the delivery doesn't exist");
}
