import { isUtf8 } from "node:buffer";

import { AppError, invalidParameter } from "../errors.ts";
import { JsonReader } from "./json-reader.ts";
import { JsonFault } from "./syntax.ts";

const REPLACEMENT = "\uFFFD";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);
/** Escapes that may stand for characters that PostgreSQL can't store. */
const MAYBE_UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** A JSON value, and the bytes of its text. */
export interface ParsedJson {
  value: unknown;
  bytes: Uint8Array;
}

/**
 * Parses JSON.
 * @throws {AppError} `invalid_body` with the position if it isn't JSON; `invalid_parameter` for strings with NUL
 * characters or unpaired surrogates, which PostgreSQL can't store
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const value = readJson(bytes, (json) => json.value());
  if (MAYBE_UNSTORABLE.test(new TextDecoder("latin1").decode(bytes))) refuseUnstorable(value);
  return { value, bytes };
}

/**
 * Reads JSON and returns the result of `read`.
 * @param maxParts limit of parts in a value that is read at once: a part takes a hundred times its size in memory
 * @throws {AppError} `invalid_body` with the position
 */
export function readJson<T>(bytes: Uint8Array, read: (json: JsonReader) => T, maxParts = Infinity): T {
  if (!isUtf8(bytes)) refuseBrokenText(bytes);
  try {
    const json = new JsonReader(bytes, undefined, maxParts);
    const result = read(json);
    json.end();
    return result;
  } catch (error) {
    if (error instanceof JsonFault && error.hasTooManyParts)
      throw invalidBody(`one value has more than ${maxParts} parts`, error);
    if (error instanceof JsonFault) throw invalidBody(problemOf(error, bytes), error);
    throw error;
  }
}

function problemOf({ offset, isTooDeep }: JsonFault, bytes: Uint8Array): string {
  if (isTooDeep) return "the JSON is nested too deeply";
  const [found] = new TextDecoder().decode(bytes.subarray(offset, offset + 4));
  const what = found === undefined ? "unexpected end of JSON" : `unexpected ${JSON.stringify(found)}`;
  return `${what} ${position(bytes, offset)}`;
}

function invalidBody(what: string, cause?: unknown): AppError {
  return new AppError("invalid_body", `invalid request body: ${what}`, { cause });
}

/** Describes a position. Lines and columns count from 1, and columns are characters. The offset is in bytes. */
function position(bytes: Uint8Array, offset: number): string {
  const before = new TextDecoder().decode(bytes.subarray(0, offset));
  const line = before.split("\n").length;
  const column = Array.from(before.slice(before.lastIndexOf("\n") + 1)).length + 1;
  return `at line ${line} column ${column} (offset ${offset})`;
}

/**
 * Throws the position of the first byte that isn't UTF-8. The decoder writes U+FFFD there, but a U+FFFD in the text
 * itself is valid.
 */
function refuseBrokenText(bytes: Uint8Array): never {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  let [offset, from] = [0, 0];
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, from)) {
    offset += Buffer.byteLength(text.slice(from, at));
    if (!REPLACEMENT_BYTES.equals(bytes.subarray(offset, offset + REPLACEMENT_BYTES.length))) break;
    offset += REPLACEMENT_BYTES.length;
    from = at + 1;
  }
  throw invalidBody(`the text isn't valid UTF-8 ${position(bytes, offset)}`);
}

/** @throws {AppError} `invalid_parameter` if PostgreSQL can't store a string in `root` */
export function refuseUnstorable(root: unknown): void {
  const waiting: [path: string, value: unknown][] = [["", root]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, value] = next;
    if (typeof value === "string") refuseText(path || "body", value);
    else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        refuseText(path || "body", name);
        waiting.push([path === "" ? name : `${path}.${name}`, inner]);
      }
    }
  }
}

/** @throws {AppError} `invalid_parameter` if PostgreSQL can't store `text` */
export function refuseText(field: string, text: string): void {
  if (text.includes("\0")) throw invalidParameter(field, "must not contain a NUL character");
  if (!text.isWellFormed()) throw invalidParameter(field, "must not contain an unpaired surrogate");
}
