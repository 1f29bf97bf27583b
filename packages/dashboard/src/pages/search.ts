/** What an address says behind its `?`, as far as it is one of the words that are known. */
export function oneOf<T extends string>(words: readonly T[], value: unknown): T | undefined {
  return words.find((word) => word === value);
}

/** A text of an address; numbers, which the router reads from it, are texts too. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The members that are there. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members were only taken away
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
