import type { ListedResource } from "@leeway/clouds/cloud";

/** Length of a hash and the id of its resource. */
export const ENTRY_BYTES = 24;
const HASH_BYTES = 8;
const EMPTY = -1;

/** Returns the digest of a row: a hash of everything that was read from it. */
export function digestOf(resource: ListedResource, seed: bigint): bigint {
  return Bun.hash.wyhash(JSON.stringify(resource), seed);
}

/** The rows from which an account's live resources were stored, by their digests. */
export class KnownRows {
  /** Whether a row has occurred twice. */
  repeats = false;
  readonly #entries: Buffer;
  readonly #isSeen: Uint8Array;
  /** For each digest, beginning at its lower bits, the place of its entry. At most half of it is filled. */
  readonly #places: Int32Array;
  readonly #whole = new BigUint64Array(1);
  readonly #bytes = Buffer.from(this.#whole.buffer);

  /** @param parts entries, each of which has a hash (big-endian) and an id */
  constructor(parts: readonly Uint8Array[]) {
    this.#entries = Buffer.concat(parts);
    const count = this.#entries.length / ENTRY_BYTES;
    this.#isSeen = new Uint8Array(count);
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2))).fill(EMPTY);
    for (let place = 0; place < count; place += 1) {
      const at = place * ENTRY_BYTES;
      const [high, low] = [this.#entries.readUInt32BE(at), this.#entries.readUInt32BE(at + 4)];
      this.#places[this.#slotOf(high, low)] = place;
    }
  }

  get count(): number {
    return this.#isSeen.length;
  }

  /** Reports whether a row is known, and marks it as seen. */
  see(digest: bigint): boolean {
    this.#whole[0] = digest;
    const place =
      this.#places[this.#slotOf(this.#bytes.readUInt32LE(4), this.#bytes.readUInt32LE(0))] ?? EMPTY;
    if (place === EMPTY) return false;
    this.repeats ||= this.#isSeen[place] === 1;
    this.#isSeen[place] = 1;
    return true;
  }

  /** Returns the entries that were seen, as one part, and the ids of the others. */
  result(): { seen: Uint8Array; unseen: string[] } {
    const seen: Uint8Array[] = [];
    const unseen: string[] = [];
    for (let place = 0; place < this.count; place += 1) {
      const entry = this.#entries.subarray(place * ENTRY_BYTES, (place + 1) * ENTRY_BYTES);
      if (this.#isSeen[place] === 1) seen.push(entry);
      else unseen.push(entry.toString("hex", HASH_BYTES));
    }
    return { seen: unseen.length === 0 ? this.#entries : Buffer.concat(seen), unseen };
  }

  /** Returns the slot with this digest's entry, or the empty one where it would be. */
  #slotOf(high: number, low: number): number {
    const last = this.#places.length - 1;
    for (let slot = low & last; ; slot = (slot + 1) & last) {
      const place = this.#places[slot] ?? EMPTY;
      if (place === EMPTY) return slot;
      const at = place * ENTRY_BYTES;
      if (this.#entries.readUInt32BE(at + 4) === low && this.#entries.readUInt32BE(at) === high) return slot;
    }
  }
}
