import type { Input } from "@leeway/shared/contract";
import type { Delivery, ReplayDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import { AppError } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { getConfig } from "../configs/store/configs.ts";
import type { Outbox } from "./outbox.ts";
import { getDelivery, hasBody, reopenDelivery } from "./store/deliveries.ts";

/**
 * Has a delivery worked off once more; one that waits for that is left as it is.
 * @throws {AppError} `not_found`; `conflict` when its body is gone
 */
export async function replayDelivery(
  { database, outbox, log }: Platform & { outbox: Outbox },
  { org_id, config_id: configId, delivery_id }: Input<typeof ReplayDelivery>,
): Promise<Delivery> {
  const sql = database.org(org_id);
  const which = { configId, deliveryId: delivery_id };
  if (!(await getConfig(sql, configId))) throw noDelivery();
  const reopened = await reopenDelivery(sql, which);
  const delivery = await getDelivery(sql, which);
  if (!delivery) throw noDelivery();
  // One that waited may have been worked off meanwhile.
  if (!reopened && delivery.outcome !== "pending" && !(await hasBody(sql, delivery_id))) {
    throw new AppError("conflict", "the delivery's body is kept for seven days only");
  }
  if (reopened) {
    await outbox.offerAgain(org_id, delivery_id).catch((error: unknown) => {
      log.warn({ error }, "the bus didn't take a delivery; the sweeper will hand it over again");
    });
  }
  return delivery;
}

function noDelivery(): AppError {
  return new AppError("not_found", "no such delivery");
}
