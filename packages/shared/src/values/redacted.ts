/** Replacement of a secret. */
export const REDACTED = "[redacted]";
