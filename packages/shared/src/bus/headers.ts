/** Headers of our messages; the two of errors are those of the NATS services protocol. */
export const HEADER = {
  requestId: "Leeway-Request-Id",
  /** Milliseconds after which the caller doesn't wait any more. */
  timeout: "Leeway-Timeout",
  /** Names one call, so that it can be called off. */
  call: "Leeway-Call",
  nextCursor: "Leeway-Next-Cursor",
  errorCode: "Nats-Service-Error-Code",
  error: "Nats-Service-Error",
} as const;

/** Where calls are called off: every instance listens, the payload is the call. */
export const CANCEL_SUBJECT = "leeway.cancel";
