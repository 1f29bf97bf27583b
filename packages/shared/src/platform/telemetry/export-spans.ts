import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

import type { Logger } from "./log.ts";

const LOG_EVERY_MS = 60_000;
const LAST_SPANS_MS = 2_000;

/**
 * Sends spans to an OpenTelemetry collector (OTLP over HTTP).
 * @param endpoint the collector's URL without `/v1/traces`
 * @returns flushes remaining spans, waiting at most two seconds so that an unreachable collector doesn't delay exit
 */
export function exportSpans(service: string, endpoint: string, log: Logger): () => Promise<void> {
  setGlobalErrorHandler(failureLogger(log));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": `leeway-${service}` }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, LAST_SPANS_MS).unref();
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
  };
}

/** Logs failed exports, at most once a minute. An unreachable collector only costs spans. */
function failureLogger(log: Logger): (error: unknown) => void {
  let loggedAt = -Infinity;
  return (error) => {
    const now = performance.now();
    if (now < loggedAt + LOG_EVERY_MS) return;
    loggedAt = now;
    log.warn({ error }, "couldn't send traces");
  };
}
