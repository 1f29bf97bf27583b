import { expect, test } from "bun:test";

import { leadText } from "./lead.ts";

test.each<[number | undefined, boolean, string]>([
  [undefined, true, "What runs in your clouds."],
  [1, true, "1 resource matches the filters."],
  [1303, true, "1,303 resources match the filters."],
  [1, false, "1 resource runs in your clouds."],
  [0, false, "Nothing is known to run in your clouds."],
])("%p, filtered: %p, is told as %p", (total, isFiltered, text) => {
  expect(leadText(total, isFiltered)).toBe(text);
});
