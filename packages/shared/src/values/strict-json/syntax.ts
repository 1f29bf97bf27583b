const BLANK = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;

/** Nesting limit. Deeper values would take a hundred times their size in memory. */
const DEEPEST = 10_000;

/** Bytes that aren't JSON, are nested too deeply, or have too many parts. */
export class JsonFault extends Error {
  /** Number of bytes before the first one that is wrong. */
  readonly offset: number;
  readonly isTooDeep: boolean;
  readonly hasTooManyParts: boolean;

  constructor(offset: number, { isTooDeep = false, hasTooManyParts = false } = {}) {
    super(isTooDeep ? "nested too deeply" : hasTooManyParts ? "too many parts" : "not JSON");
    this.offset = offset;
    this.isTooDeep = isTooDeep;
    this.hasTooManyParts = hasTooManyParts;
  }
}

/** Returns a table with 1 for each byte in `characters`. */
function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) set[byte] = 1;
  return set;
}

/** Bytes that stand for themselves in a string, including those of characters that aren't ASCII. */
const PLAIN = new Uint8Array(256).fill(1, BLANK);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;
const ESCAPES = setOf('"\\/bfnrt');
const HEX_DIGITS = setOf("0123456789abcdefABCDEF");
const EXPONENT = setOf("eE");
const SIGNS = setOf("+-");
const WORDS = new Map(["true", "false", "null"].map((word) => [word.charCodeAt(0), Buffer.from(word)]));

const isIn = (set: Uint8Array, byte: number | undefined): boolean => byte !== undefined && set[byte] === 1;

const isSpace = (byte: number | undefined): boolean =>
  byte === BLANK || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Returns the end of the white space at `start`. */
export function endOfSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  if ((bytes[at] ?? 0) > BLANK) return at;
  for (;;) {
    while (bytes[at] === BLANK) at += 1; // most of it is indentation
    if (!isSpace(bytes[at])) return at;
    at += 1;
  }
}

/** Returns the end of the value at `start`, which white space may precede. @throws {JsonFault} */
export function endOfValue(bytes: Uint8Array, start: number, maxParts = Infinity): number {
  const closers: number[] = [];
  let at = start;
  for (let parts = 0; ; parts += 1) {
    refuseMore(maxParts, parts, at);
    at = endOfSpace(bytes, at);
    const closer = closerOf(bytes[at]);
    const inside = closer === 0 ? at : endOfSpace(bytes, at + 1);
    if (closer === 0) at = endOfScalar(bytes, at);
    else if (bytes[inside] === closer) at = inside + 1;
    else {
      if (closers.push(closer) > DEEPEST) throw new JsonFault(at, { isTooDeep: true });
      at = closer === CLOSE_BRACE ? endOfName(bytes, inside) : inside;
      continue;
    }
    at = endOfClosers(bytes, at, closers);
    const open = closers[closers.length - 1];
    if (open === undefined) return at;
    at = endOfComma(bytes, at);
    if (open === CLOSE_BRACE) at = endOfName(bytes, at);
  }
}

/** @throws {JsonFault} if a value has too many parts */
export function refuseMore(maxParts: number, parts: number, at: number): void {
  if (parts > maxParts) throw new JsonFault(at, { hasTooManyParts: true });
}

/** Returns whether the value at the beginning of `bytes` is nested too deeply. Parsing it would take seconds. */
export function isTooDeep(bytes: Uint8Array): boolean {
  try {
    endOfValue(bytes, 0);
    return false;
  } catch (error) {
    return error instanceof JsonFault && error.isTooDeep;
  }
}

/** Returns the byte that closes a value with this first byte; 0 for a value without parts. */
function closerOf(byte: number | undefined): number {
  if (byte === OPEN_BRACE) return CLOSE_BRACE;
  return byte === OPEN_BRACKET ? CLOSE_BRACKET : 0;
}

/** Removes the values that close at `start` from `closers`. @returns the end of the last one */
function endOfClosers(bytes: Uint8Array, start: number, closers: number[]): number {
  let at = start;
  while (closers.length > 0) {
    const next = endOfSpace(bytes, at);
    if (bytes[next] !== closers[closers.length - 1]) return next;
    closers.pop();
    at = next + 1;
  }
  return at;
}

/** Returns the end of the comma at `start`, which white space may precede. @throws {JsonFault} */
export function endOfComma(bytes: Uint8Array, start: number): number {
  return endOf(COMMA, bytes, start);
}

/** Returns the end of a member's name and its colon. @throws {JsonFault} */
function endOfName(bytes: Uint8Array, start: number): number {
  return endOfColon(bytes, endOfString(bytes, start));
}

/** @throws {JsonFault} */
export function endOfColon(bytes: Uint8Array, start: number): number {
  return endOf(COLON, bytes, start);
}

function endOf(byte: number, bytes: Uint8Array, start: number): number {
  const at = endOfSpace(bytes, start);
  if (bytes[at] !== byte) throw new JsonFault(at);
  return at + 1;
}

/** Returns the end of the string at `start`, which white space may precede. @throws {JsonFault} */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = endOf(QUOTE, bytes, start);
  for (;;) {
    while (isIn(PLAIN, bytes[at])) at += 1;
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH) throw new JsonFault(at);
    at = endOfEscape(bytes, at + 1);
  }
}

function endOfEscape(bytes: Uint8Array, start: number): number {
  if (isIn(ESCAPES, bytes[start])) return start + 1;
  if (bytes[start] !== 0x75) throw new JsonFault(start);
  for (let at = start + 1; at < start + 5; at += 1) {
    if (!isIn(HEX_DIGITS, bytes[at])) throw new JsonFault(at);
  }
  return start + 5;
}

function endOfScalar(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfString(bytes, start);
  const word = first === undefined ? undefined : WORDS.get(first);
  return word ? endOfWord(bytes, start, word) : endOfNumber(bytes, start);
}

function endOfWord(bytes: Uint8Array, start: number, word: Uint8Array): number {
  for (let index = 1; index < word.length; index += 1) {
    if (bytes[start + index] !== word[index]) throw new JsonFault(start + index);
  }
  return start + word.length;
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : endOfDigits(bytes, at);
  if (bytes[at] === POINT) at = endOfDigits(bytes, at + 1);
  if (!isIn(EXPONENT, bytes[at])) return at;
  return endOfDigits(bytes, isIn(SIGNS, bytes[at + 1]) ? at + 2 : at + 1);
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  if (at === start) throw new JsonFault(at);
  return at;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte < ZERO + 10;
