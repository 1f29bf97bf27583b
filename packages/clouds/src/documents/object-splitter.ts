import { DEEPEST } from "./document-parser.ts";
import { ObjectScanner } from "./object-scanner.ts";
import { Pending } from "./pending.ts";

/** Longest object that is kept in memory, with the bytes before it. */
const LONGEST = 1 << 20;

const codeOf = (character: string): number => character.charCodeAt(0);
const BLANKS: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n"));

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
 * Splits arrays of objects into the bytes of each object, without parsing them. It gives up where anything else begins,
 * and at objects that are malformed, very long or very deep.
 */
export class ObjectSplitter {
  /** Number of bytes up to the last object; 0 before the first one. */
  offset = 0;
  #place: number;
  readonly #around: number;
  /** The bytes after `offset`. */
  readonly #rest = new Pending();
  /** Number of bytes between `offset` and the current object. */
  #before = 0;
  readonly #scanner = new ObjectScanner();
  readonly #read: (object: Uint8Array) => boolean;

  /**
   * @param read reads an object's bytes; returns false if they are malformed
   * @param around number of containers around the array. If there are any, the first chunk begins within the array,
   * which is the only one.
   */
  constructor(read: (object: Uint8Array) => boolean, around = 0) {
    this.#read = read;
    this.#around = around;
    this.#place = around > 0 ? BEGUN : OUTSIDE;
  }

  /** Whether the last array has ended. */
  get isOver(): boolean {
    return this.#place === OUTSIDE;
  }

  /**
   * Reads a chunk. @returns whether it was understood, and the array hasn't ended; if not, a parser has to continue from
   * `offset` with `rest`
   */
  write(chunk: Uint8Array): boolean {
    let isUnderstood = true;
    let done = 0;
    for (let at = 0; isUnderstood && at < chunk.length;) {
      if (this.#place === OBJECT) {
        at = this.#scanner.skip(chunk, at, this.#deepest);
        if (this.#scanner.depth > 0) break;
        isUnderstood = this.#end(chunk.subarray(done, at));
        done = at;
      } else {
        isUnderstood = this.#step(chunk[at] ?? 0, at - done);
        at += 1;
      }
    }
    this.#rest.add(chunk.subarray(done));
    return isUnderstood && this.#scanner.depth < this.#deepest && this.#rest.length <= LONGEST;
  }

  get #deepest(): number {
    return DEEPEST - this.#around;
  }

  rest(): Uint8Array {
    return this.#rest.take();
  }

  #step(byte: number, since: number): boolean {
    if (BLANKS.has(byte)) return true;
    const next = NEXT[this.#place]?.get(byte);
    if (next === undefined) return false;
    this.#place = next;
    if (next === OUTSIDE && this.#around > 0) return false;
    if (next !== OBJECT) return true;
    this.#before = this.#rest.length + since;
    this.#scanner.depth = 1;
    return true;
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
