import { expect, test } from "bun:test";

import { messageOf } from "./command.ts";

test("of several failures at once each is told", () => {
  const failure = new AggregateError([new Error("no such file"), "odd"], "Bundle failed");
  expect(messageOf(failure)).toBe("Bundle failed\nno such file\nodd");
});
