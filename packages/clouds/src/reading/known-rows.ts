import { asStored } from "@leeway/shared/values/copy-text";

import type { ListedResource } from "../cloud.ts";
import { identityOf, kindOf } from "../listings/same-resource.ts";

/** Bytes of a digest, the hash of an identity, a kind, and the id of a resource. */
export const ENTRY_BYTES = 44;
/** An entry without its id, in bytes. */
const HEAD_BYTES = 28;
const ENTRY_WORDS = ENTRY_BYTES / 4;
const [IDENTITY_WORD, KIND_WORD] = [4, 6];
const NOWHERE = -1;

/** State of a stored resource in this listing. */
const [UNSEEN, UNCHANGED, CHANGED] = [0, 1, 2];

/** Facts of a row that a summary of the listing needs. */
export interface RowKind {
  /** Name of the format, if the row is a document of its own. */
  format: string | undefined;
  canonicalType: string;
  isListed: boolean;
  /** Whether the row names the account. */
  isOwn: boolean;
}

/** The rows from which an account's live resources are stored. */
export interface StoredRows {
  /** Entries, in any division. */
  parts: readonly Uint8Array[];
  /** Kinds of the entries, as `KnownRows.kinds` returned them. */
  kinds: string;
}

/** The digest of a row: the first 16 of its SHA-256's 32 bytes, so that nobody can find two rows with one digest. */
export type Digest = Uint32Array;

const hash = new Uint8Array(32);
const hashed = new Uint32Array(hash.buffer, 0, 4);
const head = new Uint32Array(HEAD_BYTES / 4);
const headBytes = Buffer.from(head.buffer);

/** Returns the digest of a document's bytes, valid until the next call. */
export function digestOfBytes(document: Uint8Array): Digest {
  Bun.SHA256.hash(document, hash);
  return hashed;
}

/** Does the same for a resource that isn't a document of its own. No JSON document has such a text. */
export function digestOfResource(resource: ListedResource): Digest {
  Bun.SHA256.hash(`row ${JSON.stringify(resource)}`, hash);
  return hashed;
}

/** More kinds than any cloud has. Rows of further kinds are read each time. */
const MAX_KINDS = 10_000;

/** The rows from which an account's live resources are stored, by their digests, and the resources by their ids. */
export class KnownRows {
  /** Whether a resource has occurred twice. */
  repeats = false;
  /** Number of resources that aren't stored. */
  created = 0;
  readonly #words: Uint32Array;
  readonly #state: Uint8Array;
  /** The place of each digest's entry, at the digest's lower bits or after them. At most half of it is filled. */
  readonly #places: Int32Array;
  /** The place of each identity's entry. New resources have a number beyond them. Created for the first unknown row. */
  #byIdentity: Map<number, number> | undefined;
  readonly #kinds: RowKind[];
  readonly #kindNumbers = new Map<string, number>();

