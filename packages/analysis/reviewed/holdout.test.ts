import { expect, test } from "bun:test";

import { HOLDOUT_PLANS } from "./holdout-plans.ts";
import { agreement, falseAlarms, judge, matrix, missed } from "./judge.ts";

const verdicts = HOLDOUT_PLANS.map(judge);
process.stdout.write(`\n${matrix("holdout plans: reviewer down, Leeway across", verdicts)}\n`);

/** The first reviewer rates these high, so no rule can agree with both reviewers. */
const CONTESTED = ["a cluster's API accepts every address", "a machine image is made public"];

test("at least 99 % of the holdout plans get the reviewer's level", () => {
  expect(agreement(verdicts)).toBeGreaterThanOrEqual(0.99);
});

test("no holdout plan that the reviewer blocks gets a lower level, except contested ones", () => {
  expect(missed(verdicts).map(({ name }) => name)).toEqual(expect.arrayContaining(CONTESTED));
  expect(missed(verdicts)).toHaveLength(CONTESTED.length);
});

test("no holdout plan that the reviewer calls low or none raises an alarm", () => {
  expect(falseAlarms(verdicts).map(({ name }) => name)).toEqual([]);
});

test("every holdout plan has a unique name", () => {
  const names = HOLDOUT_PLANS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
