import { isSpanContextValid, trace } from "@opentelemetry/api";
import { pino, type Logger } from "pino";

import { currentContext } from "../context.ts";
import { redactText } from "../redaction/secret-text.ts";

export type { Logger } from "pino";

const LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LEVELS)[number];
export const LOG_LEVELS: readonly LogLevel[] = LEVELS;

/** A logger that writes one JSON object a line to standard output, with the ids of the current request. */
export function createLogger(service: string, level: LogLevel): Logger {
  return pino({
    level,
    base: { service },
    messageKey: "message",
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: describeError },
    mixin: requestIds,
  });
}

/** An error as a log shows it: its kind and text, its causes, the stack of the first; no secret that shows. */
function describeError(error: unknown): unknown {
  if (typeof error === "string") return redactText(error);
  if (!(error instanceof Error)) return `no error but ${error === null ? "null" : typeof error}`;
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(redactText(`${cause.name}: ${cause.message}`));
  }
  return {
    name: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ""),
    ...(causes.length > 0 && { causes }),
  };
}

function requestIds(): object {
  const request = currentContext();
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...(request && { request_id: request.requestId }),
    ...(span && isSpanContextValid(span) && { trace_id: span.traceId }),
  };
}
