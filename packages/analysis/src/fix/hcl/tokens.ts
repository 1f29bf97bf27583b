import type { Node, TreeCursor } from "web-tree-sitter";

export interface Token {
  type: string;
  text: string;
  start: number;
  end: number;
  /** Whether what is between the token before and this one is text of a template, which nobody may change. */
  isGlued: boolean;
}

/** Within these, the space between two tokens is part of the value. */
const TEMPLATES = new Set([
  "string_lit",
  "quoted_template",
  "heredoc_template",
  "template_if",
  "template_for",
  "template_directive",
]);

/** The tokens of a part of a file, in order. */
export function tokensOf(node: Node, text: string): Token[] {
  const tokens: Token[] = [];
  const cursor = node.walk();
  let isGlued = false;
  do {
    while (cursor.gotoFirstChild());
    const { startIndex: start, endIndex: end, nodeType: type } = cursor;
    if (end > start) tokens.push({ type, text: text.slice(start, end), start, end, isGlued });
    isGlued = false;
  } while (goToNext());
  cursor.delete();
  return tokens;

  function goToNext(): boolean {
    while (!cursor.gotoNextSibling()) if (!cursor.gotoParent() || isAtRoot(cursor, node)) return false;
    isGlued = TEMPLATES.has(parentType(cursor));
    return true;
  }
}

const isAtRoot = (cursor: TreeCursor, { id }: Node): boolean => cursor.nodeId === id;

function parentType(cursor: TreeCursor): string {
  return cursor.currentNode.parent?.type ?? "";
}
