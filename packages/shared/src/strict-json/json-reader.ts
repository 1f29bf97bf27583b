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
 * Reads JSON part by part, and makes values only of what is asked for. It stands in front of a value, which is then
 * read by one of its methods, each of which throws a `JsonFault` where the text is no JSON. What those that go through
 * its parts leave unread is skipped, and held against the syntax all the same.
 */
export class JsonReader {
  readonly #bytes: Buffer;
  /** Where the value begins and ends that this is a reader of, once that is known. */
  readonly #span: readonly [start: number, end: number] | undefined;
  /** That any value may have which is read in one go or is a part, and any object whose members are gone through. */
  readonly #mostParts: number;
  #at: number;

  /** @param bytes UTF-8; a byte order mark isn't part of them */
  constructor(bytes: Uint8Array, span?: readonly [start: number, end: number], mostParts = Infinity) {
    this.#bytes =
      bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#span = span;
    this.#mostParts = mostParts;
    this.#at = span ? span[0] : endOfSpace(bytes, hasMark(this.#bytes) ? BYTE_ORDER_MARK.length : 0);
  }

  get isObject(): boolean {
    return this.#bytes[this.#at] === OPEN_BRACE;
  }

  get isArray(): boolean {
    return this.#bytes[this.#at] === OPEN_BRACKET;
  }

  skip(mostParts = Infinity): void {
    this.#at = this.#at === this.#span?.[0] ? this.#span[1] : endOfValue(this.#bytes, this.#at, mostParts);
  }

  /** Skips the value here, for a reader of its own. */
  part(): JsonReader {
    const start = this.#at;
    this.skip(this.#mostParts);
    return new JsonReader(this.#bytes, [start, this.#at]);
  }

  /** What a part says can be asked for again. */
  value(): Json {
    const start = this.#at;
    const end = start === this.#span?.[0] ? this.#span[1] : undefined;
    if (end === undefined) this.skip(this.#mostParts);
    return JSON.parse(this.#bytes.toString("utf8", start, end ?? this.#at));
  }

  /** An object of what `read` makes of each member, in front of its value; of duplicates the last counts. */
  object<T>(read: (name: string) => T): Record<string, T> {
    const object: Record<string, T> = {};
    this.members((name) => put(object, name, read(name)));
    return object;
  }

  /** Calls `read` in front of each member's value, in the order of the text, duplicates included. */
  members(read: (name: string) => void): void {
    if (!this.isObject) return this.skip();
    let parts = 0;
    for (let more = this.#enter(CLOSE_BRACE); more; more = this.#goOn(CLOSE_BRACE)) {
      refuseMore(this.#mostParts, (parts += 1), this.#at);
      const name = this.#name();
      const start = this.#at;
      read(name);
      if (this.#at === start) this.skip();
    }
  }

  /** Calls `read` in front of each item. */
  items(read: () => void): void {
    if (!this.isArray) return this.skip();
    for (let more = this.#enter(CLOSE_BRACKET); more; more = this.#goOn(CLOSE_BRACKET)) {
      const start = this.#at;
      read();
      if (this.#at === start) this.skip();
    }
  }

  /** Nothing may follow any more. */
  end(): void {
    this.#at = endOfSpace(this.#bytes, this.#at);
    if (this.#at < this.#bytes.length) throw new JsonFault(this.#at);
  }

  /** Goes into what `closer` ends: whether there is a first part. */
  #enter(closer: number): boolean {
    this.#at = endOfSpace(this.#bytes, this.#at + 1);
    return !this.#closes(closer);
  }

  /** Goes to the next part, if there is one. */
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
