import { isSpanContextValid, trace } from "@opentelemetry/api";
import { pino, type Logger } from "pino";

import { currentContext } from "../context.ts";
import { redactText } from "../../security/redaction/secret-text.ts";

export type { Logger } from "pino";

const LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LEVELS)[number];
export const LOG_LEVELS: readonly LogLevel[] = LEVELS;

/** Creates a logger that writes one JSON object per line to standard output, with the ids of the current request. */
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

/** Describes an error for the log: its name, message, causes and stack, without recognizable secrets. */
function describeError(error: unknown): unknown {
  if (typeof error === "string") return redactText(error);
  if (!(error instanceof Error))
    return `thrown value that isn't an Error: ${error === null ? "null" : typeof error}`;
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
