import { expect, test } from "bun:test";

import fc from "fast-check";

import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.UTC(2026, 10, 1);

test.each([
  ["7", 7_000],
  [" 0 ", 0],
  ["1.5", 1_500],
  ["Sun, 01 Nov 2026 00:01:00 GMT", 60_000],
  ["Sat, 31 Oct 2026 00:00:00 GMT", 0],
  ["soon", undefined],
  ["-3", undefined],
  ["", undefined],
])("Retry-After: %s", (written, expected) => {
  expect(retryAfterMs(new Headers({ "retry-after": written }), NOW)).toBe(expected);
});

test("any header gives a finite wait of at least 0", () => {
  const written = fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
  });
  fc.assert(
    fc.property(written, (text) => {
      const ms = retryAfterMs(new Headers({ "retry-after": text }), NOW) ?? 0;
      expect(Number.isFinite(ms) && ms >= 0).toBe(true);
    }),
  );
});
