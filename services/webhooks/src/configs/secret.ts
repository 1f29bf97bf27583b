import { randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const SHOWN_CHARACTERS = 14;

/** Creates a secret: `whsec_` and 64 hex digits. The whole text is the HMAC key, as with GitHub's webhooks. */
export function makeSecret(): { raw: string; prefix: string } {
  const raw = PREFIX + randomBytes(SECRET_BYTES).toString("hex");
  return { raw, prefix: raw.slice(0, SHOWN_CHARACTERS) };
}
