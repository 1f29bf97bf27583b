import type { BegunList, DocumentParser } from "./document-parser.ts";
import { ObjectSplitter } from "./object-splitter.ts";
import { parseBytes } from "./parse-bytes.ts";

const ARRAY = "[".charCodeAt(0);

/**
 * Reads a document with a parser, except for the rows of its lists. As long as they are objects, each is parsed as a
 * whole, which is faster.
 */
export class RowSplitter {
  readonly #parser: DocumentParser;
  /** The list that has begun, and its rows. */
  #begun: { list: BegunList; rows: ObjectSplitter } | undefined;
  #isSplit = true;

  constructor(parser: DocumentParser) {
    this.#parser = parser;
  }

  /** @throws {AppError} `unsupported_format`, with the error and its place */
  write(chunk: Uint8Array): void {
    for (let left: Uint8Array | undefined = chunk; left;)
      left = this.#begun ? this.#split(left) : this.#parse(left);
  }

  end(): void {
    this.#parser.write(this.#leave() ?? new Uint8Array());
    this.#parser.end();
  }

  /** Parses up to the next list. @returns the bytes after its beginning */
  #parse(chunk: Uint8Array): Uint8Array | undefined {
    let done = 0;
    while (this.#isSplit) {
      const end = chunk.indexOf(ARRAY, done) + 1;
      if (end === 0) break;
      this.#parser.write(chunk.subarray(done, end));
      done = end;
      const list = this.#parser.listBegun();
      if (!list) continue;
      this.#begun = { list, rows: rowsOf(list) };
      return chunk.subarray(done);
    }
    this.#parser.write(chunk.subarray(done));
    return undefined;
  }

  /** @returns the bytes after the list, or after the last row that is an object */
  #split(chunk: Uint8Array): Uint8Array | undefined {
    if (this.#begun?.rows.write(chunk) === true) return undefined;
    this.#isSplit = this.#begun?.rows.isOver ?? true;
    return this.#leave();
  }

  #leave(): Uint8Array | undefined {
    const begun = this.#begun;
    this.#begun = undefined;
    begun?.list.end(begun.rows.offset);
    return begun?.rows.rest();
  }
}

function rowsOf(list: BegunList): ObjectSplitter {
  return new ObjectSplitter((bytes) => {
    const row = parseBytes(bytes);
    if (row === undefined) return false;
    list.take(row);
    return true;
  }, list.path.length);
}
