import type { BusParts } from "@leeway/shared/bus/streams";
import { DriftRequested, ScanRequested } from "@leeway/shared/contracts/inventory/scans";

export const SCANS = { event: ScanRequested, durable: "inventory-scans" };
export const DRIFT = { event: DriftRequested, durable: "inventory-drift" };

/** The parts of the bus that only this service uses. */
export const BUS_PARTS: BusParts = { service: "inventory", durables: [SCANS, DRIFT], takesBodies: true };
