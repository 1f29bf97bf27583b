import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";

/** What an address says behind its `?`, as far as it is one of the words that are known. */
export function oneOf<T extends string>(words: readonly T[], value: unknown): T | undefined {
  return words.find((word) => word === value);
}

/**
 * What addresses have behind their `?`: texts, as they are. One in quotes is what they hold, so that addresses of old go on
 * leading where they did.
 */
export const parseSearch = parseSearchWith(unquoted);
export const stringifySearch = stringifySearchWith(JSON.stringify, unquoted);

/** @throws for what isn't in quotes: ids of clouds are longer than numbers are exact. */
function unquoted(text: string): string {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "string") throw new SyntaxError("no text");
  return value;
}

/** A text of an address; numbers and truths, which the router reads from it, are texts too. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The members that are there. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members were only taken away
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
