import { AppError, invalidParameter } from "../errors.ts";

import { syntaxFault } from "./json-tree.ts";

const REPLACEMENT = "\uFFFD";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);
/** A cheap sign that a string may hold what PostgreSQL can't store. */
const MAYBE_UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * The JSON that `bytes` hold, and their text.
 * @throws {AppError} `invalid_body` with the position when they hold none; `invalid_parameter` for strings
 * with NUL characters or halves of a surrogate pair, which PostgreSQL can't store
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const parsed = parseAnyJson(bytes);
  if (MAYBE_UNSTORABLE.test(parsed.text)) refuseUnstorable(parsed.value);
  return parsed;
}

/** As `parseJson`, but of any strings. @throws {AppError} `invalid_body` */
export function parseAnyJson(bytes: Uint8Array): ParsedJson {
  const text = new TextDecoder().decode(bytes);
  if (text.includes(REPLACEMENT)) refuseBrokenText(bytes, text);
  return { value: parse(bytes, text), text };
}

/** What a text says, and the text. */
export interface ParsedJson {
  value: unknown;
  text: string;
}

function parse(bytes: Uint8Array, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = syntaxFault(bytes);
    if (fault === undefined) throw invalidBody("the JSON is nested too deeply", cause);
    const what = fault.found === "" ? "unexpected end of JSON" : `unexpected ${JSON.stringify(fault.found)}`;
    throw invalidBody(`${what} ${position(bytes, fault.offset)}`, cause);
  }
}

function invalidBody(what: string, cause?: unknown): AppError {
  return new AppError("invalid_body", `invalid request body: ${what}`, { cause });
}

/** Lines and columns count from 1, columns in characters; the offset is the number of bytes in front. */
function position(bytes: Uint8Array, offset: number): string {
  const before = new TextDecoder().decode(bytes.subarray(0, offset));
  const line = before.split("\n").length;
  const column = Array.from(before.slice(before.lastIndexOf("\n") + 1)).length + 1;
  return `at line ${line} column ${column} (offset ${offset})`;
}

/** The decoder puts U+FFFD for what isn't UTF-8; one that the text itself holds is fine. */
function refuseBrokenText(bytes: Uint8Array, text: string): void {
  let offset = bytes.length - Buffer.byteLength(text) === 3 ? 3 : 0; // a byte order mark isn't part of the text
  let from = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, from)) {
    offset += Buffer.byteLength(text.slice(from, at));
    const genuine = REPLACEMENT_BYTES.equals(bytes.subarray(offset, offset + REPLACEMENT_BYTES.length));
    if (!genuine) throw invalidBody(`the text isn't UTF-8 ${position(bytes, offset)}`);
    offset += REPLACEMENT_BYTES.length;
    from = at + 1;
  }
}

/** @throws {AppError} `invalid_parameter` when PostgreSQL couldn't store a string in `root` */
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

/** @throws {AppError} `invalid_parameter` when PostgreSQL couldn't store `text` */
export function refuseText(field: string, text: string): void {
  if (text.includes("\0")) throw invalidParameter(field, "must not hold a NUL character");
  if (!text.isWellFormed()) throw invalidParameter(field, "must not hold half of a surrogate pair");
}
