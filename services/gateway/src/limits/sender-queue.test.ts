import { expect, test } from "bun:test";

import { createActivity } from "@leeway/shared/concurrency/activity";
import { failureOf } from "@leeway/shared/testing/testing";

import { createSenderQueue } from "./sender-queue.ts";

/** Creates calls that run until the test ends them, in the order of their start. */
function calling() {
  const activity = createActivity();
  const senders = createSenderQueue(activity);
  const begun: { from: string; end: () => void }[] = [];
  const call = (from: string, orgId = `org-${from}`) =>
    senders.within({ sender: from, orgId }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push({ from, end: resolve });
      return promise;
    });
  return { begun, call, activity };
}

test("a sender with one call waits for at most one call of a sender that floods", async () => {
  const { begun, call } = calling();
  const flood = Array.from({ length: 500 }, () => call("a"));
  const other = call("b");
  await Bun.sleep(0);
  const atOnce = begun.length;
  expect(begun.map(({ from }) => from)).toEqual(Array<string>(atOnce).fill("a"));
  for (let ended = 0; ended < 2; ended += 1) begun[ended]?.end();
  await Bun.sleep(0);
  expect(begun.slice(atOnce).map(({ from }) => from)).toEqual(["a", "b"]);
  for (let ended = 0; ended < 501; ended += 1) {
    begun[ended]?.end();
    await Bun.sleep(0);
  }
  await Promise.all([...flood, other]);
});

test("a sender with 2,000 pending calls is refused while other senders are served", async () => {
  const { begun, call } = calling();
  const flood = Array.from({ length: 2_000 }, () => call("a"));
  expect(await failureOf(call("a"))).toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
  const other = call("b");
  for (let ended = 0; ended < 2_001; ended += 1) {
    begun[ended]?.end();
    await Bun.sleep(0);
  }
  await Promise.all([...flood, other]);
});

test("pending calls of all senders are limited, and each new sender may hold half of the rest", async () => {
  const { begun, call } = calling();
  const flood: Promise<void>[] = [];
  const refusedAt = async (from: string): Promise<number> => {
    for (let count = 0; ; count += 1) {
      const made = call(from);
      const isIn = await Promise.race([made.catch(() => false), Bun.sleep(0).then(() => true)]);
      if (isIn === false) return count;
      flood.push(made);
    }
  };
  expect(await refusedAt("a")).toBe(2_000);
  expect(await refusedAt("b")).toBe(1_000);
  expect(await refusedAt("c")).toBe(500);
  for (let n = 500; flood.length < 4_000; n += 1) await refusedAt(`n${n}`);
  expect(await failureOf(call("last"))).toMatchObject({ code: "unavailable" });
  for (let ended = 0; ended < 4_000; ended += 1) {
    begun[ended]?.end();
    await Bun.sleep(0);
  }
  await Promise.all(flood);
});

test("an organization's many calls leave room while another is active, and don't delay its other senders", async () => {
  const { begun, call, activity } = calling();
  activity.note("org-b");
  const calls = [
    ...Array.from({ length: 100 }, () => call("a", "org-a")),
    call("c", "org-a"),
    call("b", "org-b"),
  ];
  await Bun.sleep(0);
  expect(begun.map(({ from }) => from)).toEqual(["a", "a", "a", "a", "c", "b"]);
  for (let ended = 0; ended < calls.length; ended += 1) {
    begun[ended]?.end();
    await Bun.sleep(0);
  }
  await Promise.all(calls);
});

test("an organization's calls are verified together while no other is active", async () => {
  const { begun, call, activity } = calling();
  activity.note("org-a");
  const calls = Array.from({ length: 100 }, () => call("a", "org-a"));
  await Bun.sleep(0);
  expect(begun).toHaveLength(calls.length);
  for (const { end } of begun) end();
  await Promise.all(calls);
});
