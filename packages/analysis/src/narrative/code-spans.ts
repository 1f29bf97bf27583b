/** A part of a line of Markdown: code without its backticks, or what is between codes. */
export interface Piece {
  code: boolean;
  text: string;
}

/** Text divided as CommonMark does: a run of backticks opens code that the next run of the same length closes. */
export function splitCode(text: string): Piece[] {
  const runs = Array.from(text.matchAll(/`+/gu), ({ 0: { length }, index }) => ({ length, index }));
  const unclosed = new Set<number>();
  const pieces: Piece[] = [];
  let from = 0;
  let next = 0;
  while (next < runs.length) {
    const open = runs[next];
    const close = open === undefined || unclosed.has(open.length) ? undefined : closing(runs, next);
    if (open !== undefined && close === undefined) unclosed.add(open.length);
    if (open === undefined || close === undefined) {
      next += 1;
      continue;
    }
    const end = runs[close]?.index ?? text.length;
    if (open.index > from) pieces.push({ code: false, text: text.slice(from, open.index) });
    pieces.push({ code: true, text: text.slice(open.index + open.length, end) });
    from = end + open.length;
    next = close + 1;
  }
  if (from < text.length) pieces.push({ code: false, text: text.slice(from) });
  return pieces;
}

function closing(runs: readonly { length: number }[], open: number): number | undefined {
  for (let index = open + 1; index < runs.length; index += 1)
    if (runs[index]?.length === runs[open]?.length) return index;
  return undefined;
}
