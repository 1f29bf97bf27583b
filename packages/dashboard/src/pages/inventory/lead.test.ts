import { expect, test } from "bun:test";

import { leadText } from "./lead.ts";

test.each<[number | undefined, boolean, string]>([
  [undefined, true, "The resources in your clouds."],
  [1, true, "1 resource matches the filters."],
  [1303, true, "1,303 resources match the filters."],
  [1, false, "1 resource in your clouds."],
  [0, false, "No resources in your clouds yet."],
])("a total of %p, filtered: %p, reads %p", (total, isFiltered, text) => {
  expect(leadText(total, isFiltered)).toBe(text);
});
