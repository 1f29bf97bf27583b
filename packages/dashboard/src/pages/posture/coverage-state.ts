import { RISK_LEVELS } from "../../api/closed-sets.gen.ts";
import type { PostureRow } from "../../api/openapi.gen.ts";

/**
 * State of an account's coverage.
 * - `never`: not scanned yet
 * - `unscanned`: all scans so far failed
 * - `pending`: the first computation is running
 * - `failed`: the last computation failed (its 100 % is that of an empty snapshot)
 * - `unsure`: too many resources couldn't be compared
 * - `sure`: a reliable figure
 */
export type CoverageState =
  | { kind: "never" }
  | { kind: "unscanned" }
  | { kind: "pending" }
  | { kind: "failed" }
  | { kind: "unsure" | "sure"; percent: number; isUpdating: boolean };

export function coverageStateOf(row: PostureRow): CoverageState {
  if (row.drift_status === "error") return { kind: "failed" };
  const { coverage_pct: percent } = row;
  if (percent !== undefined) {
    const kind = row.coverage_reliable === true ? "sure" : "unsure";
    return { kind, percent, isUpdating: row.drift_status === "pending" };
  }
  if (row.drift_status === "pending" || row.last_scan_at !== undefined) return { kind: "pending" };
  return { kind: row.latest_scan?.status === "failed" ? "unscanned" : "never" };
}

const KINDS: readonly CoverageState["kind"][] = ["unscanned", "failed", "unsure", "sure", "pending", "never"];

/**
 * Sorts accounts, worst first: accounts whose data is unexpectedly missing, then by the worst of drift and undeclared
 * resources, then by coverage.
 */
export function worstFirst(rows: readonly PostureRow[]): PostureRow[] {
  return rows.toSorted((a, b) => compareLists(badnessOf(a), badnessOf(b)));
}

function badnessOf(row: PostureRow): number[] {
  const state = coverageStateOf(row);
  const known = "percent" in state;
  const rank = known ? KINDS.indexOf("sure") : KINDS.indexOf(state.kind);
  const levels = [row.risk_level, row.undeclared_risk_level].map((level = "none") =>
    RISK_LEVELS.indexOf(level),
  );
  const level = known ? Math.min(...levels) : 0;
  return [rank, level, known ? state.percent : 0, -row.undeclared_count];
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

export const UNOBSERVED =
  "Declared, but no listing shows whether it exists: its account isn’t connected, or its type or region isn’t listed";

/** Totals of all accounts with usable figures. */
export interface Totals {
  accounts: number;
  /** Number of accounts with any data. */
  scanned: number;
  /** Coverage; absent if no account has a figure. */
  coverage: number | undefined;
  isReliable: boolean;
  live: number;
  /** Number of live resources excluded from the counts. */
  excluded: number;
  undeclared: number;
  missing: number;
  /** Number of declarations that are neither live nor missing. */
  unobserved: number;
  changed: number;
  /** Number of critical or high changes of declared resources. */
  severe: number;
  severeUndeclared: number;
}

export function totalsOf(rows: readonly PostureRow[]): Totals {
  const states = rows.map((row) => ({ row, state: coverageStateOf(row) }));
  const counted = states.filter(({ state }) => "percent" in state).map(({ row }) => row);
  const live = sum(counted, ({ live_count: count }) => count);
  const matched = sum(counted, ({ matched_count: count }) => count);
  return {
    accounts: rows.length,
    scanned: states.filter(({ state: { kind } }) => kind !== "never" && kind !== "unscanned").length,
    coverage: live === 0 ? undefined : (100 * matched) / live,
    isReliable: states.every(({ state: { kind } }) => kind === "sure"),
    live: sum(rows, ({ live_count: count }) => count),
    excluded: sum(rows, ({ excluded_count: count }) => count),
    undeclared: sum(rows, ({ undeclared_count: count }) => count),
    missing: sum(rows, ({ missing_count: count }) => count),
    unobserved: sum(rows, ({ unobserved_count: count }) => count),
    changed: sum(rows, ({ changed_count: count = 0 }) => count),
    severe: sum(rows, ({ risk_counts: counts }) => severeIn(counts)),
    severeUndeclared: sum(rows, ({ undeclared_risk_counts: counts }) => severeIn(counts)),
  };
}

function severeIn(counts: PostureRow["risk_counts"]): number {
  return (counts?.critical ?? 0) + (counts?.high ?? 0);
}

function sum(rows: readonly PostureRow[], of: (row: PostureRow) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
