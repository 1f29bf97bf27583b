import { expect, test } from "bun:test";

import { COMPARISON_FILE, withFigures } from "./comparison.ts";

test("docs/comparison.md has the figures of the committed knowledge", async () => {
  const page = await Bun.file(COMPARISON_FILE).text();
  expect(withFigures(page)).toBe(page);
});
