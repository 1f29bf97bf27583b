import type { BusParts } from "@leeway/shared/bus/streams";
import { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import { DeliveryAccepted } from "@leeway/shared/contracts/webhooks/deliveries";

export const JOBS = { event: JobQueued, durable: "analyzer-jobs" };
export const DELIVERIES = { event: DeliveryAccepted, durable: "analyzer-deliveries" };

/** Consumers and bodies of this service on the bus. */
export const BUS_PARTS: BusParts = {
  service: "analyzer",
  durables: [JOBS, DELIVERIES],
  takesBodies: true,
  sendsBodiesTo: ["inventory"],
};
