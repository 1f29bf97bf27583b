import { expect, test } from "bun:test";

import { failureOf } from "../testing.ts";
import { createPlaces } from "./places.ts";

const what = "plans of yours";

test("who has all their places is refused, and nobody else", async () => {
  const places = createPlaces({ each: 2, what });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = [places.within("a", () => promise), places.within("a", () => promise)];
  expect(await failureOf(places.within("a", () => promise))).toMatchObject({
    code: "rate_limited",
    message: "2 plans of yours are under way",
  });
  await places.within("b", async () => undefined);
  resolve();
  await Promise.all(first);
  await places.within("a", async () => undefined);
});

test("however many owners have all that they may, there is an end to it, and one more gets a place before", async () => {
  const places = createPlaces({ each: 4, all: 8, what });
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
