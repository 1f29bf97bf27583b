import { expect, test } from "bun:test";

import { countdownText } from "./countdown.tsx";
import { countOf, percentText } from "./number.ts";
import { timeInWords } from "./time.tsx";

const NOW = new Date("2026-11-21T12:00:00Z");

test.each([
  ["2026-11-21T11:59:55Z", "just now"],
  ["2026-11-21T11:59:20Z", "40 seconds ago"],
  ["2026-11-21T11:01:00Z", "59 minutes ago"],
  ["2026-11-20T11:00:00Z", "1 day ago"],
  ["2026-11-19T13:00:00Z", "1 day ago"],
  ["2026-11-22T13:00:00Z", "in 1 day"],
  ["2026-11-23T03:00:00Z", "in 2 days"],
  ["2027-02-19T11:59:50Z", "in 3 months"],
  ["2026-11-21T12:30:00Z", "in 30 minutes"],
  ["2024-11-21T12:00:00Z", "2 years ago"],
])("%s is %s", (at, words) => expect(timeInWords(new Date(at), NOW)).toBe(words));

test.each([
  [100, "100 %"],
  [99.97, "99.9 %"],
  [0, "0 %"],
  [0.01, "0.1 %"],
  [82.44, "82.4 %"],
])("shows %d percent as %s, and 100 % or 0 % only if exact", (percent, text) => {
  expect(percentText(percent)).toBe(text);
});

test("uses the singular for one", () => {
  expect([countOf(1, "row"), countOf(1200, "row")]).toEqual(["1 row", "1,200 rows"]);
});

test.each([
  [-5_000, "0 s"],
  [400, "1 s"],
  [59_000, "59 s"],
  [60_000, "1 min 0 s"],
  [3_599_000, "59 min 59 s"],
  [3_600_000, "1 h 0 min"],
  [90_061_000, "1 d 1 h"],
])("a countdown of %d ms shows %s", (ms, words) => expect(countdownText(ms)).toBe(words));
