import { expect, test } from "bun:test";

import type { PostureRow } from "../../api/openapi.gen.ts";
import { riskOf } from "../risk.ts";
import { coverageStateOf, totalsOf, worstFirst, type CoverageState } from "./coverage-state.ts";

function account(external: string, more: Partial<PostureRow> = {}): PostureRow {
  return {
    cloud_account_id: crypto.randomUUID(),
    provider: "aws",
    external_id: external,
    live_count: 0,
    matched_count: 0,
    undeclared_count: 0,
    unchecked_count: 0,
    excluded_count: 0,
    missing_count: 0,
    unobserved_count: 0,
    drift_status: "ready",
    ...more,
  };
}

const scanned = { last_scan_at: "2026-11-01T00:00:00Z" };
const never = account("never", { drift_status: "none" });
const unscanned = account("unscanned", {
  drift_status: "none",
  latest_scan: { id: "1", status: "failed", at: "2026-11-01T00:00:00Z" },
});
const pending = account("pending", { ...scanned, drift_status: "pending" });
const errored = account("errored", {
  ...scanned,
  drift_status: "error",
  coverage_pct: 100,
  coverage_reliable: false,
  risk_level: "none",
});
const half = account("half", {
  ...scanned,
  coverage_pct: 50,
  coverage_reliable: true,
  risk_level: "low",
  live_count: 10,
  matched_count: 5,
});
const bad = account("bad", { ...scanned, coverage_pct: 90, coverage_reliable: true, risk_level: "critical" });
const unsure = account("unsure", {
  ...scanned,
  coverage_pct: 20,
  coverage_reliable: false,
  risk_level: "low",
});

test.each<[PostureRow, CoverageState]>([
  [never, { kind: "never" }],
  [unscanned, { kind: "unscanned" }],
  [pending, { kind: "pending" }],
  [account("listed", { ...scanned, drift_status: "none" }), { kind: "pending" }],
  [errored, { kind: "failed" }],
  [half, { kind: "sure", percent: 50, isUpdating: false }],
  [unsure, { kind: "unsure", percent: 20, isUpdating: false }],
  [
    { ...half, drift_status: "pending" },
    { kind: "sure", percent: 50, isUpdating: true },
  ],
])("the coverage state of account $external_id is correct", (row, state) => {
  expect(coverageStateOf(row)).toEqual(state);
});

test("sorts accounts: failed, by risk, by coverage, pending, never scanned", () => {
  const order = worstFirst([never, half, pending, bad, unsure, errored]).map(({ external_id: id }) => id);
  expect(order).toEqual(["errored", "bad", "unsure", "half", "pending", "never"]);
});

test("an account with worse undeclared resources sorts before one with milder drift", () => {
  const levels = { risk_level: "none", undeclared_risk_level: "high" } as const;
  const clicked = { ...half, ...levels, external_id: "clicked" };
  const order = worstFirst([half, clicked, bad]).map(({ external_id: id }) => id);
  expect(order).toEqual(["bad", "clicked", "half"]);
});

test.each<[string, Partial<PostureRow>, PostureRow["risk_level"]]>([
  ["nothing is declared", { risk_level: "none", matched_count: 0, live_count: 152 }, undefined],
  ["what is declared is as it should be", { risk_level: "none", matched_count: 1 }, "none"],
  ["all that is declared is missing", { risk_level: "high", matched_count: 0 }, "high"],
  ["there is no snapshot", {}, undefined],
])("shows the correct risk of an account where %s", (_, counts, level) => {
  expect(riskOf(account("one", counts))).toBe(level);
});

test("counts critical and high changes, and those of undeclared resources separately", () => {
  const counts = { critical: 1, high: 2, medium: 3, low: 4 };
  expect(
    totalsOf([account("one", { risk_counts: counts, undeclared_risk_counts: counts }), half]),
  ).toMatchObject({
    severe: 3,
    severeUndeclared: 3,
  });
});

test("ignores the 100 % of an account whose comparison failed", () => {
  expect(totalsOf([half, { ...errored, live_count: 90, matched_count: 90 }])).toMatchObject({
    coverage: 50,
    isReliable: false,
  });
});

test("coverage is absent, not 0 %, without figures", () => {
  expect(totalsOf([never, pending]).coverage).toBeUndefined();
});

test("counts the accounts that were scanned", () => {
  expect(totalsOf([never])).toMatchObject({ scanned: 0, accounts: 1 });
  expect(totalsOf([never, half, errored, pending])).toMatchObject({ scanned: 3, accounts: 4 });
});

test("counts unobserved and missing resources separately", () => {
  const partly = { ...half, missing_count: 1, unobserved_count: 4 };
  expect(totalsOf([partly, half])).toMatchObject({ missing: 1, unobserved: 4 });
});

test("counts excluded resources separately from live ones", () => {
  expect(totalsOf([{ ...half, excluded_count: 3 }, half])).toMatchObject({ live: 20, excluded: 3 });
});
