import { expect, test } from "bun:test";

import { testLog } from "@leeway/shared/testing";

import { createWatches } from "./watches.ts";

const LONG_MS = 60_000;

test("who begins to watch later isn't told what was before, and those who do already hear what it knows", async () => {
  const watches = createWatches({ everyMs: LONG_MS, log: testLog(), look: async () => "later" });
  const early = watches.watch("scan", "early");
  const late = watches.watch("scan", "late");
  expect(await late.next("late", 1)).toBe("late");
  expect(await early.next("early", LONG_MS)).toBe("late");
  await watches.stop();
});
