import type { BusParts } from "@leeway/shared/bus/streams";

/** The part of the bus that this service needs: it answers requests, and that is all. */
export const BUS_PARTS: BusParts = { service: "quota", durables: [] };
