import type { BusConnection } from "@leeway/shared/bus/connection";
import { consume } from "@leeway/shared/bus/consume";
import { call } from "@leeway/shared/bus/request";
import {
  DeliveryAccepted,
  EndDeliveries,
  ReadDeliveries,
} from "@leeway/shared/contracts/webhooks/deliveries";
import { testLog, testStreams } from "@leeway/shared/testing/testing";

/** A stand-in for the analyzer: it reads accepted deliveries and ends them as processed. */
export interface FakeAnalyzer {
  /** The latest event of each delivery, as JSON. */
  events: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

export async function startFakeAnalyzer(bus: BusConnection): Promise<FakeAnalyzer> {
  const durable = { event: DeliveryAccepted, durable: "analyzer-deliveries" };
  await testStreams({ service: "analyzer", durables: [durable] });
  const events = new Map<string, string>();
  const stop = consume(bus, {
    ...durable,
    concurrency: 4,
    retryMs: [10, 10, 10, 10],
    async handle({ org_id, delivery_ids }) {
      const { deliveries } = await call(bus, ReadDeliveries, { org_id, delivery_ids });
      if (deliveries.length === 0) return;
      for (const { delivery_id, event } of deliveries) events.set(delivery_id, event);
      const ended = deliveries.map(({ delivery_id, replays }) => {
        return { delivery_id, replays, job_id: delivery_id };
      });
      await call(bus, EndDeliveries, { org_id, deliveries: ended });
    },
    log: testLog(),
  });
  return { events, stop };
}
