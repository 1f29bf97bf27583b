const FENCE = /^ {0,3}(`{3,})/;

/** Returns at most `limit` characters of Markdown: whole lines, with open blocks closed, and how many are missing. */
export function shortened(markdown: string, limit: number): string {
  if (markdown.length <= limit) return markdown;
  const lines = markdown.split("\n");
  let low = 0;
  for (let high = lines.length - 1; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    if (cut(lines, middle).length <= limit) low = middle;
    else high = middle - 1;
  }
  return cut(lines, low);
}

function cut(lines: readonly string[], count: number): string {
  const kept = lines.slice(0, count);
  const missing = lines.length - count;
  const note = `_${missing} more ${missing === 1 ? "line doesn't" : "lines don't"} fit in a comment._`;
  return [...kept, ...closing(kept), "", note].join("\n");
}

/** Returns the lines that close an open code block and open details. */
function closing(lines: readonly string[]): string[] {
  let fence: string | undefined;
  let details = 0;
  for (const line of lines) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) {
      fence = mark;
      details += detailsIn(line);
    } else if (mark !== undefined && mark.length >= fence.length && line.trim() === mark) {
      fence = undefined;
    }
  }
  const ends = Array.from({ length: Math.max(0, details) }, () => "\n</details>");
  return fence === undefined ? ends : [fence, ...ends];
}

/** Returns how many more details a line opens than it closes. */
function detailsIn(line: string): number {
  return line.split("<details").length - line.split("</details>").length;
}
