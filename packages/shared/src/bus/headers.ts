/** Headers of our messages; the two of errors are those of the NATS services protocol. */
export const HEADER = {
  requestId: "Leeway-Request-Id",
  /**
   * Of a request: a name of its own, by which it can be called off; the milliseconds after which the caller
   * doesn't wait any more; the request's id. One header, since each costs the client some microseconds.
   */
  call: "Leeway-Call",
  nextCursor: "Leeway-Next-Cursor",
  /** Of what is larger than a message as it is, and is packed by zstd. */
  packed: "Leeway-Packed",
  errorCode: "Nats-Service-Error-Code",
  error: "Nats-Service-Error",
} as const;

/** Where calls are called off: every instance listens, the payload is the call. */
export const CANCEL_SUBJECT = "leeway.cancel";
