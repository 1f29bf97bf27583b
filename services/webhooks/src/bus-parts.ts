import type { BusParts } from "@leeway/shared/bus/streams";

/** This service consumes no events. */
export const BUS_PARTS: BusParts = { service: "webhooks", durables: [] };
