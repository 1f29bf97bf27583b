import { expect, test } from "bun:test";

import { TYPE_FACTS_FILE, typeFactsText } from "../../scripts/docs/type-facts.ts";

test("plan analysis has the facts of the catalogs: else run `bun run docs`", async () => {
  expect(await Bun.file(TYPE_FACTS_FILE).text()).toBe(typeFactsText());
});
