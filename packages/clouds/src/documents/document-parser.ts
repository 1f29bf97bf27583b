import { isDeepStrictEqual } from "node:util";

import { AppError } from "@leeway/shared/values/errors";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { JSONParser, TokenType, type ParsedElementInfo } from "@streamparser/json";

import { malformed } from "./malformed.ts";

/** Path of members that leads to an array in a document, outermost first. */
export type ListPath = readonly string[];

/** Receiver of a body's parts, in order. */
export interface PieceVisitor {
  /** Takes a row of a list, with the part of its document that was read before it. */
  row(list: ListPath, row: Json, document: JsonObject): void;
  /** Takes an element of an outermost array, or an outermost value that isn't a document. */
  value(value: Json): void;
  /**
   * Takes a complete document. `lists` are the lists in it, including empty ones. `bytes` are all that it was read
   * from, if they are known.
   */
  end(document: JsonObject, lists: readonly ListPath[], bytes?: Uint8Array): void;
}

/** A list whose first rows aren't written to the parser. */
export interface BegunList {
  path: ListPath;
  take(row: Json): void;
  /** Ends these rows. @param bytes up to the last one, for places in errors */
  end(bytes: number): void;
}

/** Nesting limit of a document, because code that reads it recurses as deeply. */
export const DEEPEST = 256;
/** Limit of tokens in one row, or in everything around the rows. It is kept in memory. */
const MAX_TOKENS = 2_000_000;
const LONGEST_TOKEN = 32 << 20;

/** Stands for the part of an outermost array that was read otherwise. */
const ARRAY_SO_FAR = '[{"":0}';
/** Stands for the rows of a list that were read otherwise. */
const ROWS_SO_FAR = '""';

/**
 * Parses documents that arrive in pieces. Rows and elements are dropped once the visitor has them, so that memory
 * holds one row and the content around the lists.
 */
export class DocumentParser {
  readonly #lists: ReadonlyMap<string, ListPath>;
  readonly #visitor: PieceVisitor;
  readonly #parser: JSONParser;
  readonly #watch: ReturnType<typeof watchTokens>;
  readonly #places = watchPlaces();
  /** Takes the rows that are parsed here. */
  #take: PieceVisitor["row"];
  #isOver = false;

  /** @param offset number of bytes before the first piece, if it follows an object in an outermost array; otherwise 0 */
  constructor(lists: readonly ListPath[], visitor: PieceVisitor, offset = 0) {
    this.#lists = new Map(lists.map((list) => [list.join("."), list]));
    this.#visitor = visitor;
    this.#take = visitor.row;
    this.#watch = watchTokens(offset > 0 ? offset - ARRAY_SO_FAR.length : 0);
    const paths = ["$", "$.*", ...[...this.#lists.keys()].map((path) => `$.${path}.*`)];
    this.#parser = new JSONParser({ paths, keepStack: true, separator: "" });
    this.#parser.onToken = ({ token, offset: place, value }) => {
      this.#watch.token(token, place);
      this.#places.token(token, value);
    };
    this.#parser.onError = (error) => this.#fail(error);
    this.#parser.onValue = () => undefined;
    if (offset > 0) this.write(ARRAY_SO_FAR);
    this.#parser.onValue = (read) => this.#visit(read);
  }

  /** @throws {AppError} `unsupported_format`, with the error and its place */
  write(piece: Uint8Array | string): void {
    this.#watch.bytes(piece.length);
    this.#parser.write(piece);
  }

  /** Returns the list that begins with the last byte; undefined if none does. */
  listBegun(): BegunList | undefined {
    const isLast = this.#watch.offset() === this.#watch.read() - 1;
    const steps = isLast ? this.#places.path() : undefined;
    const path = steps && this.#lists.values().find((list) => isDeepStrictEqual(list, steps));
    if (path === undefined) return undefined;
    let document: JsonObject | undefined;
    return {
      path,
      take: (row) => {
        document ??= this.#standIn();
        if (document) this.#visitor.row(path, row, document);
      },
      end: (bytes) => {
        if (document) this.#watch.skip(bytes - ROWS_SO_FAR.length);
      },
    };
  }

  end(): void {
    this.#isOver = true;
    if (!this.#parser.isEnded) this.#parser.end();
  }

  /** Writes a row that stands for others. @returns the document that contains it */
  #standIn(): JsonObject | undefined {
    let found: JsonObject | undefined;
    this.#take = (_list, _row, document) => {
      found = document;
    };
    this.write(ROWS_SO_FAR);
    this.#take = this.#visitor.row;
    return found;
  }

