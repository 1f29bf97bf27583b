/** Lines of tables that are sorted by type. They are searched as text, because the tables have many thousand. */
export interface TypeLines {
  types(): string[];
  /** Returns the fields of a type's lines. */
  of(type: string): string[][];
}

/** @param tables texts by the prefix of their types */
export function typeLines(tables: Readonly<Record<string, string>>): TypeLines {
  return {
    types: () => Object.entries(tables).flatMap(([prefix, table]) => typesIn(table, prefix)),
    of(type) {
      const prefix = type.split("_", 1)[0] ?? "";
      const table = tables[prefix] ?? "";
      const lines: string[][] = [];
      for (let at = startOf(table, type, prefix); table.startsWith(`${type}\t`, at);) {
        const end = table.indexOf("\n", at);
        lines.push(table.slice(at, end).split("\t"));
        at = end + 1;
      }
      return lines;
    },
  };
}

function typesIn(table: string, prefix: string): string[] {
  const lines = table.matchAll(new RegExp(`^(${prefix}_\\w+)\t`, "gm"));
  return [...new Set(lines.map(([, type = ""]) => type))];
}

/** Returns where the type's first line starts, or the next type's if it has none. */
function startOf(table: string, type: string, prefix: string): number {
  let low = table.indexOf(`\n${prefix}_`) + 1;
  let high = table.length;
  while (low < high) {
    const start = table.lastIndexOf("\n", ((low + high) >> 1) - 1) + 1;
    if (table.slice(start, table.indexOf("\t", start)) < type) low = table.indexOf("\n", start) + 1;
    else high = start;
  }
  return low;
}
