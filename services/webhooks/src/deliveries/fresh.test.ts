import { expect, test } from "bun:test";

import { ignored } from "../events/reading.ts";
import { createFreshReadings } from "./fresh.ts";

const READING = ignored({}, "not_json");
const HUNDRED_KB = 100 * 1024;

test("a reading is given away once", () => {
  const fresh = createFreshReadings();
  fresh.keep("a", HUNDRED_KB, READING);
  expect(fresh.take("a")).toBe(READING);
  expect(fresh.take("a")).toBeUndefined();
});

test("of what nobody takes, the oldest goes, and the rest is at most 4 MB", () => {
  const fresh = createFreshReadings();
  const ids = Array.from({ length: 100 }, (_, number) => String(number));
  for (const id of ids) fresh.keep(id, HUNDRED_KB, READING);
  const left = ids.filter((id) => fresh.take(id) !== undefined);
  expect(left).toEqual(ids.slice(-40));
});

test("a large body isn't kept", () => {
  const fresh = createFreshReadings();
  fresh.keep("large", 200 * 1024, READING);
  expect(fresh.take("large")).toBeUndefined();
});
