import type { Node } from "web-tree-sitter";

export interface Token {
  type: string;
  text: string;
  start: number;
  end: number;
  /** Whether the gap before this token is template text, which must not change. */
  isGlued: boolean;
}

/** Node types in which the space between two tokens is part of the value. */
const TEMPLATES = new Set([
  "string_lit",
  "quoted_template",
  "heredoc_template",
  "template_if",
  "template_for",
  "template_directive",
]);

/** Returns the tokens of a node, in order. */
export function tokensOf(node: Node, text: string): Token[] {
  const tokens: Token[] = [];
  const cursor = node.walk();
  const parents: string[] = [];
  let isGlued = false;
  do {
    let { nodeType: type } = cursor;
    while (cursor.gotoFirstChild()) {
      parents.push(type);
      ({ nodeType: type } = cursor);
    }
    const { startIndex: start, endIndex: end } = cursor;
    if (end > start) tokens.push({ type, text: text.slice(start, end), start, end, isGlued });
    while (!cursor.gotoNextSibling() && cursor.gotoParent()) parents.pop();
    isGlued = TEMPLATES.has(parents.at(-1) ?? "");
  } while (parents.length > 0);
  cursor.delete();
  return tokens;
}
