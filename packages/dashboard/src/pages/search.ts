import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";

/** Returns a query value if it is one of the known words. */
export function oneOf<T extends string>(words: readonly T[], value: unknown): T | undefined {
  return words.find((word) => word === value);
}

/** Parses query strings as plain texts. A quoted value is unquoted, so that old URLs still work. */
export const parseSearch = parseSearchWith(unquoted);
const stringifyTexts = stringifySearchWith(JSON.stringify, unquoted);

/** Writes a query string, in which several values of a filter repeat its name. */
export function stringifySearch(search: Record<string, unknown>): string {
  const texts = Object.entries(search).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => stringifyTexts({ [name]: one }).slice(1)),
  );
  const given = texts.filter((text) => text !== "");
  return given.length === 0 ? "" : `?${given.join("&")}`;
}

/** One value of a filter, or several. `!` before a value leaves it out. */
export type Several<V extends string = string> = V | `!${V}` | (V | `!${V}`)[];

/** Returns the values of a filter, those of `words` only; undefined if there are none. */
export function severalOf<V extends string = string>(
  value: unknown,
  words?: readonly V[],
): Several<V> | undefined {
  const texts = (Array.isArray(value) ? value : [value]).map(textOf);
  const values = [...new Set(texts)].filter((text): text is V | `!${V}` => isOf(text, words));
  return values.length > 1 ? values : values[0];
}

function isOf(text: string | undefined, words: readonly string[] | undefined): boolean {
  const value = text === undefined ? "" : plain(text);
  return value !== "" && (words === undefined || words.includes(value));
}

/** Returns the values of a filter as a list. */
export function valuesOf(given: Several | undefined): string[] {
  if (given === undefined) return [];
  return typeof given === "string" ? [given] : given;
}

export function isNegated(value: string): boolean {
  return value.startsWith("!");
}

/** Returns a value without the sign that leaves it out. */
export function plain(value: string): string {
  return isNegated(value) ? value.slice(1) : value;
}

/**
 * Parses a quoted text.
 * @throws for unquoted values, because cloud ids exceed the precision of numbers
 */
function unquoted(text: string): string {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "string") throw new SyntaxError("no text");
  return value;
}

/** Returns a query value as text; the router parses some as numbers or booleans. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the members that aren't undefined. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members were only removed
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
