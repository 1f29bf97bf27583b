import { put, type Json } from "../json.ts";
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  endOfColon,
  endOfComma,
  endOfSpace,
  endOfString,
  endOfValue,
  JsonFault,
  OPEN_BRACE,
  OPEN_BRACKET,
  refuseMore,
} from "./syntax.ts";

const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/**
 * Reads JSON part by part, and creates only the requested values. A reader stands at the start of a value, which one
 * of its methods reads. Each of them throws a `JsonFault` if the text isn't JSON. Unread parts are skipped, but their
 * syntax is still checked.
 */
export class JsonReader {
  readonly #bytes: Buffer;
  /** Start and end of this reader's value, once they are known. */
  readonly #span: readonly [start: number, end: number] | undefined;
  /** Limit of parts in a value that is read at once or taken as a part, and of an object's members. */
  readonly #maxParts: number;
  #at: number;

  /** @param bytes UTF-8; a byte order mark is skipped */
  constructor(bytes: Uint8Array, span?: readonly [start: number, end: number], maxParts = Infinity) {
    this.#bytes =
      bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#span = span;
    this.#maxParts = maxParts;
    this.#at = span ? span[0] : endOfSpace(bytes, hasMark(this.#bytes) ? BYTE_ORDER_MARK.length : 0);
  }

  get isObject(): boolean {
    return this.#bytes[this.#at] === OPEN_BRACE;
  }

  get isArray(): boolean {
    return this.#bytes[this.#at] === OPEN_BRACKET;
  }

  skip(maxParts = Infinity): void {
    this.#at = this.#at === this.#span?.[0] ? this.#span[1] : endOfValue(this.#bytes, this.#at, maxParts);
  }

  /** Skips the value, and returns a reader of it. */
  part(): JsonReader {
    const start = this.#at;
    this.skip(this.#maxParts);
    return new JsonReader(this.#bytes, [start, this.#at]);
  }

  /** Returns the value. A part's value can be read again. */
  value(): Json {
    const start = this.#at;
    const end = start === this.#span?.[0] ? this.#span[1] : undefined;
    if (end === undefined) this.skip(this.#maxParts);
    return JSON.parse(this.#bytes.toString("utf8", start, end ?? this.#at));
  }

  /**
   * Returns an object with the results of `read`, which is called before each member's value. The last duplicate
   * counts.
   */
  object<T>(read: (name: string) => T): Record<string, T> {
    const object: Record<string, T> = {};
    this.members((name) => put(object, name, read(name)));
    return object;
  }

  /** Calls `read` before each member's value, in the order of the text, duplicates included. */
  members(read: (name: string) => void): void {
    if (!this.isObject) return this.skip();
    let parts = 0;
    for (let more = this.#enter(CLOSE_BRACE); more; more = this.#goOn(CLOSE_BRACE)) {
      refuseMore(this.#maxParts, (parts += 1), this.#at);
      const name = this.#name();
      const start = this.#at;
      read(name);
      if (this.#at === start) this.skip();
    }
  }

  /** Calls `read` before each item. */
  items(read: () => void): void {
    if (!this.isArray) return this.skip();
    for (let more = this.#enter(CLOSE_BRACKET); more; more = this.#goOn(CLOSE_BRACKET)) {
      const start = this.#at;
      read();
      if (this.#at === start) this.skip();
    }
  }

  /** Checks that nothing but white space follows. */
  end(): void {
    this.#at = endOfSpace(this.#bytes, this.#at);
    if (this.#at < this.#bytes.length) throw new JsonFault(this.#at);
  }

  /** Enters the array or object that `closer` ends. @returns whether it has a part */
  #enter(closer: number): boolean {
    this.#at = endOfSpace(this.#bytes, this.#at + 1);
    return !this.#closes(closer);
  }

  /** Moves to the next part. @returns whether there is one */
  #goOn(closer: number): boolean {
    this.#at = endOfSpace(this.#bytes, this.#at);
    if (this.#closes(closer)) return false;
    this.#at = endOfSpace(this.#bytes, endOfComma(this.#bytes, this.#at));
    return true;
  }

  #closes(closer: number): boolean {
    if (this.#bytes[this.#at] !== closer) return false;
    this.#at += 1;
    return true;
  }

  #name(): string {
    const start = this.#at;
    const end = endOfString(this.#bytes, start);
    this.#at = endOfSpace(this.#bytes, endOfColon(this.#bytes, end));
    const quoted = this.#bytes.toString("utf8", start, end);
    return quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  }
}

function hasMark(bytes: Buffer): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
}
