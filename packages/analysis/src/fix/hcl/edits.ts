import type { Block } from "./body.ts";
import { bodyOf } from "./body.ts";

/** Replaces the text from `start` to `end` with `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface Span {
  start: number;
  end: number;
}

/** Applies edits and returns the text and where they ended up. Skips edits that overlap an earlier one. */
export function applyEdits(text: string, edits: readonly Edit[]): { text: string; changed: Span[] } {
  const parts: string[] = [];
  const changed: Span[] = [];
  let [read, written] = [0, 0];
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < read) continue;
    const kept = text.slice(read, edit.start);
    parts.push(kept, edit.text);
    written += kept.length;
    changed.push({ start: written, end: written + edit.text.length });
    written += edit.text.length;
    read = edit.end;
  }
  parts.push(text.slice(read));
  return { text: parts.join(""), changed };
}

/**
 * Longer runs of blanks don't count as blank lines, because the text before a block is scanned again for each block.
 */
const MAX_BLANKS = 1_000;

export const lineEndOf = (text: string): string => (text[text.indexOf("\n") - 1] === "\r" ? "\r\n" : "\n");

/** Appends lines to a block; `apart` adds a blank line before them. The formatter indents them. */
export function appendLines(
  text: string,
  block: Block,
  lines: readonly string[],
  { apart = false } = {},
): Edit[] {
  const lineEnd = lineEndOf(text);
  const added = lines.map((line) => line + lineEnd).join("");
  const { attributes, blocks } = bodyOf(block.node);
  const blank = apart && attributes.length + blocks.length > 0 ? lineEnd : "";
  const { startIndex: close } = block.close;
  if (block.open.startPosition.row === block.close.startPosition.row)
    return [
      {
        start: block.open.endIndex,
        end: block.open.endIndex,
        text: blank || attributes.length ? lineEnd : "",
      },
      { start: close, end: close, text: lineEnd + blank + added },
    ];
  const at = text.lastIndexOf("\n", close - 1) + 1;
  // a comment may end just before the brace
  if (text.slice(at, close).trim() !== "")
    return [{ start: close, end: close, text: lineEnd + blank + added }];
  const isApart = /\n[ \t]*\r?\n$/.test(text.slice(Math.max(0, at - MAX_BLANKS), at));
  return [{ start: at, end: at, text: (isApart ? "" : blank) + added }];
}

/** Removes the lines of a span with their comments. If a line holds anything else, removes only the span. */
export function removeLines(text: string, { start, end }: Span): Edit {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const hasOwnLines = text.slice(lineStart, start).trim() === "" && endsLine(text, end);
  if (!hasOwnLines) return { start, end, text: "" };
  const lineEnd = text.indexOf("\n", end);
  return { start: lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1, text: "" };
}

/** Checks whether only a line comment follows an offset on its line. */
export function endsLine(text: string, offset: number): boolean {
  const lineEnd = text.indexOf("\n", offset);
  const rest = text.slice(offset, lineEnd === -1 ? text.length : lineEnd).trim();
  return rest === "" || rest.startsWith("#") || rest.startsWith("//");
}

/** Removes a span, with its line if nothing else is on it. Unlike {@link removeLines}, keeps comments. */
export function cutSpan(text: string, { start, end }: Span): Edit {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const rest = text.slice(end, lineEnd === -1 ? text.length : lineEnd);
  if (text.slice(lineStart, start).trim() !== "") return { start, end, text: "" };
  if (rest.trim() !== "") return { start, end: end + rest.length - rest.trimStart().length, text: "" };
  return { start: lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1, text: "" };
}
