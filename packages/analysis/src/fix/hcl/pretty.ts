import type { Json } from "@leeway/shared/values/json";

import { hclKey, hclOf } from "./literal.ts";

/**
 * Writes a value over several lines, as people do; the formatter indents it. Lists of strings under keys that
 * `isUnordered` accepts are sorted.
 */
export function prettyLines(
  value: Json,
  write: (text: string) => string,
  isUnordered: (key: string) => boolean,
): string[] {
  if (typeof value === "string") return [write(value)];
  if (typeof value !== "object" || value === null) return [hclOf(value)];
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object" || item === null))
      return [`[${value.map((item) => prettyLines(item, write, isUnordered).join("")).join(", ")}]`];
    return ["[", ...value.flatMap((item) => closed(prettyLines(item, write, isUnordered))), "]"];
  }
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const sorted = isUnordered(key) ? inOrder(item) : item;
    const [first = "", ...rest] = prettyLines(sorted, write, isUnordered);
    const name = hclKey(key) === key ? key : asKey(write(key));
    return [`${name} = ${first}`, ...rest];
  });
  return entries.length === 0 ? ["{}"] : ["{", ...entries, "}"];
}

/** Writes a key; an expression needs parentheses. */
const asKey = (written: string): string => (written.startsWith('"') ? written : `(${written})`);

const closed = (lines: readonly string[]): string[] => [...lines.slice(0, -1), `${lines.at(-1) ?? ""},`];

function inOrder(value: Json): Json {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value.toSorted() : value;
}
