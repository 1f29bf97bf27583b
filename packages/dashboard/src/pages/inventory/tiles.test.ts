import { expect, test } from "bun:test";

import { coverageOf, largest, OTHERS, tilesOf } from "./tiles.ts";

const group = (name: string, live: number, undeclared = 0) => ({ key: name, name, live, undeclared });

test("tiles fill the whole rectangle in proportion to their resources", () => {
  const tiles = tilesOf([group("a", 60), group("b", 30), group("c", 10)], 2);
  const shares = tiles.map(({ name, width, height }) => [name, Math.round((width * height) / 100)]);
  expect(shares).toEqual([
    ["a", 60],
    ["b", 30],
    ["c", 10],
  ]);
  for (const { left, top, width, height } of tiles) {
    expect(left + width).toBeLessThanOrEqual(100.001);
    expect(top + height).toBeLessThanOrEqual(100.001);
  }
});

test("the smallest groups become one, and empty ones are left out", () => {
  const groups = [group("a", 5), group("none", 0), group("b", 9, 9), group("c", 1, 1), group("d", 2)];
  expect(largest(groups, 2)).toEqual([
    group("b", 9, 9),
    group("a", 5),
    { key: OTHERS, name: "2 others", live: 3, undeclared: 1 },
  ]);
  expect(largest(groups, 4).map(({ name }) => name)).toEqual(["b", "a", "d", "c"]);
});

test("coverage is the share that isn't undeclared", () => {
  expect([coverageOf(group("a", 8, 2)), coverageOf(group("b", 0))]).toEqual([75, 100]);
});
