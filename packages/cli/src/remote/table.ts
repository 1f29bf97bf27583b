import { isObject, type JsonObject } from "@leeway/shared/values/json";

import { plain } from "../api/refusal.ts";

/** Columns of a table: the path of each value in a row, by heading. */
export type Columns = Readonly<Record<string, string>>;

/** Formats rows as a table. */
export function tableOf(rows: readonly JsonObject[], columns: Columns): string {
  const heads = Object.keys(columns);
  const cells = rows.map((row) => heads.map((head) => shown(valueAt(row, columns[head] ?? ""))));
  const all = [heads, ...cells];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** Formats an object as lines of `name: value`, nested objects indented. */
export function described(value: JsonObject, indent = ""): string {
  return Object.entries(value)
    .map(([name, member]) => `${indent}${plain(name)}:${membersOf(member, indent)}\n`)
    .join("");
}

function membersOf(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (isObject(value) && Object.keys(value).length > 0) return `\n${described(value, inner).trimEnd()}`;
  if (!Array.isArray(value) || !value.some(isObject)) return ` ${shown(value)}`;
  const items = value.map((item) =>
    isObject(item) ? `${indent}- ${described(item, inner).trim()}` : `${indent}- ${shown(item)}`,
  );
  return `\n${items.join("\n")}`;
}

function valueAt(row: JsonObject, path: string): unknown {
  return path.split(".").reduce((at: unknown, step) => (isObject(at) ? at[step] : undefined), row);
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(shown).join(", ");
  return plain(typeof value === "string" ? value : JSON.stringify(value));
}
