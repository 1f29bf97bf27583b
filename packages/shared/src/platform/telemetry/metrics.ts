import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** All metrics of this process, served at `/metrics`. */
export const registry = new Registry();

const PROCESS_METRICS = ["process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"];
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Adds the operating system's metrics of this process, and the service's name as a label on every metric. */
export function describeProcess(service: string): void {
  registry.setDefaultLabels({ service });
  const all = new Registry();
  collectDefaultMetrics({ register: all });
  for (const name of PROCESS_METRICS) {
    const metric = all.getSingleMetric(name);
    if (metric) registry.registerMetric(metric);
  }
}

/** Creates a counter. `labelNames` are few and their values bounded, so never ids. */
export function counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
  return new Counter({ name: `leeway_${name}`, help, labelNames, registers: [registry] });
}

/** Creates a gauge. */
export function gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
  return new Gauge({ name: `leeway_${name}`, help, labelNames, registers: [registry] });
}

/** Creates a histogram of durations in seconds. */
export function durations<L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
): Histogram<L> {
  return new Histogram({ name: `leeway_${name}`, help, labelNames, buckets: SECONDS, registers: [registry] });
}
