import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const KEY_BYTES = 32;

/** Returns a new signing secret in the format of Standard Webhooks: `whsec_` and the key in base64. */
export function makeSigningSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString("base64");
}

/** Returns the headers that prove a body's origin and time to its receiver (Standard Webhooks). */
export function signatureHeaders(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
}
