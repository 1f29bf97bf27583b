import { expect, test } from "bun:test";

import { createFairSemaphore } from "./fair-semaphore.ts";

/** Returns the order in which callers get a place if they ask in the order of `asked` while all places are taken. */
async function order(asked: readonly string[], cancelled: readonly number[] = []): Promise<string[]> {
  const semaphore = createFairSemaphore(1);
  expect(semaphore.acquire("first")).toBeUndefined();
  const got: string[] = [];
  const waits = asked.map((key) => {
    const wait = semaphore.acquire(key);
    void wait?.granted.then(() => got.push(key));
    return wait;
  });
  for (const index of cancelled) waits[index]?.cancel();
  for (let place = 0; place < asked.length; place += 1) {
    semaphore.release(got.at(-1) ?? "first");
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
  const semaphore = createFairSemaphore(2);
  for (let round = 0; round < 3; round += 1) {
    expect([semaphore.acquire("a"), semaphore.acquire("b")]).toEqual([undefined, undefined]);
    semaphore.release("a");
    semaphore.release("b");
  }
});

test("a key at its limit waits even if places are free", async () => {
  const semaphore = createFairSemaphore(3, () => 2);
  expect([semaphore.acquire("a"), semaphore.acquire("a")]).toEqual([undefined, undefined]);
  let isThird = false;
  void semaphore.acquire("a")?.granted.then(() => (isThird = true));
  expect(semaphore.acquire("b")).toBeUndefined();
  semaphore.release("b");
  await Bun.sleep(0);
  expect(isThird).toBe(false);
  semaphore.release("a");
  await Bun.sleep(0);
  expect(isThird).toBe(true);
});