  #visit({ value, key, parent, stack }: ParsedElementInfo): void {
    if (stack.length === 0) return this.#finish(parsed(value));
    if (!Array.isArray(parent) || typeof key !== "number") return;
    const list = stack.length === 1 ? undefined : this.#lists.get(pathOf(stack));
    const document: unknown = stack[1]?.value; // each step of the stack holds the container it leads out of
    parent[key] = null; // the visitor has it: free it
    this.#watch.handedOver();
    if (stack.length === 1) this.#visitor.value(parsed(value));
    else if (list && isObject(document)) this.#take(list, parsed(value), document);
  }

  #finish(root: Json): void {
    if (Array.isArray(root)) return; // the visitor has its elements already
    if (!isObject(root)) return this.#visitor.value(root);
    const lists = [...this.#lists.values()].filter((list) => Array.isArray(at(root, list)));
    this.#visitor.end(root, lists);
  }

  #fail(error: Error): never {
    if (error instanceof AppError) throw error; // thrown by the visitor
    // The library's message would quote the body.
    throw malformed(
      this.#isOver
        ? `it ends unexpectedly at byte ${this.#watch.read()}`
        : `it isn't valid JSON after byte ${this.#watch.offset()}`,
    );
  }
}

/** Converts the parser's own JSON types to ours. */
function parsed(value: unknown): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parsed value is JSON
  return value as Json;
}

/** Returns the value at `path` in `document`, through own members only. */
export function at(document: JsonObject, path: ListPath): Json | undefined {
  let inner: Json | undefined = document;
  for (const step of path) inner = isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  return inner;
}

function pathOf(stack: readonly { key?: string | number | undefined }[]): string {
  return stack
    .slice(1)
    .map(({ key }) => key)
    .join(".");
}

/** Rejects documents with excessive nesting or excessively large values. @param start place of the first byte */
function watchTokens(start: number) {
  let depth = 0;
  let count = 0;
  let last = start;
  let read = start;
  return {
    /** Place at which the last token begins. */
    offset: () => last,
    read: () => read,
    handedOver: () => {
      count = 0;
    },
    /** Counts bytes that were read otherwise. The last one is a token. */
    skip(length: number) {
      start += length;
      read += length;
      last = read - 1;
    },
    bytes(length: number) {
      if (read - last > LONGEST_TOKEN) throw malformed(`a value is longer than ${LONGEST_TOKEN} bytes`);
      read += length;
    },
    token(token: TokenType, offset: number) {
      last = start + offset;
      count += 1;
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
      else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
      if (depth > DEEPEST) throw malformed(`it is nested deeper than ${DEEPEST} levels at byte ${last}`);
      if (count > MAX_TOKENS) throw malformed(`one value has more than ${MAX_TOKENS} parts at byte ${last}`);
    },
  };
}

/** Follows where in a document the tokens are. */
function watchPlaces() {
  /** For each open container, whether it is an object, and its latest member. */
  const open: { isObject: boolean; name: string }[] = [];
  let last = "";
  let isArrayBegun = false;
  return {
    token(token: TokenType, value: unknown) {
      isArrayBegun = token === TokenType.LEFT_BRACKET;
      if (token === TokenType.STRING) last = String(value);
      else if (token === TokenType.COLON) {
        const container = open.at(-1);
        if (container) container.name = last;
      } else if (token === TokenType.LEFT_BRACE || isArrayBegun)
        open.push({ isObject: !isArrayBegun, name: "" });
      else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) open.pop();
    },
    /** Returns the path of the array that has just begun; undefined if none has, or another array contains it. */
    path(): ListPath | undefined {
      const around = open.slice(0, -1);
      return isArrayBegun && around.every((one) => one.isObject) ? around.map(({ name }) => name) : undefined;
    },
  };
}
