import { gunzipSync } from "node:zlib";

import { REDACTED } from "../../values/redacted.ts";

type Clean = (text: string) => string;

const GZIP_IN_BASE64 = "H4s";
const BEGINNING = 24;
const BASE64 = /(?<![\w+/=-])[A-Za-z0-9+/_-]{24,}={0,2}/g;
/** Human-readable text. */
const READABLE = /^[\t\n\r\x20-\x7E\u00A0-\uFFFC]+$/;
/**
 * Limit on inflated gzip, as a multiple of the text's length. Scripts and files usually inflate to two or three times
 * their base64.
 */
const MAX_INFLATED = 6;
const PERCENT_WORD = /[^\s"'<>]*?%[0-9a-f]{2}[^\s"'<>]*/gi;
const ENTITY = /&(?:#(\d{1,5})|#x([0-9a-f]{1,4})|(quot|amp|apos|lt|gt));/gi;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: "&", apos: "'", lt: "<", gt: ">" };
/** An ASCII character that JSON doesn't need to escape by number. */
const ESCAPED = /\\u00([2-7][0-9a-f])/gi;

/**
 * Hides secrets that only show once the text is decoded. It is decoded once, from base64, gzip in base64,
 * percent-encoding, HTML entities or Unicode escapes.
 * @param clean hides secrets in plain text
 */
export function redactDecoded(text: string, clean: Clean): string {
  let cleaned = text.length < 24 ? text : redactBase64(text, clean);
  if (cleaned.includes("%"))
    cleaned = cleaned.replaceAll(PERCENT_WORD, (word) => orClean(word, unescaped, clean));
  if (cleaned.includes("&")) cleaned = orClean(cleaned, withoutEntities, clean);
  return cleaned.includes("\\u00") ? orClean(cleaned, withoutNumbers, clean) : cleaned;
}

/** Returns the decoded text without its secrets, or the original text if it has none. */
function orClean(text: string, decode: (text: string) => string, clean: Clean): string {
  const decoded = decode(text);
  if (decoded === text) return text;
  const cleaned = clean(decoded);
  return cleaned === decoded ? text : cleaned;
}

function redactBase64(text: string, clean: Clean): string {
  let budget = MAX_INFLATED * text.length;
  return text.replaceAll(BASE64, (run) => {
    const isPacked = run.startsWith(GZIP_IN_BASE64);
    if (!isPacked && !beginsReadable(run)) return run;
    const bytes = Buffer.from(run, "base64");
    const inflated = isPacked ? inflate(bytes, budget) : bytes;
    if (inflated === undefined) return REDACTED; // too large to scan completely
    if (isPacked) budget -= inflated.length;
    const decoded = inflated.toString("utf8");
    return READABLE.test(decoded) && clean(decoded) !== decoded ? REDACTED : run;
  });
}

/** Skips paths, ids and digests, which most base64-like text is: their first bytes aren't readable. */
function beginsReadable(run: string): boolean {
  const beginning = Buffer.from(run.slice(0, BEGINNING), "base64").toString("utf8");
  return READABLE.test(beginning.replace(/\uFFFD{1,3}$/, "")); // drops a character cut off at the end
}

/** Inflates gzip; undefined if the result exceeds `most` bytes. Bytes that aren't gzip are returned unchanged. */
function inflate(bytes: Buffer, most: number): Buffer | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.max(1, most) });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return isTooLarge ? undefined : bytes;
  }
}

function unescaped(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

function withoutEntities(text: string): string {
  return text.replaceAll(ENTITY, (_, decimal?: string, hex?: string, name?: string) =>
    name === undefined
      ? String.fromCharCode(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal))
      : (ENTITIES[name.toLowerCase()] ?? ""),
  );
}

/** Decodes Unicode escapes, except of quotation marks and backslashes, which would end the surrounding string. */
function withoutNumbers(text: string): string {
  return text.replaceAll(ESCAPED, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return character === '"' || character === "\\" ? whole : character;
  });
}
