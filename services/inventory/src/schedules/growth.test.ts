import { expect, test } from "bun:test";

import { growthOf, many, repeated, STEEPEST } from "@leeway/shared/testing/growth.fixture";
import { ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { checkedCron } from "./cron.ts";

/** Reads a cron that may be refused. */
function read(cron: string): void {
  try {
    checkedCron(cron);
  } catch {
    // Refusing takes time, too.
  }
}

/** Crons of a given size, up to four times the 200 characters that the API accepts. */
const FAMILIES: Record<string, (size: number) => string> = {
  "many minutes": (size) => `${many(size / 3, (n) => n % 60).join()} 0 1 1 *`,
  "many ranges": (size) => `0 ${many(size / 5, () => "0-23").join()} * * *`,
  "many steps": (size) => `0 0 ${many(size / 5, (n) => `*/${(n % 30) + 1}`).join()} 2 *`,
  "many days of a date that never comes": (size) => `0 0 31 ${many(size / 2, () => 2).join()} *`,
  "many names of days": (size) => `0 0 * * ${many(size / 4, () => "MON").join()}`,
  "many weekdays of a month": (size) => `0 0 * * ${many(size / 6, (n) => `MON#${(n % 5) + 1}`).join()}`,
  "many fields": (size) => repeated("* ", size),
  "many blanks": (size) => `0${repeated(" \t", size)}0 1 1 *`,
  "a long nickname": (size) => `@${repeated("a", size)}`,
  "a long number": (size) => `0 0 ${repeated("1", size)} 1 *`,
  commas: (size) => `${repeated(",", size)} 0 1 1 *`,
  ...ONCE_QUADRATIC,
};

test.each(Object.entries(FAMILIES))("a cron is read in linear time, for %s", async (_, make) => {
  expect(await growthOf({ make, work: read, size: 200 })).toBeLessThan(STEEPEST);
});
