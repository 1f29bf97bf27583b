import { counter } from "@leeway/shared/platform/telemetry/metrics";

/** Counts throttled calls of all connectors. Waits inside a cloud's own SDK aren't included. */
export const throttles = counter("cloud_throttles_total", "Times a cloud throttled a request", []);
