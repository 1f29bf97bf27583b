/** Returns addresses so that each follows those that it refers to; otherwise the order stays. */
export function inOrder(
  addresses: readonly string[],
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const placed = new Set<string>();
  const known = new Set(addresses);
  const place = (address: string): void => {
    if (placed.has(address) || !known.has(address)) return;
    placed.add(address);
    for (const other of edges.get(address) ?? []) place(other);
    placed.delete(address);
    placed.add(address);
  };
  for (const address of addresses) place(address);
  return [...placed];
}
