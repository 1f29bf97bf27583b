import { expect, test } from "bun:test";

import { createTurns } from "./turns.ts";

/** Who gets a place, in order, of those who ask in the order of `asked` when all places are taken. */
async function order(asked: readonly string[], cancelled: readonly number[] = []): Promise<string[]> {
  const turns = createTurns(1);
  expect(turns.take("first")).toBeUndefined();
  const got: string[] = [];
  const waits = asked.map((key) => {
    const wait = turns.take(key);
    void wait?.turn.then(() => got.push(key));
    return wait;
  });
  for (const index of cancelled) waits[index]?.cancel();
  for (const _ of asked) turns.giveBack();
  await Bun.sleep(0);
  return got;
}

test("one key's many don't hold up another's few, and each key's come in order", async () => {
  expect(await order(["a", "a", "a", "b", "c", "b"])).toEqual(["a", "b", "c", "a", "b", "a"]);
});

test("who no longer waits isn't given a place", async () => {
  expect(await order(["a", "b", "a", "c"], [1, 2])).toEqual(["a", "c"]);
});

test("a place that nobody waits for is there for the next", () => {
  const turns = createTurns(2);
  for (let round = 0; round < 3; round += 1) {
    expect([turns.take("a"), turns.take("b")]).toEqual([undefined, undefined]);
    turns.giveBack();
    turns.giveBack();
  }
});
