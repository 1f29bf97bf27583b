import type { Block } from "./body.ts";
import { bodyOf } from "./body.ts";

/** Puts `text` in place of what is from `start` to `end`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface Span {
  start: number;
  end: number;
}

/** The text with all edits made, and where they are in it. Edits that overlap an earlier one are left out. */
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

export const lineEndOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n");

/** Adds lines to the end of a block; `apart` puts a blank line before them. Their indentation is format's work. */
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
  // the end of a comment may stand before the brace
  if (text.slice(at, close).trim() !== "")
    return [{ start: close, end: close, text: lineEnd + blank + added }];
  const isApart = /\n[ \t]*\r?\n$/.test(text.slice(0, at));
  return [{ start: at, end: at, text: (isApart ? "" : blank) + added }];
}

/** Takes out all lines that something is on, their comments included; of lines that hold more, it alone. */
export function removeLines(text: string, { start, end }: Span): Edit {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const hasOwnLines = text.slice(lineStart, start).trim() === "" && endsLine(text, end);
  if (!hasOwnLines) return { start, end, text: "" };
  const lineEnd = text.indexOf("\n", end);
  return { start: lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1, text: "" };
}

/** Whether nothing but a comment that ends with the line stands behind an offset. */
export function endsLine(text: string, offset: number): boolean {
  const lineEnd = text.indexOf("\n", offset);
  const rest = text.slice(offset, lineEnd === -1 ? text.length : lineEnd).trim();
  return rest === "" || rest.startsWith("#") || rest.startsWith("//");
}
