import { expect, test } from "bun:test";

import { hclString } from "./hcl-string.ts";

test.each([
  ["a", '"a"'],
  ["${a}", '"$${a}"'],
  ["%{a}", '"%%{a}"'],
  ["$${a}", '"$$${a}"'],
  ["$a {b}", '"$a {b}"'],
  ['a"b\\c\n', String.raw`"a\"b\\c\n"`],
  ["\b\u00A0\u200B\u202E", String.raw`"\u0008\u00a0\u200b\u202e"`],
  ["\u{E0001}é🚀", '"\\U000e0001é🚀"'],
])("%j is escaped as in Terraform's addresses", (text, written) => {
  expect(hclString(text)).toBe(written);
});
