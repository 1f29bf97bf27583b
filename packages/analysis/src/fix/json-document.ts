import type { Json } from "@leeway/shared/json";
import { hclString } from "@leeway/shared/hcl-string";
import type { Node } from "web-tree-sitter";

import { innermost, literalOf } from "./hcl/literal.ts";

/** A JSON document that a configuration holds as text, with interpolations in its strings. */
export interface JsonDocument {
  json: Json;
  /** One of its strings as an expression. */
  write: (text: string) => string;
}

const MARK = "\uE000";
/** Deeper documents are no policies. */
const MOST_DEPTH = 30;

/** Undefined where an expression is something else, or JSON only once it is filled in. */
export function documentOf(value: Node): JsonDocument | undefined {
  const interpolations: string[] = [];
  const text = textOf(value, interpolations);
  if (text === undefined || !/^\s*[{[]/.test(text)) return undefined;
  const json = parse(text);
  return json === undefined || isBeyond(json, MOST_DEPTH)
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

/** Whether an interpolation may fill in more than the text of a string: `join("\", \"", var.arns)` does. */
const mayWriteJson = ({ text }: Node): boolean => /\\|\bjsonencode\b/.test(text);

/** The text of a heredoc with the number of an interpolation in place of each. */
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

/** A number stays the text that it was between quotes; what is called an ARN is text anyway. */
const asText = (expression: string): string =>
  /^[\w.[\]-]*arn$/.test(expression) ? expression : `tostring(${expression})`;

function parse(text: string): Json | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives JSON
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Whether a document is deeper than `depth`, or has numbers that couldn't be written as they were. */
function isBeyond(value: Json, depth: number): boolean {
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((item: Json) => isBeyond(item, depth - 1));
}
