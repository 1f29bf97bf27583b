import { isObject } from "@leeway/shared/values/json";
import type { TSchema } from "@sinclair/typebox";

/** A column of CSV: its title, and the steps to its value in a row. */
interface Column {
  title: string;
  path: readonly string[];
}

/** First characters that make spreadsheets calculate a cell. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;
/** Deeper members become JSON. */
const MAX_DEPTH = 3;

/**
 * Converts rows of a schema to CSV (RFC 4180). Members of nested objects have their own columns, such as
 * `disposition.status`; lists and maps are JSON.
 */
export function csvOf(row: TSchema): { header: string; line(row: unknown): string } {
  const columns = columnsOf(row, []);
  return {
    header: line(columns.map(({ title }) => title)),
    line: (value) => line(columns.map(({ path }) => cell(path.reduce(step, value)))),
  };
}

function line(cells: readonly string[]): string {
  return `${cells.map((text) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(",")}\r\n`;
}

/** Returns the text of a value. An apostrophe keeps spreadsheets from calculating texts that look like a formula. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return FORMULA.test(value) ? `'${value}` : value;
  return JSON.stringify(value);
}

function step(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function columnsOf(schema: TSchema, path: readonly string[]): Column[] {
  const members = path.length < MAX_DEPTH ? membersOf(schema) : [];
  if (members.length === 0) return [{ title: path.join("."), path }];
  return members.flatMap(([name, member]) => columnsOf(member, [...path, name]));
}

/** Returns the members of an object by name, of all forms that it can have. */
function membersOf(schema: TSchema): [name: string, schema: TSchema][] {
  const properties: Record<string, TSchema> = schema["properties"] ?? {};
  const forms: TSchema[] = [...(schema["anyOf"] ?? []), ...(schema["allOf"] ?? [])];
  return [...new Map([...Object.entries(properties), ...forms.flatMap(membersOf)])];
}
