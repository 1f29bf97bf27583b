import { DEEPEST } from "./document-parser.ts";
import { Pending } from "./pending.ts";

/** Longest object that is kept in memory, with the bytes before it. */
const LONGEST = 1 << 20;

const codeOf = (character: string): number => character.charCodeAt(0);
const [QUOTE, ESCAPE] = [codeOf('"'), codeOf("\\")];
const BLANKS: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n"));
/** Change of the nesting by each byte that isn't in a text. */
const NESTING = new Int8Array(256);
for (const opening of "[{") NESTING[codeOf(opening)] = 1;
for (const closing of "]}") NESTING[codeOf(closing)] = -1;

/** Places outside and in an array. */
const [OUTSIDE, BEGUN, AFTER_OBJECT, AFTER_COMMA, OBJECT] = [0, 1, 2, 3, 4];
/** For each place, the bytes that lead to another one. */
const NEXT: readonly ReadonlyMap<number, number>[] = [
  { "[": BEGUN },
  { "{": OBJECT, "]": OUTSIDE },
  { ",": AFTER_COMMA, "]": OUTSIDE },
  { "{": OBJECT },
].map((next) => new Map(Object.entries(next).map(([byte, place]) => [codeOf(byte), place])));

/**
 * Splits outermost arrays of objects into the bytes of each object, without parsing them. It gives up where anything
 * else begins, and at objects that are malformed, very long or very deep.
 */
export class ObjectSplitter {
  /** Place in the body after the last object; 0 before the first one. */
  offset = 0;
  #place = OUTSIDE;
  /** The bytes after `offset`. */
  readonly #rest = new Pending();
  /** Number of bytes between `offset` and the current object. */
  #before = 0;
  #depth = 0;
  #isText = false;
  /** Whether the next chunk begins with an escaped byte. */
  #isEscaped = false;
  readonly #read: (object: Uint8Array) => boolean;

  /** @param read reads an object's bytes; returns false if they are malformed */
  constructor(read: (object: Uint8Array) => boolean) {
    this.#read = read;
  }

  /** Whether the body may end here. */
  get isOver(): boolean {
    return this.#place === OUTSIDE;
  }

  /** Reads a chunk. @returns whether it was understood; if not, a parser has to continue from `offset` with `rest` */
  write(chunk: Uint8Array): boolean {
    let isUnderstood = true;
    let done = 0;
    for (let at = 0; isUnderstood && at < chunk.length;) {
      if (this.#place === OBJECT) {
        at = this.#skip(chunk, at);
        if (this.#depth > 0) break;
        isUnderstood = this.#end(chunk.subarray(done, at));
        done = at;
      } else {
        isUnderstood = this.#step(chunk[at] ?? 0, at - done);
        at += 1;
      }
    }
    this.#rest.add(chunk.subarray(done));
    return isUnderstood && this.#depth < DEEPEST && this.#rest.length <= LONGEST;
  }

  rest(): Uint8Array {
    return this.#rest.take();
  }

  #step(byte: number, since: number): boolean {
    if (BLANKS.has(byte)) return true;
    const next = NEXT[this.#place]?.get(byte);
    if (next === undefined) return false;
    this.#place = next;
    if (next !== OBJECT) return true;
    this.#before = this.#rest.length + since;
    this.#depth = 1;
    return true;
  }

  /** Returns the place after the object, or where the chunk ends or the object is too deep. */
  #skip(chunk: Uint8Array, from: number): number {
    let [at, depth, isText] = [this.#isEscaped ? from + 1 : from, this.#depth, this.#isText];
    for (; at < chunk.length && depth > 0 && depth < DEEPEST; at += 1) {
      const byte = chunk[at] ?? 0;
      if (!isText) {
        depth += NESTING[byte] ?? 0;
        isText = byte === QUOTE;
      } else if (byte === ESCAPE) at += 1;
      else isText = byte !== QUOTE;
    }
    this.#isEscaped = at > chunk.length;
    [this.#depth, this.#isText] = [depth, isText];
    return at;
  }

  #end(last: Uint8Array): boolean {
    this.#place = AFTER_OBJECT;
    const bytes = this.#rest.take(last);
    if (this.#read(bytes.subarray(this.#before))) {
      this.offset += bytes.length;
      return true;
    }
    this.#rest.add(bytes);
    return false;
  }
}
