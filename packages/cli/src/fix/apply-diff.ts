const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const WITHOUT_END = "\\";

/** What a diff says of one place: from which line on, what stands there, and what is to. Lines have their ends. */
interface Hunk {
  start: number;
  before: string[];
  after: string[];
}

/**
 * A text with a unified diff of it applied, every line where and what the diff says it is.
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
  const lines = diff.split("\n");
  const hunks: Hunk[] = [];
  let at = lines.findIndex((line) => HUNK.test(line));
  while (at !== -1 && at < lines.length && lines[at] !== "") {
    const read = readHunk(lines, at);
    if (!read) return undefined;
    hunks.push(read.hunk);
    at = read.end;
  }
  return hunks.length > 0 ? hunks : undefined;
}

/** The hunk whose head is at a line, and the line behind it; undefined when it isn't whole. */
function readHunk(lines: readonly string[], head: number): { hunk: Hunk; end: number } | undefined {
  const [whole, start, removed = "1", added = "1"] = HUNK.exec(lines[head] ?? "") ?? [];
  if (whole === undefined) return undefined;
  const [before, after]: [string[], string[]] = [[], []];
  let at = head + 1;
  for (; before.length < Number(removed) || after.length < Number(added); at += 1) {
    const line = lines[at];
    if (line === undefined || !/^[ +-]/.test(line)) return undefined;
    const isLast = lines[at + 1]?.startsWith(WITHOUT_END) === true;
    const content = line.slice(1) + (isLast ? "" : "\n");
    if (!line.startsWith("+")) before.push(content);
    if (!line.startsWith("-")) after.push(content);
    if (isLast) at += 1;
  }
  // A hunk that only adds names the line that it comes behind.
  const first = Number(start) - (before.length === 0 ? 0 : 1);
  return { hunk: { start: first, before, after }, end: at };
}
