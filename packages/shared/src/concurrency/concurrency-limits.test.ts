import { expect, test } from "bun:test";

import { failureOf } from "../testing/testing.ts";
import { createConcurrencyLimits } from "./concurrency-limits.ts";

const what = "plans of yours";

test("an owner without free places is refused, others aren't", async () => {
  const places = createConcurrencyLimits({ each: 2, what });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = [places.within("a", () => promise), places.within("a", () => promise)];
  expect(await failureOf(places.within("a", () => promise))).toMatchObject({
    code: "rate_limited",
    message: "2 plans of yours are in progress, which is the limit; retry in a few seconds",
  });
  await places.within("b", async () => undefined);
  resolve();
  await Promise.all(first);
  await places.within("a", async () => undefined);
});

test("places of all owners are limited, and each new owner may hold half of the rest", async () => {
  const places = createConcurrencyLimits({ each: 4, all: 8, what });
  const { promise, resolve } = Promise.withResolvers<void>();
  const held: Promise<void>[] = [];
  const countOf = async (owner: string): Promise<number> => {
    for (let count = 0; ; count += 1) {
      const work = places.within(owner, () => promise);
      const isIn = await Promise.race([work.catch(() => false), Bun.sleep(0).then(() => true)]);
      if (isIn === false) return count;
      held.push(work);
    }
  };
  expect([await countOf("a"), await countOf("b"), await countOf("c"), await countOf("d")]).toEqual([
    4, 2, 1, 1,
  ]);
  expect(await failureOf(places.within("e", () => promise))).toMatchObject({ code: "unavailable" });
  resolve();
  await Promise.all(held);
  expect(await places.within("e", async () => "in")).toBe("in");
});
