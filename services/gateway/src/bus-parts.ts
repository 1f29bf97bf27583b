import type { BusParts } from "@leeway/shared/bus/streams";

/** Bodies that this service sends on the bus; it consumes no events. */
export const BUS_PARTS: BusParts = {
  service: "gateway",
  durables: [],
  sendsBodiesTo: ["inventory", "analyzer"],
};
