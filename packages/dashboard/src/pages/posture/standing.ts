import type { PostureRow } from "../../api/openapi.gen.ts";

/**
 * What can be said of an account's coverage: nothing before its first scan, nothing while the first computation
 * is under way, nothing when the last one failed (its 100 % is that of an empty snapshot), a figure that too much
 * could not be compared for, or a figure to rely on.
 */
export type Standing =
  | { kind: "never" }
  | { kind: "pending" }
  | { kind: "failed" }
  | { kind: "unsure" | "sure"; percent: number; isUpdating: boolean };

export function standingOf(row: PostureRow): Standing {
  if (row.drift_status === "error") return { kind: "failed" };
  const { coverage_pct: percent } = row;
  if (percent !== undefined) {
    const kind = row.coverage_reliable === true ? "sure" : "unsure";
    return { kind, percent, isUpdating: row.drift_status === "pending" };
  }
  return { kind: row.drift_status === "pending" || row.last_scan_at !== undefined ? "pending" : "never" };
}

const KINDS: readonly Standing["kind"][] = ["failed", "unsure", "sure", "pending", "never"];
const LEVELS: readonly NonNullable<PostureRow["risk_level"]>[] = [
  "critical",
  "high",
  "medium",
  "low",
  "none",
];

/** Accounts, worst first: those of which nothing is known though it should be, then by risk, then by coverage. */
export function worstFirst(rows: readonly PostureRow[]): PostureRow[] {
  return rows.toSorted((a, b) => compareLists(badnessOf(a), badnessOf(b)));
}

function badnessOf(row: PostureRow): number[] {
  const standing = standingOf(row);
  const known = "percent" in standing;
  const rank = known ? KINDS.indexOf("sure") : KINDS.indexOf(standing.kind);
  const level = known ? LEVELS.indexOf(row.risk_level ?? "none") : 0;
  return [rank, level, known ? standing.percent : 0, -row.undeclared_count];
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** All accounts together, of those whose figures can be counted. */
export interface Totals {
  accounts: number;
  /** Those of which anything is known. */
  scanned: number;
  /** Absent when no account has a figure. */
  coverage: number | undefined;
  isReliable: boolean;
  live: number;
  /** Left out of the live ones. */
  excluded: number;
  undeclared: number;
  missing: number;
  changed: number;
  severe: number;
}

export function totalsOf(rows: readonly PostureRow[]): Totals {
  const standings = rows.map((row) => ({ row, standing: standingOf(row) }));
  const counted = standings.filter(({ standing }) => "percent" in standing).map(({ row }) => row);
  const live = sum(counted, ({ live_count: count }) => count);
  const matched = sum(counted, ({ matched_count: count }) => count);
  return {
    accounts: rows.length,
    scanned: standings.filter(({ standing: { kind } }) => kind !== "never").length,
    coverage: live === 0 ? undefined : (100 * matched) / live,
    isReliable: standings.every(({ standing: { kind } }) => kind === "sure"),
    live: sum(rows, ({ live_count: count }) => count),
    excluded: sum(rows, ({ excluded_count: count }) => count),
    undeclared: sum(rows, ({ undeclared_count: count }) => count),
    missing: sum(rows, ({ missing_count: count }) => count),
    changed: sum(rows, ({ changed_count: count = 0 }) => count),
    severe: sum(rows, ({ risk_counts: counts }) => (counts?.critical ?? 0) + (counts?.high ?? 0)),
  };
}

function sum(rows: readonly PostureRow[], of: (row: PostureRow) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
