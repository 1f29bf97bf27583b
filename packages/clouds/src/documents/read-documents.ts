import { createGiveWay } from "@leeway/shared/concurrency/give-way";
import { isObject, type Json } from "@leeway/shared/values/json";

import { at, DEEPEST, DocumentParser, type ListPath, type PieceVisitor } from "./document-parser.ts";
import { malformed, nameBeginning } from "./malformed.ts";
import { ObjectSplitter } from "./object-splitter.ts";
import { parseBytes, utf8 } from "./parse-bytes.ts";
import { Pending } from "./pending.ts";
import { RowSplitter } from "./row-splitter.ts";

/** Receiver of the documents in a body and the rows of their lists, in order. */
export type DocumentVisitor = Pick<PieceVisitor, "row" | "end">;

interface ReadOptions {
  lists: readonly ListPath[];
  visitor: DocumentVisitor;
  /** Returns whether a document can be skipped: a line, or an object of an outermost array. */
  isKnown?(document: Uint8Array): boolean;
  /** Awaited between chunks, so that the receiver of the rows can keep up. */
  drain?: () => Promise<void>;
}

const LINE_FEED = 10;
const BLANKS: ReadonlySet<number> = new Set([32, 9, 13]);
/** `[` and `{` */
const [ARRAY, OBJECT] = [91, 123];
/** Number of bytes that are enough to recognize a body's format. */
const BEGINNING = 2_000;
/** Longer first lines are read as one document, piece by piece. */
const LONGEST_FIRST_LINE = 1 << 20;
/** Size of the pieces that are parsed between pauses for other work. */
const PIECE = 32 << 10;
const LONGEST_LINE = 32 << 20;

/**
 * Reads JSON from `body` in bounded memory: one document, an array of documents, several documents in a row, or one
 * document per line. Rows of the `lists` go to the visitor one by one and aren't kept.
 * @throws {AppError} `unsupported_format`, with the place, if it isn't JSON
 */
export async function readDocuments(body: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  const start = await firstLine(chunks);
  const opening = firstByte(start);
  await refuseByBeginning(opening, start, chunks);
  if (opening === ARRAY) return readPieces(rejoin(start, chunks), options);
  if (!(start.line && options.isKnown?.(start.line))) {
    const first = start.line && tryParse(decode(start.line, 1));
    if (first === undefined) return readPieces(rejoin(start, chunks), options);
    visitValue(first, options, start.line);
  }
  await readLines(start.rest, chunks, options);
}

interface Start {
  /** The first line that isn't blank; undefined if it is too long. */
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

function firstByte({ head }: Start): number | undefined {
  return head.subarray(withoutMark(head, 0)).find((byte) => byte !== LINE_FEED && !BLANKS.has(byte));
}

/** Rejects a body that can't be JSON, and names its format if the beginning shows it. */
async function refuseByBeginning(
  opening: number | undefined,
  { head }: Start,
  chunks: AsyncIterator<Uint8Array>,
): Promise<void> {
  if (opening === undefined || opening === ARRAY || opening === OBJECT) return;
  let beginning = head;
  while (beginning.length < BEGINNING) {
    const next = await chunks.next();
    if (next.done) break;
    beginning = Buffer.concat([beginning, next.value]);
  }
  const name = nameBeginning(beginning);
  throw malformed(name === undefined ? "it starts with neither { nor [" : `it is ${name}`);
}

async function* rejoin(start: Start, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start.head.subarray(withoutMark(start.head, 0));
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

/** Reads the objects of outermost arrays and of lists one by one, and anything else with a slower parser. */
async function readPieces(body: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<void> {
  const splitter = new ObjectSplitter((object) => visitElement(object, options));
  let parser: RowSplitter | undefined;
  const parse = (): void => {
    parser = new RowSplitter(new DocumentParser(options.lists, pieceVisitor(options), splitter.offset));
    parser.write(splitter.rest());
  };
  const giveWay = createGiveWay();
  for await (const chunk of body) {
    for (let begin = 0; begin < chunk.length; begin += PIECE) {
      const piece = chunk.subarray(begin, begin + PIECE);
      if (parser) parser.write(piece);
      else if (!splitter.write(piece)) parse();
      await giveWay();
    }
    await options.drain?.();
  }
  if (!parser && !splitter.isOver) parse();
  parser?.end();
}

function pieceVisitor(options: ReadOptions): PieceVisitor {
  return {
    row: (list, row, document) => options.visitor.row(list, row, document),
    value: (value) => visitValue(value, options),
    end: (document, lists) => options.visitor.end(document, lists),
  };
}

/** Visits an object of an outermost array. @returns whether it is valid */
function visitElement(bytes: Uint8Array, options: ReadOptions): boolean {
  if (options.isKnown?.(bytes)) return true;
  const value = parseBytes(bytes);
  if (value === undefined) return false;
  visitDocument(value, options, bytes);
  return true;
}

async function readLines(
  rest: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
  options: ReadOptions,
): Promise<void> {
  const giveWay = createGiveWay();
  const pending = new Pending();
  let line = 1;
  for (let chunk = rest; ;) {
    let begin = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, begin)) {
      line += 1;
      visitLine(pending.take(chunk.subarray(begin, end)), line, options);
      begin = end + 1;
      const pause = giveWay();
      if (pause) await pause;
    }
    pending.add(chunk.subarray(begin));
    if (pending.length > LONGEST_LINE)
      throw malformed(`line ${line + 1} is longer than ${LONGEST_LINE} bytes`);
    await options.drain?.();
    const next = await chunks.next();
    if (next.done) break;
    chunk = next.value;
  }
  visitLine(pending.take(), line + 1, options);
}

function visitLine(bytes: Uint8Array, line: number, options: ReadOptions): void {
  if (isBlank(bytes) || options.isKnown?.(bytes)) return;
  const value = tryParse(decode(bytes, line));
  if (value === undefined) throw malformed(`line ${line} isn't valid JSON`);
  visitValue(value, options, bytes);
}

/** Visits a value in memory: a document, or an array of documents. */
function visitValue(value: Json, options: ReadOptions, bytes?: Uint8Array): void {
  if (!Array.isArray(value)) return visitDocument(value, options, bytes);
  for (const document of value) visitDocument(document, options);
}

/** Visits the rows of a document in memory, then the document. */
export function visitDocument(value: Json, options: ReadOptions, bytes?: Uint8Array): void {
  if (!isObject(value)) throw malformed("it contains a plain value instead of an object");
  const present: ListPath[] = [];
  for (const list of options.lists) {
    const rows = at(value, list);
    if (!Array.isArray(rows)) continue;
    present.push(list);
    for (const row of rows) options.visitor.row(list, row, value);
  }
  options.visitor.end(value, present, bytes);
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

/** Iterates over members without a list of them, which takes a tenth of the time. */
function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => isDeeper(inner, levels - 1));
  for (const name in value) if (isDeeper(value[name] ?? null, levels - 1)) return true;
  return false;
}

function decode(bytes: Uint8Array, line: number): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed(`line ${line} isn't valid UTF-8`);
  }
}

/** Returns the place after a byte order mark. */
function withoutMark(bytes: Uint8Array, begin: number): number {
  return begin === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : begin;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => BLANKS.has(byte));
}
