import { isSecret } from "./secret-names.ts";

/** A name and its separator. */
export interface Head {
  index: number;
  /** Index of the value. */
  start: number;
  /** Empty if the name isn't part of the head. */
  name: string;
  separator: string;
}

/** Every name of a secret contains one of these. */
const SIGN = /pass|pw|secret|token|cred|key|auth|psk|cookie|salt|contrase|kennwort|wachtwoord/gi;
/** Longer names are judged by their end. */
const LONGEST_NAME = 200;
const SLASHES = String.raw`\\{0,4}`;
const SEPARATOR = new RegExp(String.raw`${SLASHES}["']?\s{0,3}(?:=>|:=|=|:)\s{0,3}`, "y");
const AFTER_FLAG = /\s{1,3}(?!-)/y;
const FLAG = /--[\w-]+$/;
const NEXT_ITEM = new RegExp(String.raw`${SLASHES}["']\s{0,3},\s{0,3}(?=${SLASHES}["'](?!-))`, "y");
/** Assignment sign after a name, also in JSON within a text. */
export const ASSIGN = String.raw`${SLASHES}["']?\s{0,3}[:=]\s{0,3}`;
/** Blanks, a comma and a quotation mark between the members of a pair. */
export const NEXT = String.raw`(?:\s{0,3},\s{0,200}|\s{0,200})${SLASHES}["']?`;
const LABEL = new RegExp(String.raw`(?:name|key|variable|header)${ASSIGN}${SLASHES}["']?`, "gi");
const VALUE_NEXT = new RegExp(String.raw`${SLASHES}["']?${NEXT}\w{0,12}?values?(${ASSIGN})`, "iy");

/** Finds assignments to secrets: `name=`, `"name": `, `--name `, also in JSON within a text. */
export function* assignmentHeads(text: string): Generator<Head> {
  for (const { index, end, name } of secretNames(text)) {
    const separator = matchAt(SEPARATOR, text, end) ?? (FLAG.test(name) && matchAt(AFTER_FLAG, text, end));
    if (separator) yield { index, start: end + separator[0].length, name, separator: separator[0] };
  }
}

/** Finds secrets' flags in a list of arguments: `"--requirepass", "…"`. */
export function* argumentHeads(text: string): Generator<Head> {
  for (const { index, end, name } of secretNames(text)) {
    const isFlag = /^--?/.test(name) && /["']/.test(text[index - 1] ?? "");
    const separator = isFlag && matchAt(NEXT_ITEM, text, end);
    if (separator) yield { index, start: end + separator[0].length, name, separator: separator[0] };
  }
}

/** Finds labels that name a secret, with its value after or below them: `name: DB_PASSWORD`, `value: …`. */
export function* pairHeads(text: string): Generator<Head> {
  for (const { index, 0: label } of text.matchAll(LABEL)) {
    const { name, end } = nameBehind(text, index + label.length);
    const next = isSecret(name) && matchAt(VALUE_NEXT, text, end);
    const separator = next ? (next[1] ?? "") : "";
    if (next) yield { index, start: end + next[0].length, name, separator };
  }
}

/** Returns the matches of `pattern` as heads. Its groups are the name and the separator. */
export function* headsLike(pattern: RegExp, text: string): Generator<Head> {
  for (const { 0: whole, 1: name = "", 2: separator = "", index } of text.matchAll(pattern)) {
    yield { index, start: index + whole.length, name, separator };
  }
}

/** Returns the name that begins at `start`; empty if there is none. */
export function nameBehind(text: string, start: number): { name: string; end: number } {
  let end = start;
  while (isPartOfName(text, end)) end += 1;
  return { name: nameOf(text, start, end), end };
}

function* secretNames(text: string): Generator<{ index: number; end: number; name: string }> {
  let [from, found] = [0, signFrom(text, 0)];
  while (found !== -1) {
    let index = found;
    while (index > from && isPartOfName(text, index - 1)) index -= 1;
    const { end, name } = nameBehind(text, index);
    if (isSecret(name)) yield { index, end, name };
    from = end;
    found = signFrom(text, end);
  }
}

function signFrom(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(text)?.index ?? -1;
}

function nameOf(text: string, start: number, end: number): string {
  return text.slice(Math.max(start, end - LONGEST_NAME), end);
}

/** Character codes of a name's parts: letters, also of other European languages, digits, `_`, `.`, `$` and `-`. */
const PARTS = new Set(
  Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-ñéèêçäöüÑÉÈÊÇÄÖÜ", (c) =>
    c.charCodeAt(0),
  ),
);

function isPartOfName(text: string, at: number): boolean {
  return PARTS.has(text.charCodeAt(at));
}

/**
 * Matches a pattern at one index.
 * @param sticky a pattern that only matches at its `lastIndex`
 */
export function matchAt(sticky: RegExp, text: string, index: number): RegExpExecArray | null {
  sticky.lastIndex = index;
  return sticky.exec(text);
}
