import type { Finding, Rule } from "./rules.ts";

/** How many findings of each rule a file had when the checker came; each number may only fall. */
export type Allowed = Record<string, Partial<Record<Rule, number>>>;

const RULES: readonly Rule[] = ["opening", "word", "length"];

/** Findings of files that have more than they may, and files that may have more than they have. */
export function judge(
  found: ReadonlyMap<string, readonly Finding[]>,
  allowed: Allowed,
): { over: [path: string, finding: Finding][]; under: string[] } {
  const over: [string, Finding][] = [];
  const under = new Set(Object.keys(allowed).filter((path) => !found.has(path)));
  for (const [path, findings] of found) {
    for (const rule of RULES) {
      const own = findings.filter((finding) => finding.rule === rule);
      const most = allowed[path]?.[rule] ?? 0;
      if (own.length > most) over.push(...own.map((finding): [string, Finding] => [path, finding]));
      if (own.length < most) under.add(path);
    }
  }
  return { over, under: [...under] };
}

/** The list without what is no longer needed; never a larger number. */
export function shrink(found: ReadonlyMap<string, readonly Finding[]>, allowed: Allowed): Allowed {
  const shrunk: Allowed = {};
  for (const path of Object.keys(allowed).toSorted()) {
    const findings = found.get(path) ?? [];
    const counts = RULES.map((rule) => {
      const own = findings.filter((finding) => finding.rule === rule).length;
      return [rule, Math.min(own, allowed[path]?.[rule] ?? 0)] as const;
    }).filter(([, count]) => count > 0);
    if (counts.length > 0) shrunk[path] = Object.fromEntries(counts);
  }
  return shrunk;
}
