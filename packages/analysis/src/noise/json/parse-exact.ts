import { isObject, type Json } from "@leeway/shared/json";

const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;
const NUMBERS = /-?\d[\d.eE+-]*/g;
/** What is nested deeper is not read. */
const MOST_DEPTH = 100;

/**
 * The object or list that a text is as JSON; undefined when it is none, or when reading it loses something: a number
 * that doesn't fit, or a name that is there twice.
 */
export function parseExact(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parseBounded(text);
  if (value === undefined) return undefined;
  const rest = text.replace(STRINGS, "");
  const isExact = (rest.match(NUMBERS) ?? []).every((number) => String(Number(number)) === number);
  return isExact && rest.split(":").length - 1 === countMembers(value) ? value : undefined;
}

/** What a text is as JSON; undefined when it is none, or nested so deep that nobody means it. */
export function parseBounded(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isDeeper(value, MOST_DEPTH) ? undefined : value;
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
