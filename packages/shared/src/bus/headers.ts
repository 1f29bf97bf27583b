/** Headers of our messages. The two for errors come from the NATS services protocol. */
export const HEADER = {
  requestId: "Leeway-Request-Id",
  /**
   * On a request: the id of the call, by which it can be canceled; the caller's timeout, in ms; the request id. It is
   * one header, because each costs the client some microseconds.
   */
  call: "Leeway-Call",
  /** Author of a change, as percent-encoded JSON, because names may not be ASCII. */
  actor: "Leeway-Actor",
  /** On a request that a read replica may answer: the position that the replica must have replayed. */
  position: "Leeway-Position",
  /** On an answer that only came from a read replica. */
  replica: "Leeway-Replica",
  nextCursor: "Leeway-Next-Cursor",
  /** On a message that would be too large: its payload is compressed with zstd. */
  packed: "Leeway-Packed",
  errorCode: "Nats-Service-Error-Code",
  error: "Nats-Service-Error",
} as const;

/** Subject of canceled calls. Every instance listens; the payload is the id of the call. */
export const CANCEL_SUBJECT = "leeway.cancel";
