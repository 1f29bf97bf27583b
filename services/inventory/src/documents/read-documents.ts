import { createGiveWay } from "@leeway/shared/fairness/give-way";
import { isObject, type Json } from "@leeway/shared/json";

import { at, createDocumentParser, DEEPEST, type ListPath, type PieceVisitor } from "./document-parser.ts";
import { malformed, nameBeginning } from "./malformed.ts";

/** Told of every document in a body, and of the rows of its lists, in order. */
export type DocumentVisitor = Pick<PieceVisitor, "row" | "end">;

interface ReadOptions {
  lists: readonly ListPath[];
  visitor: DocumentVisitor;
  /** Awaited between chunks, so that who takes the rows can keep up. */
  drain?: () => Promise<void>;
}

const LINE_FEED = 10;
const BLANKS: ReadonlySet<number> = new Set([32, 9, 13]);
/** `[` and `{` */
const OPENING: ReadonlySet<number> = new Set([91, 123]);
/** As much of a body as tells what it is. */
const BEGINNING = 2_000;
/** Longer first lines are read as one document, piece by piece. */
const LONGEST_FIRST_LINE = 1 << 20;
/** What is parsed before others have their turn. */
const PIECE = 32 << 10;
const LONGEST_LINE = 32 << 20;

/**
 * Reads JSON from `body` in bounded memory: one document, an array of them, several one after the other,
 * or a document a line. Rows of the `lists` are handed over one by one and not kept.
 * @throws {AppError} `unsupported_format` when it isn't JSON, saying where
 */
export async function readDocuments(body: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  const start = await firstLine(chunks);
  await refuseByBeginning(start, chunks);
  const first = start.line && tryParse(decode(start.line, 1));
  if (first === undefined) return readPieces(rejoin(start, chunks), options);
  visitValue(first, options);
  await readLines(start.rest, chunks, options);
}

interface Start {
  /** The first line that isn't blank; absent when it is too long to be one. */
  line: Uint8Array | undefined;
  head: Uint8Array;
  rest: Uint8Array;
}

async function firstLine(chunks: AsyncIterator<Uint8Array>): Promise<Start> {
  let head: Uint8Array = new Uint8Array();
  let begin = 0;
  for (;;) {
    const next = await chunks.next();
    if (!next.done) head = Buffer.concat([head, next.value]);
    begin = withoutMark(head, begin);
    let end = head.indexOf(LINE_FEED, begin);
    while (end !== -1 && isBlank(head.subarray(begin, end))) {
      begin = end + 1;
      end = head.indexOf(LINE_FEED, begin);
    }
    if (end !== -1) return { line: head.subarray(begin, end), head, rest: head.subarray(end + 1) };
    if (next.done) return { line: head.subarray(begin), head, rest: new Uint8Array() };
    if (head.length > LONGEST_FIRST_LINE) return { line: undefined, head, rest: head };
  }
}

/** What can't be JSON is called by its name, where its beginning shows one. */
async function refuseByBeginning({ head }: Start, chunks: AsyncIterator<Uint8Array>): Promise<void> {
  const text = head.subarray(withoutMark(head, 0));
  const first = text.find((byte) => byte !== LINE_FEED && !BLANKS.has(byte));
  if (first === undefined || OPENING.has(first)) return;
  let beginning = head;
  while (beginning.length < BEGINNING) {
    const next = await chunks.next();
    if (next.done) break;
    beginning = Buffer.concat([beginning, next.value]);
  }
  const name = nameBeginning(beginning);
  throw malformed(name === undefined ? "it begins with neither { nor [" : `it is ${name}`);
}

async function* rejoin(start: Start, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start.head.subarray(withoutMark(start.head, 0));
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

async function readPieces(body: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<void> {
  const parser = createDocumentParser(options.lists, {
    row: (list, row, document) => options.visitor.row(list, row, document),
    value: (value) => visitValue(value, options),
    end: (document, lists) => options.visitor.end(document, lists),
  });
  const giveWay = createGiveWay();
  for await (const chunk of body) {
    for (let begin = 0; begin < chunk.length; begin += PIECE) {
      parser.write(chunk.subarray(begin, begin + PIECE));
      await giveWay();
    }
    await options.drain?.();
  }
  parser.end();
}

async function readLines(
  rest: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
  options: ReadOptions,
): Promise<void> {
  const giveWay = createGiveWay();
  let pending = rest;
  let line = 1;
  for (;;) {
    let begin = 0;
    for (let end = pending.indexOf(LINE_FEED); end !== -1; end = pending.indexOf(LINE_FEED, begin)) {
      line += 1;
      visitLine(pending.subarray(begin, end), line, options);
      begin = end + 1;
      await giveWay();
    }
    pending = pending.subarray(begin);
    if (pending.length > LONGEST_LINE)
      throw malformed(`line ${line + 1} is longer than ${LONGEST_LINE} bytes`);
    await options.drain?.();
    const next = await chunks.next();
    if (next.done) break;
    pending = pending.length === 0 ? next.value : Buffer.concat([pending, next.value]);
  }
  visitLine(pending, line + 1, options);
}

function visitLine(bytes: Uint8Array, line: number, options: ReadOptions): void {
  if (isBlank(bytes)) return;
  const value = tryParse(decode(bytes, line));
  if (value === undefined) throw malformed(`line ${line} is not JSON`);
  visitValue(value, options);
}

/** Hands over a value that is in memory: a document, or an array of documents. */
function visitValue(value: Json, options: ReadOptions): void {
  const documents = Array.isArray(value) ? value : [value];
  for (const document of documents) visitDocument(document, options);
}

/** Hands over the rows of a document that is in memory, and then the document. */
export function visitDocument(value: Json, options: ReadOptions): void {
  if (!isObject(value)) throw malformed("it holds a bare value where an object belongs");
  const present: ListPath[] = [];
  for (const list of options.lists) {
    const rows = at(value, list);
    if (!Array.isArray(rows)) continue;
    present.push(list);
    for (const row of rows) options.visitor.row(list, row, value);
  }
  options.visitor.end(value, present);
}

function tryParse(text: string): Json | undefined {
  const value = parse(text);
  if (value !== undefined && isDeeper(value, DEEPEST))
    throw malformed(`it is nested deeper than ${DEEPEST} levels`);
  return value;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Goes through members one by one, which takes a tenth of the time that a list of them takes. */
function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isDeeper(inner, levels - 1));
  for (const name in value) if (isDeeper(value[name] ?? null, levels - 1)) return true;
  return false;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array, line: number): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed(`line ${line} is not UTF-8`);
  }
}

/** Where the text begins behind a byte order mark. */
function withoutMark(bytes: Uint8Array, begin: number): number {
  return begin === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : begin;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => BLANKS.has(byte));
}
