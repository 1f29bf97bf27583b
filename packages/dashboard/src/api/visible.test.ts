import { expect, test } from "bun:test";
import fc from "fast-check";

import { visible } from "./visible.ts";

test.each([
  ["\u202Egnp.exe", String.raw`\u{202e}gnp.exe`],
  ["\u2067a\u2069", String.raw`\u{2067}a\u{2069}`],
  ["prod\u200B", String.raw`prod\u{200b}`],
  ["prod\u034F", String.raw`prod\u{34f}`],
  ["\u3164prod\u{E0041}", String.raw`\u{3164}prod\u{e0041}`],
  ["\u001B[2J\u0000", String.raw`\u{1b}[2J\u{0}`],
])("%j shows as %s", (text, shown) => expect(visible(text)).toBe(shown));

test.each(["main.tf", "line\r\n\tend", "Café", "فروشگاه", "می\u200Cخواهم", "👩\u200D💻", "❤️", "→ ‘x’"])(
  "%j is unchanged",
  (text) => expect(visible(text)).toBe(text),
);

test("escapes member names and nested values, too", () => {
  const answer = { tags: { "a\u202E": ["\u202Eb", 1, true, null] }, __proto__: null };
  expect(visible(answer)).toEqual({ tags: { "a\\u{202e}": ["\\u{202e}b", 1, true, null] } });
});

test("JSON without invisible characters is unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "grapheme-ascii" }), (value) => {
      expect(visible(value)).toEqual(value);
    }),
  );
});
