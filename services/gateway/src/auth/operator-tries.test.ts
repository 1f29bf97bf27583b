import { expect, test } from "bun:test";

import { createOperatorTries } from "./operator-tries.ts";

test("each failure doubles the wait for all callers up to one second, until a minute passes", async () => {
  let now = 0;
  const waits: number[] = [];
  const tries = createOperatorTries(
    () => now,
    async (ms) => void waits.push(ms),
  );
  await tries.wait();
  for (let failure = 0; failure < 9; failure += 1) {
    tries.failed();
    await tries.wait();
  }
  expect(waits).toEqual([20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
  now += 60_000;
  await tries.wait();
  expect(waits).toHaveLength(9);
});

test("a flood of failures never makes callers wait more than one second", async () => {
  const waits: number[] = [];
  const tries = createOperatorTries(
    () => 0,
    async (ms) => void waits.push(ms),
  );
  for (let failure = 0; failure < 100_000; failure += 1) tries.failed();
  await tries.wait();
  expect(waits).toEqual([1_000]);
});