  constructor({ parts, kinds }: StoredRows = { parts: [], kinds: "[]" }) {
    const bytes = Buffer.concat(parts);
    this.#words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    this.#state = new Uint8Array(this.#words.length / ENTRY_WORDS);
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(2 * this.#state.length + 2))).fill(NOWHERE);
    for (let place = 0; place < this.#state.length; place += 1) {
      const at = place * ENTRY_WORDS;
      this.#places[this.#slotOf(this.#words.subarray(at, at + IDENTITY_WORD))] = place;
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `kinds`
    this.#kinds = JSON.parse(kinds) as RowKind[];
    for (const [number, kind] of this.#kinds.entries()) this.#kindNumbers.set(JSON.stringify(kind), number);
  }

  /** Returns the kind of a known row, and notes that it is listed; undefined if the row has to be read. */
  see(digest: Digest): RowKind | undefined {
    const place = this.#places[this.#slotOf(digest)] ?? NOWHERE;
    if (place === NOWHERE) return undefined;
    const kind = this.#kinds[this.#words[place * ENTRY_WORDS + KIND_WORD] ?? 0];
    if (kind) this.#note(place, UNCHANGED);
    return kind;
  }

  /**
   * Adds a row that had to be read. The same resource is recognized as PostgreSQL does, by kind and by its function
   * `inventory.identity`. Two ids that PostgreSQL can't store unchanged may become equal.
   * @returns its entry without the id, in hexadecimal; and the id of the resource if it may be stored already
   */
  add(digest: Digest, resource: ListedResource, kind: RowKind): { head: string; id: string | undefined } {
    const number = this.#numberOf(kind);
    if (number === undefined) head.fill(0);
    else head.set(digest);
    const identity = identityHash(resource);
    head[IDENTITY_WORD] = identity;
    head[IDENTITY_WORD + 1] = identity / 2 ** 32;
    head[KIND_WORD] = number ?? 0;
    const known = (this.#byIdentity ??= this.#identities());
    const place = known.get(identity);
    if (place === undefined) {
      known.set(identity, this.#state.length);
      this.created += 1;
    } else this.#note(place, CHANGED);
    const isStored = place !== undefined && place < this.#state.length;
    return { head: headBytes.toString("hex"), id: isStored ? this.#idAt(place) : undefined };
  }

  /** Returns all kinds so far, as text. */
  kinds(): string {
    return JSON.stringify(this.#kinds);
  }

  /** Returns the entries of known rows that are listed, as one part, and the ids of resources that aren't. */
  result(): { unchanged: Uint8Array; gone: string[] } {
    const unchanged: Uint8Array[] = [];
    const gone: string[] = [];
    const bytes = Buffer.from(this.#words.buffer);
    for (const [place, state] of this.#state.entries()) {
      if (state === UNSEEN) gone.push(this.#idAt(place));
      else if (state === UNCHANGED)
        unchanged.push(bytes.subarray(place * ENTRY_BYTES, (place + 1) * ENTRY_BYTES));
    }
    return { unchanged: Buffer.concat(unchanged), gone };
  }

  #note(place: number, state: number): void {
    this.repeats ||= this.#state[place] !== UNSEEN;
    this.#state[place] = state;
  }

  #numberOf(kind: RowKind): number | undefined {
    const text = JSON.stringify(kind);
    let number = this.#kindNumbers.get(text);
    if (number === undefined && this.#kinds.length < MAX_KINDS) {
      number = this.#kinds.push(kind) - 1;
      this.#kindNumbers.set(text, number);
    }
    return number;
  }

  #identities(): Map<number, number> {
    const places = new Map<number, number>();
    for (let place = 0; place < this.#state.length; place += 1) {
      const at = place * ENTRY_WORDS + IDENTITY_WORD;
      places.set((this.#words[at] ?? 0) + (this.#words[at + 1] ?? 0) * 2 ** 32, place);
    }
    return places;
  }

  #idAt(place: number): string {
    const hex = Buffer.from(this.#words.buffer, place * ENTRY_BYTES + HEAD_BYTES, 16).toString("hex");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  /** Returns the slot with this digest's entry, or the empty one where it would be. */
  #slotOf(digest: Digest): number {
    const last = this.#places.length - 1;
    const [a = 0, b, c, d] = digest;
    for (let slot = a & last; ; slot = (slot + 1) & last) {
      const place = this.#places[slot] ?? NOWHERE;
      if (place === NOWHERE) return slot;
      const at = place * ENTRY_WORDS;
      const words = this.#words;
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return slot;
    }
  }
}

/** Returns 53 bits, which are a number without loss. */
function identityHash({ provider_type, provider_resource_id }: ListedResource): number {
  const type = asStored(kindOf(provider_type, provider_resource_id));
  const identity = identityOf(asStored(provider_resource_id));
  return Number(BigInt.asUintN(53, Bun.hash.wyhash(`${type}\n${identity}`)));
}
