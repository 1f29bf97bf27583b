import { createHash, type Hash } from "node:crypto";

const MARK = Buffer.from("\uFEFF");
const CARRIAGE_RETURN = 13;

/** Hashes that identify a JSON text. */
export interface TextHash {
  /**
   * Hash without a byte order mark and carriage returns, which don't change the content: JSON strings contain neither.
   */
  text: Uint8Array;
  /** Hash of the bytes, if they differ from the text. */
  bytes?: Uint8Array;
}

/** Computes the SHA-256 of a JSON text incrementally. */
export function createTextHash(): { update(part: Uint8Array): void; digest(): TextHash } {
  const text = createHash("sha256");
  let bytes: Hash | undefined;
  let isBegun = false;
  return {
    update(part) {
      const plain = plainText(isBegun || !beginsWithMark(part) ? part : part.subarray(MARK.length));
      if (plain.length < part.length) bytes ??= text.copy();
      bytes?.update(part);
      text.update(plain);
      isBegun = true;
    },
    digest: () => ({ text: text.digest(), ...(bytes && { bytes: bytes.digest() }) }),
  };
}

function beginsWithMark(part: Uint8Array): boolean {
  return MARK.equals(part.subarray(0, MARK.length));
}

function plainText(part: Uint8Array): Uint8Array {
  return part.includes(CARRIAGE_RETURN) ? part.filter((byte) => byte !== CARRIAGE_RETURN) : part;
}
