/** A part of a Markdown line: code without its backticks, or the text between code spans. */
export interface Piece {
  code: boolean;
  text: string;
}

/** Splits text as CommonMark does: a run of backticks opens code that the next run of the same length closes. */
export function splitCode(text: string): Piece[] {
  const runs = Array.from(text.matchAll(/`+/gu), ({ 0: { length }, index }) => ({ length, index }));
  const pieces: Piece[] = [];
  let from = 0;
  for (let next = 0; next < runs.length; next += 1) {
    const close = runs.findIndex(({ length }, index) => index > next && length === runs[next]?.length);
    const [open, end] = [runs[next], runs[close]];
    if (open === undefined || end === undefined) continue;
    if (open.index > from) pieces.push({ code: false, text: text.slice(from, open.index) });
    pieces.push({ code: true, text: text.slice(open.index + open.length, end.index) });
    from = end.index + end.length;
    next = close;
  }
  if (from < text.length) pieces.push({ code: false, text: text.slice(from) });
  return pieces;
}
