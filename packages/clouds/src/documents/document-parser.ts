import { AppError } from "@leeway/shared/values/errors";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import { JSONParser, TokenType } from "@streamparser/json";

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

export interface DocumentParser {
  /** @throws {AppError} `unsupported_format`, with the error and its place */
  write(chunk: Uint8Array): void;
  end(): void;
}

/** Nesting limit of a document, because code that reads it recurses as deeply. */
export const DEEPEST = 256;
/** Limit of tokens in one row, or in everything around the rows. It is kept in memory. */
const MAX_TOKENS = 2_000_000;
const LONGEST_TOKEN = 32 << 20;

/** Stands for the part of an outermost array that was read otherwise. */
const ARRAY_SO_FAR = '[{"":0}';

/**
 * Parses documents that arrive in pieces. Rows and elements are dropped once the visitor has them, so that memory
 * holds one row and the content around the lists.
 * @param offset number of bytes before the first piece, if it follows an object in an outermost array; otherwise 0
 */
export function createDocumentParser(
  lists: readonly ListPath[],
  visitor: PieceVisitor,
  offset = 0,
): DocumentParser {
  const byPath = new Map(lists.map((list) => [list.join("."), list]));
  const paths = ["$", "$.*", ...[...byPath.keys()].map((path) => `$.${path}.*`)];
  const parser = new JSONParser({ paths, keepStack: true, separator: "" });
  const watch = watchTokens(offset > 0 ? offset - ARRAY_SO_FAR.length : 0);

  parser.onToken = (read) => watch.token(read.token, read.offset);
  let isOver = false;
  parser.onError = (error) => {
    if (error instanceof AppError) throw error; // thrown by the visitor
    // The library's message would quote the body.
    throw malformed(
      isOver
        ? `it ends unexpectedly at byte ${watch.read()}`
        : `it isn't valid JSON after byte ${watch.offset()}`,
    );
  };
  if (offset > 0) {
    watch.bytes(ARRAY_SO_FAR.length);
    parser.onValue = () => undefined;
    parser.write(ARRAY_SO_FAR);
  }
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length === 0) return finish(visitor, lists, parsed(value));
    if (!Array.isArray(parent) || typeof key !== "number") return;
    const list = stack.length === 1 ? undefined : byPath.get(pathOf(stack));
    const document: unknown = stack[1]?.value; // each step of the stack holds the container it leads out of
    parent[key] = null; // the visitor has it: free it
    watch.handedOver();
    if (stack.length === 1) visitor.value(parsed(value));
    else if (list && isObject(document)) visitor.row(list, parsed(value), document);
  };

  return {
    write(chunk) {
      watch.bytes(chunk.length);
      parser.write(chunk);
    },
    end() {
      isOver = true;
      if (!parser.isEnded) parser.end();
    },
  };
}

/** Converts the parser's own JSON types to ours. */
function parsed(value: unknown): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parsed value is JSON
  return value as Json;
}

function finish(visitor: PieceVisitor, lists: readonly ListPath[], root: Json): void {
  if (Array.isArray(root)) return; // the visitor has its elements already
  if (!isObject(root)) return visitor.value(root);
  visitor.end(
    root,
    lists.filter((list) => Array.isArray(at(root, list))),
  );
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
