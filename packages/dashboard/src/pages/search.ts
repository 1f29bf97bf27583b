import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";

/** Returns a query value if it is one of the known words. */
export function oneOf<T extends string>(words: readonly T[], value: unknown): T | undefined {
  return words.find((word) => word === value);
}

/** Parses query strings as plain texts. A quoted value is unquoted, so that old URLs still work. */
export const parseSearch = parseSearchWith(unquoted);
export const stringifySearch = stringifySearchWith(JSON.stringify, unquoted);

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
