/** Returns the names of a table's members, in order. The table's type must list all of them. */
export function keysOf<const K extends string>(table: Readonly<Record<K, unknown>>): K[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.keys` only lacks the type
  return Object.keys(table) as K[];
}
