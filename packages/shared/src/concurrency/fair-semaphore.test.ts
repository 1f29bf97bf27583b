import { expect, test } from "bun:test";

import { createFairSemaphore } from "./fair-semaphore.ts";

/** Returns the order in which callers get a place if they ask in the order of `asked` while all places are taken. */
async function order(asked: readonly string[], cancelled: readonly number[] = []): Promise<string[]> {
  const turns = createFairSemaphore(1);
  expect(turns.take("first")).toBeUndefined();
  const got: string[] = [];
  const waits = asked.map((key) => {
    const wait = turns.take(key);
    void wait?.turn.then(() => got.push(key));
    return wait;
  });
  for (const index of cancelled) waits[index]?.cancel();
  for (let place = 0; place < asked.length; place += 1) {
    turns.giveBack(got.at(-1) ?? "first");
    await Bun.sleep(0);
  }
  return got;
}

test("one key's many requests don't delay another's few, and each key's run in order", async () => {
  expect(await order(["a", "a", "a", "b", "c", "b"])).toEqual(["a", "b", "c", "a", "b", "a"]);
});

test("a cancelled waiter gets no place", async () => {
  expect(await order(["a", "b", "a", "c"], [1, 2])).toEqual(["a", "c"]);
});

test("a place without waiters is free for the next request", () => {
  const turns = createFairSemaphore(2);
  for (let round = 0; round < 3; round += 1) {
    expect([turns.take("a"), turns.take("b")]).toEqual([undefined, undefined]);
    turns.giveBack("a");
    turns.giveBack("b");
  }
});

test("a key at its limit waits even if places are free", async () => {
  const turns = createFairSemaphore(3, 2);
  expect([turns.take("a"), turns.take("a")]).toEqual([undefined, undefined]);
  let isThird = false;
  void turns.take("a")?.turn.then(() => (isThird = true));
  expect(turns.take("b")).toBeUndefined();
  turns.giveBack("b");
  await Bun.sleep(0);
  expect(isThird).toBe(false);
  turns.giveBack("a");
  await Bun.sleep(0);
  expect(isThird).toBe(true);
});
