import { RE2JS } from "@bufbuild/re2";

/** Largest length and weight of a regular expression. A match takes time in proportion to weight and text. */
const MAX_PATTERN = 200;
const MAX_WEIGHT = 1_000;
const MAX_KEPT = 1_000;

/** A pattern that ignores case, and a range that ends far up, of which RE2 then folds each character. */
const IGNORES_CASE = /\(\?[a-z]*i/i;
const FAR_RANGE = /-(?:[^\0-\u024F]|\\[x0-7])/;

const compiled = new Map<string, RE2JS>();

/** Returns whether the text contains a match of a pattern in RE2's syntax, in time linear in the text. */
export function findsPattern(text: string, pattern: string): boolean {
  let expression = compiled.get(pattern);
  if (!expression) {
    expression = new RE2JS(pattern);
    if (compiled.size >= MAX_KEPT) compiled.clear();
    compiled.set(pattern, expression);
  }
  return expression.test(text);
}

/** Returns why a pattern is refused, to complete "when …"; undefined if it is fine. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return `has a pattern of more than ${MAX_PATTERN} characters`;
  if (patternWeight(pattern) > MAX_WEIGHT) return "has a pattern that repeats too much";
  if (IGNORES_CASE.test(pattern) && FAR_RANGE.test(pattern))
    return "has a pattern that ignores the case of a large range";
  try {
    findsPattern("", pattern);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message}` : "";
    return `has a pattern that isn't valid in RE2${why}`;
  }
}

const ESCAPED = /\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)/y;
const CLASS = /\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/y;
const REPEAT = /\{(\d+)(?:,(\d*))?\}/y;

/** Returns an upper bound on the number of steps of a pattern: its atoms, times their repetitions. */
export function patternWeight(pattern: string): number {
  const open: number[] = [];
  let sum = 0;
  let last = 0;
  for (let at = 0; at < pattern.length;) {
    const [found = "", least = "", most = ""] = tokenAt(pattern, at);
    at += found.length;
    if (found === "(") {
      open.push(sum);
      sum = 0;
    } else if (found === ")") {
      last = sum + 1;
      sum = (open.pop() ?? 0) + last;
    } else if (least === "") {
      last = 1;
      sum += last;
    } else {
      const times = Math.max(1, Number(least), Number(most));
      sum += last * (times - 1);
      last *= times;
    }
  }
  return open.reduce((whole, part) => whole + part, sum);
}

/** Returns the token at a position: a class, an escape, a repetition with its bounds, or a character. */
function tokenAt(pattern: string, at: number): readonly string[] {
  for (const form of [ESCAPED, CLASS, REPEAT]) {
    form.lastIndex = at;
    const match = form.exec(pattern);
    if (match) return match;
  }
  return [pattern.charAt(at)];
}
