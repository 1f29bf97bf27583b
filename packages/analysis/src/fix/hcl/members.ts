import type { Node } from "web-tree-sitter";

import { nodesOf } from "./body.ts";
import { endsLine, lineEndOf, removeLines, type Edit, type Span } from "./edits.ts";
import { entriesOf, itemsOf } from "./literal.ts";

/** Adds items to the end of a list, in its layout. */
export function addItems(text: string, tuple: Node, added: readonly string[]): Edit[] {
  return addMembers(text, tuple, { last: itemsOf(tuple).at(-1), added, needsComma: true });
}

/** Adds entries to the end of an object, in its layout. */
export function addEntries(text: string, object: Node, added: readonly string[]): Edit[] {
  const last = entriesOf(object).at(-1)?.node;
  const written = last ? added : added.map((entry, index) => spaced(entry, index, added.length));
  return addMembers(text, object, { last, added: written, needsComma: false });
}

const spaced = (entry: string, index: number, count: number): string =>
  (index === 0 ? " " : "") + entry + (index === count - 1 ? " " : "");

interface Added {
  last: Node | undefined;
  added: readonly string[];
  needsComma: boolean;
}

function addMembers(text: string, owner: Node, { last, added, needsComma }: Added): Edit[] {
  const inline = added.join(", ");
  if (last === undefined) return [insertion(nodesOf(owner).at(-1)?.startIndex ?? owner.endIndex, inline)];
  const { endIndex: afterLast } = last;
  const comma = nodesOf(owner).find(({ type, startIndex }) => type === "," && startIndex >= afterLast);
  const end = comma?.endIndex ?? afterLast;
  const isInline = owner.endPosition.row === last.endPosition.row || !endsLine(text, end);
  if (isInline) return [insertion(afterLast, `, ${inline}`)];
  const nextLine = text.indexOf("\n", end) + 1;
  const separates = (index: number): boolean =>
    comma !== undefined || (needsComma && index < added.length - 1);
  const lines = added.map((name, index) => name + (separates(index) ? "," : ""));
  const inserted = insertion(nextLine, lines.map((line) => line + lineEndOf(text)).join(""));
  return comma || !needsComma ? [inserted] : [insertion(afterLast, ","), inserted];
}

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });

/**
 * Removes each entry of an object or item of a list with its comma. If it is the only thing on its lines, `cut` removes
 * them.
 */
export function removeMembers(
  text: string,
  owner: Node,
  removed: readonly Node[],
  cut: (text: string, span: Span) => Edit = removeLines,
): Edit[] {
  const parts = nodesOf(owner);
  const places = new Map(parts.map(({ id }, place) => [id, place]));
  const gone = new Set(removed.map(({ id }) => id));
  return removed.map((node) => removeMember({ text, parts, gone, cut }, node, places.get(node.id) ?? -1));
}

interface Members {
  text: string;
  cut: (text: string, span: Span) => Edit;
  /** Every node of the owner, including its brackets. */
  parts: readonly Node[];
  gone: ReadonlySet<number>;
}

function removeMember({ text, parts, gone, cut }: Members, node: Node, at: number): Edit {
  const comma = commaAt(parts, at + 1);
  const { endIndex: end } = comma ?? node;
  if (hasOwnLines(parts, at)) return cut(text, { start: node.startIndex, end });
  const isPreviousKept = !gone.has(parts[at - 2]?.id ?? -1);
  const first = (comma === undefined && isPreviousKept && commaAt(parts, at - 1)) || node;
  return { start: first.startIndex, end, text: "" };
}

function commaAt(parts: readonly Node[], at: number): Node | undefined {
  return parts[at]?.type === "," ? parts[at] : undefined;
}

/** Checks whether a node's lines contain only it, its comma and comments. */
function hasOwnLines(parts: readonly Node[], at: number): boolean {
  const [node, previous, next] = [parts[at], neighbour(parts, at, -1), neighbour(parts, at, 1)];
  if (!node) return false;
  return (
    (previous === undefined || previous.endPosition.row < node.startPosition.row) &&
    (next === undefined || next.startPosition.row > node.endPosition.row)
  );
}

/** Returns the nearest node before or after one, skipping commas and comments. */
function neighbour(parts: readonly Node[], at: number, step: -1 | 1): Node | undefined {
  let place = at + step;
  while (parts[place]?.type === "," || parts[place]?.type === "comment") place += step;
  return parts[place];
}
