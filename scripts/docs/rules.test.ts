import { expect, test } from "bun:test";

import { RULES_FILE, withRules } from "./rules.ts";

test("docs/rules.md matches the rules in the code, with their examples", async () => {
  const page = await Bun.file(RULES_FILE).text();
  expect(withRules(page)).toBe(page);
});
