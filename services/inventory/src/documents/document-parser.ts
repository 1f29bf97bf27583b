import { AppError } from "@leeway/shared/errors";
import { isObject, type Json, type JsonObject } from "@leeway/shared/json";
import { JSONParser, TokenType } from "@streamparser/json";

import { malformed } from "./malformed.ts";

/** Where rows are found in a document: members that lead to an array, outermost first. */
export type ListPath = readonly string[];

/** Told of what a body holds, in order. */
export interface PieceVisitor {
  /** A row of a list, with as much of its document as is known by then. */
  row(list: ListPath, row: Json, document: JsonObject): void;
  /** A whole element of an outermost array, or an outermost value that is no document. */
  value(value: Json): void;
  /** A document is complete. `lists` are those that were in it, also when they were empty. */
  end(document: JsonObject, lists: readonly ListPath[]): void;
}

interface DocumentParser {
  /** @throws {AppError} `unsupported_format` that says what is wrong and where */
  write(chunk: Uint8Array): void;
  end(): void;
}

/** How deep a document may be nested: each step that looks into it goes down as deep. */
export const DEEPEST = 256;
/** What one row, or all that stands around the rows, may hold at most; it is kept in memory. */
const MOST_TOKENS = 2_000_000;
const LONGEST_TOKEN = 32 << 20;

/**
 * Parses documents that arrive in pieces. Rows and elements are dropped once they are handed over, so
 * that memory holds one row and what stands around the lists.
 */
export function createDocumentParser(lists: readonly ListPath[], visitor: PieceVisitor): DocumentParser {
  const byPath = new Map(lists.map((list) => [list.join("."), list]));
  const paths = ["$", "$.*", ...[...byPath.keys()].map((path) => `$.${path}.*`)];
  const parser = new JSONParser({ paths, keepStack: true, separator: "" });
  const watch = watchTokens();

  parser.onToken = ({ token, offset }) => watch.token(token, offset);
  let isOver = false;
  parser.onError = (error) => {
    if (error instanceof AppError) throw error; // the visitor's own
    // The library's words quote the body.
    throw malformed(
      isOver ? `it breaks off at byte ${watch.read()}` : `it is no JSON behind byte ${watch.offset()}`,
    );
  };
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length === 0) return finish(visitor, lists, parsed(value));
    if (!Array.isArray(parent) || typeof key !== "number") return;
    const list = stack.length === 1 ? undefined : byPath.get(pathOf(stack));
    const document: unknown = stack[1]?.value; // each step of the stack holds the container it leads out of
    parent[key] = null; // it is handed over: let go of it
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

/** The parser's own types of JSON as ours. */
function parsed(value: unknown): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parsed value is JSON
  return value as Json;
}

function finish(visitor: PieceVisitor, lists: readonly ListPath[], root: Json): void {
  if (Array.isArray(root)) return; // its elements have been handed over
  if (!isObject(root)) return visitor.value(root);
  visitor.end(
    root,
    lists.filter((list) => Array.isArray(at(root, list))),
  );
}

/** The value at `path` in `document`; own members only. */
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

/** Refuses what no honest document holds: endless nesting, endless values. */
function watchTokens() {
  let depth = 0;
  let count = 0;
  let last = 0;
  let read = 0;
  return {
    /** Where the last token begins. */
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
      last = offset;
      count += 1;
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
      else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
      if (depth > DEEPEST) throw malformed(`it is nested deeper than ${DEEPEST} levels at byte ${offset}`);
      if (count > MOST_TOKENS)
        throw malformed(`one value holds more than ${MOST_TOKENS} parts at byte ${offset}`);
    },
  };
}
