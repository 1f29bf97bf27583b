/** Lines of tables that are sorted by type. Only lines in use are parsed, because the tables have many thousand. */
export interface TypeLines {
  types(): string[];
  /** Returns the fields of a type's lines. */
  of(type: string): string[][];
}

/** @param tables texts by the prefix of their types */
export function typeLines(tables: Readonly<Record<string, string>>): TypeLines {
  const known = new Map<string, ReadonlyMap<string, number>>();
  const startsOf = (prefix: string): ReadonlyMap<string, number> => {
    const starts = known.get(prefix) ?? startsIn(tables[prefix] ?? "", prefix);
    known.set(prefix, starts);
    return starts;
  };
  return {
    types: () => Object.keys(tables).flatMap((prefix) => [...startsOf(prefix).keys()]),
    of(type) {
      const prefix = type.split("_", 1)[0] ?? "";
      const table = tables[prefix] ?? "";
      const lines: string[][] = [];
      for (let at = startsOf(prefix).get(type) ?? table.length; table.startsWith(`${type}\t`, at);) {
        const end = table.indexOf("\n", at);
        lines.push(table.slice(at, end).split("\t"));
        at = end + 1;
      }
      return lines;
    },
  };
}

/** Returns where the lines of each type start. */
function startsIn(table: string, prefix: string): ReadonlyMap<string, number> {
  const lines = table.matchAll(new RegExp(`^(${prefix}_\\w+)\t`, "gm"));
  const types = [...lines].map(({ 1: type = "", index }): [string, number] => [type, index]);
  return new Map(types.toReversed());
}
