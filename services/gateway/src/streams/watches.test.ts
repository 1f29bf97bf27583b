import { expect, test } from "bun:test";

import { testLog } from "@leeway/shared/testing/testing";

import { createWatches } from "./watches.ts";

const LONG_MS = 60_000;

test("a new watcher gets only new values, and earlier watchers get the latest one", async () => {
  const watches = createWatches({ everyMs: LONG_MS, log: testLog(), look: async () => "later" });
  const early = watches.watch("scan", "early");
  const late = watches.watch("scan", "late");
  expect(await late.next("late", 1)).toBe("late");
  expect(await early.next("early", LONG_MS)).toBe("late");
  await watches.stop();
});
