import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const KEY_BYTES = 32;

/** A new signing secret as Standard Webhooks has it: `whsec_` and the key in base64. */
export function makeSigningSecret(): string {
  return PREFIX + randomBytes(KEY_BYTES).toString("base64");
}

/** The headers by which a receiver knows that a body is ours and when it was sent (Standard Webhooks). */
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
