import { hclString } from "@leeway/shared/values/hcl-string";
import type { Json } from "@leeway/shared/values/json";
import type { Node } from "web-tree-sitter";

import { nodesOf } from "./body.ts";

/** Returns the value of a constant expression; undefined for all others. */
export function literalOf(expression: Node): Json | undefined {
  const node = innermost(expression);
  switch (node.type) {
    case "numeric_lit":
      return Number(node.text);
    case "bool_lit":
      return node.text === "true";
    case "null_lit":
      return null;
    case "string_lit":
      return unescaped(node.text.slice(1, -1));
    case "heredoc_template":
      return heredocText(node);
    case "tuple":
      return listOf(node);
    case "object":
      return objectOf(node);
    default:
      return /^-\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(node.text) ? Number(node.text) : undefined;
  }
}

/** Returns an expression without its wrapping nodes. */
export function innermost(node: Node): Node {
  let inner = node;
  while (inner.namedChildCount === 1 && WRAPPERS.has(inner.type)) {
    const only = nodesOf(inner).find(({ isNamed }) => isNamed);
    if (only === undefined) break;
    inner = only;
  }
  return inner;
}
const WRAPPERS = new Set(["expression", "literal_value", "collection_value", "template_expr"]);

export const itemsOf = (tuple: Node): Node[] => nodesOf(tuple).filter(({ type }) => type === "expression");

function listOf(tuple: Node): Json | undefined {
  const items = itemsOf(tuple).map(literalOf);
  return nodesOf(tuple).some(({ type }) => type === "for_tuple_expr") || items.includes(undefined)
    ? undefined
    : items.filter((item) => item !== undefined);
}

export interface Entry {
  key: string | undefined;
  node: Node;
  value: Node;
}

/** Returns the entries of an object; a computed key is undefined. */
export function entriesOf(object: Node): Entry[] {
  return nodesOf(object).flatMap((node) => {
    const key = node.childForFieldName("key");
    const value = node.childForFieldName("val");
    return node.type === "object_elem" && key && value ? [{ key: keyOf(key), node, value }] : [];
  });
}

function keyOf(key: Node): string | undefined {
  if (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text)) return key.text;
  const value = literalOf(key);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function objectOf(object: Node): Json | undefined {
  const entries = entriesOf(object).map(({ key, value }) => [key, literalOf(value)] as const);
  const isWhole = entries.every(([key, value]) => key !== undefined && value !== undefined);
  return isWhole &&
    entries.length === object.namedChildren.filter((part) => part?.type === "object_elem").length
    ? Object.fromEntries(entries)
    : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

function unescaped(text: string): string {
  const plain = text.replaceAll(
    /\\(?:u(?<short>[0-9a-fA-F]{4})|U(?<long>[0-9a-fA-F]{8})|(?<char>.))/g,
    (escape: string, short?: string, long?: string, char = "") => {
      const code = Number.parseInt(short ?? long ?? "", 16);
      return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : (ESCAPES[char] ?? escape);
    },
  );
  return unmarked(plain);
}
const MAX_CODE_POINT = 0x10_ff_ff;

/** Unescapes the opening of an interpolation, which templates escape by doubling its sign. */
const unmarked = (text: string): string => text.replaceAll(/([$%])\1\{/g, "$1{");

function heredocText(node: Node): string | undefined {
  if (nodesOf(node).some(({ type }) => type.startsWith("template_") && type !== "template_literal"))
    return undefined;
  const [head = "", ...lines] = node.text.split(/\r?\n/);
  lines.pop();
  const indents = lines
    .filter((line) => line.trim() !== "")
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const indent = head.startsWith("<<-") ? Math.min(...indents, Infinity) : 0;
  const start = Number.isFinite(indent) ? indent : 0;
  return unmarked(lines.map((line) => `${line.slice(start)}\n`).join(""));
}

/** Writes a value as HCL on one line. */
export function hclOf(value: Json): string {
  if (typeof value === "string") return hclString(value);
  if (typeof value === "number") return hclNumber(value);
  if (Array.isArray(value)) return `[${value.map(hclOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${hclKey(key)} = ${hclOf(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Writes a number without an exponent, which the grammar doesn't support. */
function hclNumber(value: number): string {
  const text = String(value);
  return text.includes("e") ? `tonumber("${text}")` : text;
}

/** Quotes keys that are reserved words, because a `for` could start there. */
export const hclKey = (key: string): string =>
  /^[A-Za-z_][\w-]*$/.test(key) && !["for", "null", "true", "false"].includes(key) ? key : hclString(key);
