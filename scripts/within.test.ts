import { expect, test } from "bun:test";

import { failureOf } from "@leeway/shared/testing/testing";

import { within } from "./within.ts";

test("a result in time is returned", async () => {
  expect(await within(1_000, Promise.resolve(1), "too late")).toBe(1);
});

test("a timeout fails with the problem", async () => {
  expect(await failureOf(within(1, new Promise(() => undefined), "too late"))).toEqual(new Error("too late"));
});
