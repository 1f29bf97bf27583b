import { expect, test } from "bun:test";

import { countsOf, countsText, datesUntil, postureDays, worstOf, type TrendPoint } from "./days.ts";

const NONE = { critical: 0, high: 0, medium: 0, low: 0 };

function point(account: string, date: string, more: Partial<TrendPoint> = {}): TrendPoint {
  return {
    cloud_account_id: account,
    date,
    drift_snapshot_id: `${account} ${date}`,
    coverage_pct: 50,
    coverage_reliable: true,
    risk_level: "none",
    risk_counts: NONE,
    changed_count: 0,
    live_count: 10,
    matched_count: 5,
    undeclared_count: 5,
    unchecked_count: 0,
    excluded_count: 0,
    missing_count: 0,
    ...more,
  };
}

test("the dates end today, across a month's end", () => {
  expect(datesUntil(new Date("2026-12-01T23:59:00Z"), 3)).toEqual(["2026-11-29", "2026-11-30", "2026-12-01"]);
});

test("an account without a snapshot that day counts as on the day before", () => {
  const days = postureDays(
    [
      point("a", "2026-11-28", { risk_counts: { ...NONE, critical: 2 } }),
      point("b", "2026-11-29", { risk_counts: { ...NONE, low: 1 }, live_count: 30, matched_count: 30 }),
      point("a", "2026-11-30", { risk_counts: { ...NONE, high: 1 } }),
    ].toSorted((one, other) => one.cloud_account_id.localeCompare(other.cloud_account_id)),
    ["2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30"],
  );
  expect(days).toEqual([
    { date: "2026-11-27" },
    { date: "2026-11-28", counts: { ...NONE, critical: 2 }, coverage: 50 },
    { date: "2026-11-29", counts: { ...NONE, critical: 2, low: 1 }, coverage: 87.5 },
    { date: "2026-11-30", counts: { ...NONE, high: 1, low: 1 }, coverage: 87.5 },
  ]);
});

test("coverage that isn't reliable is left out", () => {
  const days = postureDays(
    [point("a", "2026-11-30"), point("b", "2026-11-30", { coverage_reliable: false, matched_count: 0 })],
    ["2026-11-30"],
  );
  expect(days[0]?.coverage).toBe(50);
  expect(postureDays([point("a", "2026-11-30", { coverage_reliable: false })], ["2026-11-30"])).toEqual([
    { date: "2026-11-30", counts: NONE },
  ]);
});

test("drift and undeclared resources count together, and the worst names the day", () => {
  const counts = countsOf(
    point("a", "2026-11-30", {
      risk_counts: { ...NONE, medium: 1 },
      undeclared_risk_counts: { ...NONE, high: 1_200, medium: 1 },
    }),
  );
  expect(counts).toEqual({ ...NONE, high: 1_200, medium: 2 });
  expect([worstOf(counts), countsText(counts)]).toEqual(["high", "1,200 high, 2 medium"]);
  expect([worstOf(NONE), countsText(NONE)]).toEqual(["none", "no open risk"]);
});
