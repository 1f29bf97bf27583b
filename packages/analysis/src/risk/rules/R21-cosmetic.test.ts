import { expect, test } from "bun:test";

import { findings, update } from "../change.fixture.ts";

const tagged = (value: string) => ({ tags: { deletion_protection: value, waf_mode: value } });

test("a tag that is named like a setting is only a tag", () => {
  const found = findings([update("aws_db_instance", tagged("enabled"), tagged("disabled"))], "standard");
  expect(found.map(({ rule, risk_level }) => [rule, risk_level])).toEqual([["R21", "none"]]);
});
