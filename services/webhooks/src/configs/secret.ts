import { randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const SHOWN_CHARACTERS = 14;

/** A new secret: `whsec_` and 64 hex digits. The whole text is the key of an HMAC, as GitHub has it. */
export function makeSecret(): { raw: string; prefix: string } {
  const raw = PREFIX + randomBytes(SECRET_BYTES).toString("hex");
  return { raw, prefix: raw.slice(0, SHOWN_CHARACTERS) };
}
