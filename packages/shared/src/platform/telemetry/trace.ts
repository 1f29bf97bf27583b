import {
  context,
  propagation,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type SpanKind,
} from "@opentelemetry/api";

import type { Logger } from "./log.ts";

export { SpanKind } from "@opentelemetry/api";

interface Work {
  kind: SpanKind;
  attributes?: Attributes;
  /** Context of the request for this work if it came from another process. */
  parent?: Context;
}

let tracing = false;

/**
 * Sends spans to the OpenTelemetry collector at `endpoint`. Until this is called, spans cost nothing: other processes
 * don't load OpenTelemetry's SDK, whose modules take a tenth of their start.
 * @returns flushes the remaining spans
 */
export async function startTracing(
  service: string,
  endpoint: string,
  log: Logger,
): Promise<() => Promise<void>> {
  const { exportSpans } = await import("./export-spans.ts");
  const stop = exportSpans(service, endpoint, log);
  tracing = true;
  return stop;
}

/** Runs `work` inside a span. A failure is recorded by its kind, never its message, and rethrown. */
export async function span<T>(
  name: string,
  { kind, attributes, parent }: Work,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing) return work();
  const options = { kind, ...(attributes && { attributes }) };
  return trace
    .getTracer("leeway")
    .startActiveSpan(name, options, parent ?? context.active(), async (active) => {
      try {
        return await work();
      } catch (error) {
        active.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : "thrown",
        });
        throw error;
      } finally {
        active.end();
      }
    });
}

/** Passes the headers that carry the current trace to `set`. */
export function injectTrace(set: (name: string, value: string) => void): void {
  if (tracing) propagation.inject(context.active(), null, { set: (_, name, value) => set(name, value) });
}

/** Returns the trace in `get`'s headers, as a parent for `span`. */
export function extractTrace(get: (name: string) => string | undefined): Context {
  return propagation.extract(context.active(), null, {
    get: (_, name) => get(name),
    keys: () => ["traceparent", "tracestate"],
  });
}
