import { expect, test } from "bun:test";

import type { PostureRow } from "../../api/openapi.gen.ts";
import { standingOf, totalsOf, worstFirst, type Standing } from "./standing.ts";

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
    drift_status: "ready",
    ...more,
  };
}

const scanned = { last_scan_at: "2026-11-01T00:00:00Z" };
const never = account("never", { drift_status: "none" });
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

test.each<[PostureRow, Standing]>([
  [never, { kind: "never" }],
  [pending, { kind: "pending" }],
  [account("listed", { ...scanned, drift_status: "none" }), { kind: "pending" }],
  [errored, { kind: "failed" }],
  [half, { kind: "sure", percent: 50, isUpdating: false }],
  [unsure, { kind: "unsure", percent: 20, isUpdating: false }],
  [
    { ...half, drift_status: "pending" },
    { kind: "sure", percent: 50, isUpdating: true },
  ],
])("what stands for $external_id can't be misread", (row, standing) => {
  expect(standingOf(row)).toEqual(standing);
});

test("accounts come worst first: failed, by risk, by coverage, pending, never scanned", () => {
  const order = worstFirst([never, half, pending, bad, unsure, errored]).map(({ external_id: id }) => id);
  expect(order).toEqual(["errored", "bad", "unsure", "half", "pending", "never"]);
});

test("the 100 % of an account whose computation failed isn't counted", () => {
  expect(totalsOf([half, { ...errored, live_count: 90, matched_count: 90 }])).toMatchObject({
    coverage: 50,
    isReliable: false,
  });
});

test("without any figure there is no coverage, not 0 %", () => {
  expect(totalsOf([never, pending]).coverage).toBeUndefined();
});

test("how many of the accounts anything is known of is told", () => {
  expect(totalsOf([never])).toMatchObject({ scanned: 0, accounts: 1 });
  expect(totalsOf([never, half, errored, pending])).toMatchObject({ scanned: 3, accounts: 4 });
});

test("what is excluded is counted beside what is live, which it isn't in", () => {
  expect(totalsOf([{ ...half, excluded_count: 3 }, half])).toMatchObject({ live: 20, excluded: 3 });
});
