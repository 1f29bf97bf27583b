import { counter } from "@leeway/shared/telemetry/metrics";

/** Told by every connector; what a cloud's own client has waited for by itself isn't in it. */
export const throttles = counter("cloud_throttles_total", "Times that a cloud asked to slow down", []);
