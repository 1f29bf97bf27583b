import { expect, test } from "bun:test";

import { inWords } from "./words.ts";

test.each([
  ["compute_instance", "Compute instance"],
  ["dns_zone", "DNS zone"],
  ["json_policy_normalization", "JSON policy normalization"],
  ["api", "API"],
  ["capital_iamb", "Capital iamb"],
])("%s becomes %s", (word, text) => {
  expect(inWords(word)).toBe(text);
});
