import { consume, type StopConsuming } from "@leeway/shared/bus/consume";
import { publish } from "@leeway/shared/bus/publish";
import { call } from "@leeway/shared/bus/request";
import { createShares } from "@leeway/shared/concurrency/shares";
import { EndDeliveries, type DeliveryAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Platform } from "@leeway/shared/service/service";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import type { Static } from "@sinclair/typebox";

import { DELIVERIES } from "../bus-parts.ts";
import { takeDeliveries, type DeliveryDependencies } from "./take-deliveries.ts";

/** Messages in progress at once. One with large bodies mostly waits for a reader thread. */
const CONCURRENT = 8;
/** Maximum of these messages per organization. */
const SHARE = 3;
/** Attempts of a message's deliveries together. */
const TOGETHER = 2;
const LONGEST_REASON = 500;

interface WorkerDependencies extends Platform, DeliveryDependencies {
  /** Retry delays; together they end before webhooks would publish a delivery again. */
  retryMs: readonly number[];
}

type Accepted = Static<(typeof DeliveryAccepted)["payload"]>;

/** Starts the worker that turns accepted deliveries into jobs. */
export function startDeliveryWorker(deps: WorkerDependencies): StopConsuming {
  const { bus, log, retryMs } = deps;
  const shares = createShares<Accepted & { orgId: string; id: string }>({
    share: SHARE,
    workers: CONCURRENT,
    offerAgain: ({ org_id, delivery_ids }) => offerAgain(deps, org_id, delivery_ids),
  });
  const stop = consume(bus, {
    ...DELIVERIES,
    concurrency: CONCURRENT,
    handle(accepted, delivery) {
      const work = () => workOff(deps, accepted, delivery);
      if (delivery.attempt > 1) return work(); // a new offer would restart the count of attempts
      const { org_id: orgId, delivery_ids: ids } = accepted;
      return shares.within({ ...accepted, orgId, id: ids.join(" ") }, work);
    },
    retryMs,
    onDead: async ({ org_id, delivery_ids }, reason) => {
      const failure = reason.slice(0, LONGEST_REASON);
      const deliveries = delivery_ids.map((delivery_id) => ({ delivery_id, failure }));
      await call(bus, EndDeliveries, { org_id, deliveries });
    },
    log,
  });
  return async () => {
    await stop();
    await shares.returnWaiting();
  };
}

/**
 * Processes the deliveries of a message. After a failure each is offered separately, so that one bad delivery fails
 * alone. An outage of a database, of webhooks or of the bus fails none: webhooks publishes pending deliveries again.
 */
async function workOff(
  deps: WorkerDependencies,
  { org_id: orgId, delivery_ids: ids }: Accepted,
  { attempt, last }: { attempt: number; last: boolean },
): Promise<void> {
  const split = async () => {
    for (const id of ids) await offerAgain(deps, orgId, [id]);
  };
  try {
    if (attempt > TOGETHER && ids.length > 1) await split();
    else await takeDeliveries(deps, orgId, ids);
  } catch (error) {
    const code = error instanceof AppError ? error.code : "internal";
    const isAway = code === "unavailable";
    if (ids.length > 1 && !isAway) return split();
    if (isAway && last)
      return deps.log.warn({ error }, "couldn't process deliveries; webhooks offers them again");
    // Reading it again would take as long.
    throw code === "too_slow_to_read" ? invalidParameter("event", "takes too long to read") : error;
  }
}

function offerAgain({ bus }: Platform, org_id: string, deliveryIds: readonly string[]): Promise<void> {
  return publish(bus, DELIVERIES.event, { org_id, delivery_ids: [...deliveryIds] }, crypto.randomUUID());
}
