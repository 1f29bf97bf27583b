import { expect, test } from "bun:test";

import { messageOf } from "./command.ts";

test("every one of several failures is reported", () => {
  const failure = new AggregateError([new Error("no such file"), "odd"], "Bundle failed");
  expect(messageOf(failure)).toBe("Bundle failed\nno such file\nodd");
});
