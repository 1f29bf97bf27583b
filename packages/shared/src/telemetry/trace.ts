import {
  context,
  propagation,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type SpanKind,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

import type { Logger } from "./log.ts";

export { SpanKind } from "@opentelemetry/api";

interface Work {
  kind: SpanKind;
  attributes?: Attributes;
  /** Where the work was asked for, when that was another process. */
  parent?: Context;
}

const TELL_EVERY_MS = 60_000;
const LAST_SPANS_MS = 2_000;

let tracing = false;

/**
 * Sends spans to an OpenTelemetry collector (OTLP over HTTP, `endpoint` without the `/v1/traces`).
 * Until this is called spans cost nothing. The answer flushes what is left, if the collector takes it soon: a process
 * doesn't stay for one that is away.
 */
export function startTracing(service: string, endpoint: string, log: Logger): () => Promise<void> {
  setGlobalErrorHandler(tellOf(log));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": `leeway-${service}` }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  tracing = true;
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, LAST_SPANS_MS).unref();
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
  };
}

/** A collector that is away loses spans and nothing else: that is told now and then. */
function tellOf(log: Logger): (error: unknown) => void {
  let toldAt = -Infinity;
  return (error) => {
    const now = performance.now();
    if (now < toldAt + TELL_EVERY_MS) return;
    toldAt = now;
    log.warn({ error }, "traces couldn't be sent");
  };
}

/** Runs `work` inside a span; a failure is marked on it by kind, never by message, and passed on. */
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

/** Gives `set` the headers that carry the current trace to another process. */
export function injectTrace(set: (name: string, value: string) => void): void {
  if (tracing) propagation.inject(context.active(), null, { set: (_, name, value) => set(name, value) });
}

/** The trace that `get`'s headers carry, as a parent for `span`. */
export function extractTrace(get: (name: string) => string | undefined): Context {
  return propagation.extract(context.active(), null, {
    get: (_, name) => get(name),
    keys: () => ["traceparent", "tracestate"],
  });
}
