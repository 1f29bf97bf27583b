import { expect, test } from "bun:test";

import { createSemaphore } from "./semaphore.ts";

test("a request for many slots waits for them, and later small ones don't overtake it", async () => {
  const semaphore = createSemaphore(10);
  const granted: string[] = [];
  const ask = async (name: string, slots: number): Promise<void> => {
    await semaphore.acquire(slots);
    granted.push(name);
  };
  const all = [ask("first", 6), ask("large", 8), ask("small", 1), ask("rest", 1)];
  await Promise.resolve();
  expect(granted).toEqual(["first"]);
  semaphore.release(6);
  await Promise.all(all);
  expect(granted).toEqual(["first", "large", "small", "rest"]);
});
