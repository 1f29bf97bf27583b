const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const WITHOUT_END = "\\";

/** One hunk of a diff: its first line, and its text before and after. Lines include their ends. */
interface Hunk {
  start: number;
  before: string[];
  after: string[];
}

/**
 * Applies a unified diff to a text. Every line must match the diff at its position.
 * @returns undefined when it isn't a diff of this text
 */
export function applyDiff(text: string, diff: string): string | undefined {
  const hunks = hunksOf(diff);
  if (!hunks) return undefined;
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  for (const { start, before, after } of hunks) {
    if (start < at || before.some((line, index) => lines[start + index] !== line)) return undefined;
    result.push(...lines.slice(at, start), ...after);
    at = start + before.length;
  }
  return [...result, ...lines.slice(at)].join("");
}

function hunksOf(diff: string): Hunk[] | undefined {
  const lines = linesOf(diff);
  const heads = lines.flatMap((line, at) => (HUNK.test(line) ? [at] : []));
  const hunks = heads.map((head, at) => readHunk(lines[head] ?? "", lines.slice(head + 1, heads[at + 1])));
  const whole = hunks.filter((hunk) => hunk !== undefined);
  return whole.length > 0 && whole.length === hunks.length ? whole : undefined;
}

/** Returns the lines of a diff with the line ends that they stand for. */
function linesOf(diff: string): string[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  return lines.flatMap((line, at) => {
    if (line.startsWith(WITHOUT_END)) return [];
    return [lines[at + 1]?.startsWith(WITHOUT_END) ? line : `${line}\n`];
  });
}

/** Parses a hunk; undefined if it is incomplete. */
function readHunk(head: string, lines: readonly string[]): Hunk | undefined {
  const [, start, removed = "1", added = "1"] = HUNK.exec(head) ?? [];
  const without = (sign: string): string[] =>
    lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
  const [before, after] = [without("+"), without("-")];
  const isWhole = before.length === Number(removed) && after.length === Number(added);
  if (!isWhole || !lines.every((line) => /^[ +-]/.test(line))) return undefined;
  // A hunk that only adds lines names the line that it follows.
  return { start: Number(start) - (before.length === 0 ? 0 : 1), before, after };
}
