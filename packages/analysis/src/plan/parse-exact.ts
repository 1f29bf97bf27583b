import { isObject, type Json } from "@leeway/shared/values/json";

const NUMBERS = /-?\d[\d.eE+-]*/g;
/** Deeper documents aren't parsed. */
const MAX_DEPTH = 100;

/**
 * Parses a JSON object or list. Undefined if the text isn't one, or if parsing loses information: an inexact number
 * or a duplicate name.
 */
export function parseExact(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parseBounded(text);
  if (value === undefined) return undefined;
  const rest = withoutStrings(text);
  const isExact = (rest.match(NUMBERS) ?? []).every((number) => String(Number(number)) === number);
  return isExact && rest.split(":").length - 1 === countMembers(value) ? value : undefined;
}

/** Returns JSON text without its strings. A regular expression takes ten times as long on long text. */
function withoutStrings(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (let start = text.indexOf('"'); start !== -1; start = text.indexOf('"', end)) {
    parts.push(text.slice(end, start));
    end = endOfString(text, start + 1);
  }
  return parts.join("") + text.slice(end);
}

function endOfString(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Parses JSON; undefined if it is invalid or nested too deep. */
export function parseBounded(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isDeeper(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

function innerValues(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function isDeeper(value: Json, depth: number): boolean {
  return innerValues(value).some((inner) => depth === 0 || isDeeper(inner, depth - 1));
}

function countMembers(value: Json): number {
  const inner = innerValues(value);
  const own = isObject(value) ? inner.length : 0;
  return inner.reduce<number>((count, item) => count + countMembers(item), own);
}
