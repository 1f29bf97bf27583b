import { expect, test } from "bun:test";

import { unavailable } from "@leeway/shared/errors";
import { failureOf } from "@leeway/shared/testing";

import { optionalCheck } from "./optional-check.ts";

const never = new AbortController().signal;
const NAME = "audit log";

test("what is asked for keeps its result, and is optional", async () => {
  const missing = { name: NAME, ok: false, missing: ["logging.logEntries.list"] };
  expect(await optionalCheck(NAME, never, async () => missing)).toEqual({ ...missing, optional: true });
});

test("who doesn't answer is told as its result", async () => {
  const silent = optionalCheck(NAME, never, () => Promise.reject(unavailable("throttled")));
  expect(await silent).toEqual({
    name: NAME,
    ok: false,
    optional: true,
    message: "it doesn't answer; try again later",
  });
});

test("the end of the whole verification, and a bug, are no result", async () => {
  const late = optionalCheck(NAME, AbortSignal.timeout(5), async (signal) => {
    await Bun.sleep(30);
    signal.throwIfAborted();
    return { name: NAME, ok: true };
  });
  expect(await failureOf(late)).toMatchObject({ name: "TimeoutError" });
  const bug = optionalCheck(NAME, never, () => Promise.reject(new TypeError("a bug")));
  expect(await failureOf(bug)).toMatchObject({ message: "a bug" });
});
