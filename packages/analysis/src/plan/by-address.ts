const { compare } = new Intl.Collator("en", { numeric: true });

/** How to sort addresses as people count: `web[2]` stands before `web[10]`. */
export function byAddress(one: string, other: string): number {
  const order = compare(one, other);
  if (order !== 0 || one === other) return order;
  return one < other ? -1 : 1;
}
