/** Returns the members of a table in order, such as the labels of a select's values. Its type must list all of them. */
export function entriesOf<K extends string, V>(table: Readonly<Record<K, V>>): [name: K, value: V][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.entries` only lacks the type
  return Object.entries(table) as [K, V][];
}
