import { expect, test } from "bun:test";

import { unavailable } from "@leeway/shared/values/errors";
import { failureOf } from "@leeway/shared/testing/testing";

import { optionalCheck } from "./optional-check.ts";

const never = new AbortController().signal;
const NAME = "audit log";

test("an optional check keeps its result", async () => {
  const missing = { name: NAME, ok: false, missing: ["logging.logEntries.list"] };
  expect(await optionalCheck(NAME, never, async () => missing)).toEqual({ ...missing, optional: true });
});

test("an optional check that gets no answer fails with a message", async () => {
  const silent = optionalCheck(NAME, never, () => Promise.reject(unavailable("throttled")));
  expect(await silent).toEqual({
    name: NAME,
    ok: false,
    optional: true,
    message: "no answer; try again later",
  });
});

test("a deadline of the verification and a bug are thrown", async () => {
  const late = optionalCheck(NAME, AbortSignal.timeout(5), async (signal) => {
    await Bun.sleep(30);
    signal.throwIfAborted();
    return { name: NAME, ok: true };
  });
  expect(await failureOf(late)).toMatchObject({ name: "TimeoutError" });
  const bug = optionalCheck(NAME, never, () => Promise.reject(new TypeError("a bug")));
  expect(await failureOf(bug)).toMatchObject({ message: "a bug" });
});
