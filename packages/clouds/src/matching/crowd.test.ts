import { expect, test } from "bun:test";

import { Crowd } from "./crowd.ts";

test("however many there are of both, nobody compares each declared one with each live one", () => {
  const places = Array.from({ length: 1_000 }, (_, index) => index);
  const crowd = new Crowd(places);
  for (const place of places) crowd.see(place, `r${place % 10}`);
  let asked = 0;
  const isAnyFree = crowd.finder(() => {
    asked += 1;
    return false;
  });
  for (const place of places) {
    expect(isAnyFree(place % 2)).toBe(false);
    expect(isAnyFree(place % 2, `r${place % 10}`)).toBe(false);
  }
  expect(asked).toBeLessThanOrEqual(2 * 2 * places.length); // of two sources, everywhere and by region
});
