const { compare } = new Intl.Collator("en", { numeric: true });

/** Compares addresses in natural order: `web[2]` before `web[10]`. */
export function byAddress(one: string, other: string): number {
  const order = compare(one, other);
  if (order !== 0 || one === other) return order;
  return one < other ? -1 : 1;
}
