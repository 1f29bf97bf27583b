import type { Json } from "@leeway/shared/values/json";
import { hclString } from "@leeway/shared/values/hcl-string";
import type { Node } from "web-tree-sitter";

import { innermost, literalOf } from "./hcl/literal.ts";

/** A JSON document that a configuration holds as text, with interpolations in its strings. */
export interface JsonDocument {
  json: Json;
  /** Writes one of its strings as an expression. */
  write: (text: string) => string;
}

const MARK = "\uE000";
/** Policies aren't nested deeper. */
const MAX_DEPTH = 30;

/** Returns undefined for other expressions, and for text that is valid JSON only after interpolation. */
export function documentOf(value: Node): JsonDocument | undefined {
  const interpolations: string[] = [];
  const text = textOf(value, interpolations);
  if (text === undefined || !/^\s*[{[]/.test(text)) return undefined;
  const json = parse(text);
  return json === undefined || isBeyond(json, MAX_DEPTH)
    ? undefined
    : { json, write: (string) => expressionOf(string, interpolations) };
}

function textOf(value: Node, interpolations: string[]): string | undefined {
  const literal = literalOf(value);
  if (literal !== undefined) return typeof literal === "string" ? literal : undefined;
  const node = innermost(value);
  const isPlain =
    node.type === "heredoc_template" && node.descendantsOfType("template_directive").length === 0;
  if (!isPlain || node.text.includes(MARK) || interpolationsOf(node).some(mayWriteJson)) return undefined;
  return withMarks(node, interpolations);
}

const interpolationsOf = ({ namedChildren }: Node): Node[] =>
  namedChildren.filter((part) => part?.type === "template_interpolation").filter((part) => part !== null);

/** Checks whether an interpolation could produce more than the text of a string, as `join("\", \"", var.arns)` does. */
const mayWriteJson = ({ text }: Node): boolean => /\\|\bjsonencode\b/.test(text);

/** Returns the text of a heredoc with each interpolation replaced by its number. */
function withMarks(heredoc: Node, interpolations: string[]): string {
  const { text, startIndex } = heredoc;
  let marked = "";
  let read = text.indexOf("\n") + 1;
  for (const part of interpolationsOf(heredoc)) {
    const start = part.startIndex - startIndex;
    marked += `${text.slice(read, start)}${MARK}${interpolations.length}${MARK}`;
    interpolations.push(part.text);
    read = part.endIndex - startIndex;
  }
  const rest = text.slice(read, text.lastIndexOf("\n"));
  return (marked + rest).replaceAll(/([$%])\1\{/g, "$1{");
}

function expressionOf(text: string, interpolations: readonly string[]): string {
  const parts = text
    .split(MARK)
    .map((part, index) => (index % 2 === 1 ? interpolations[Number(part)] : part));
  const [before, only = "", after] = parts;
  if (parts.length === 3 && before === "" && after === "")
    return asText(only.replace(/^\$\{~?\s*|\s*~?\}$/g, ""));
  const pieces = parts.map((part = "", index) => (index % 2 === 1 ? part : hclString(part).slice(1, -1)));
  return `"${pieces.join("")}"`;
}

/** Converts an expression to a string, because it was quoted in the document. ARNs are strings already. */
const asText = (expression: string): string =>
  /^[\w.[\]-]*arn$/.test(expression) ? expression : `tostring(${expression})`;

function parse(text: string): Json | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse returns JSON
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Checks whether a document is deeper than `depth`, or has numbers that can't be written back exactly. */
function isBeyond(value: Json, depth: number): boolean {
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((item: Json) => isBeyond(item, depth - 1));
}
