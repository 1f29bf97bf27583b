import { sha256 } from "@leeway/shared/values/digest";
import { open, seal, type SealedPlace } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

const SHOWN_CHARACTERS = 4;
/** Minimum length of a key whose last characters are shown; they would reveal too much of a shorter one. */
const LONG_ENOUGH = 16;
const FINGERPRINT_DIGITS = 8;

/** Returns the displayable parts of a key. */
export function shownOf(key: string): { hint: string; fingerprint: string } {
  const end = key.length < LONG_ENOUGH ? "" : key.slice(-SHOWN_CHARACTERS);
  return {
    hint: `…${end}`,
    fingerprint: `sha256:${sha256(key).toString("hex").slice(0, FINGERPRINT_DIGITS)}`,
  };
}

export function sealKey(ring: KeyRing, orgId: string, id: string, key: string): Buffer {
  return seal(ring, placeOf(orgId, id), key);
}

/**
 * Decrypts a key.
 * @throws {SealError} when this ring can't open it
 */
export function openKey(
  ring: KeyRing,
  orgId: string,
  { id, sealed }: { id: string; sealed: Uint8Array },
): string {
  return open(ring, placeOf(orgId, id), sealed);
}

const placeOf = (orgId: string, id: string): SealedPlace => ({
  orgId,
  table: "quota.llm_configs",
  rowId: id,
});
