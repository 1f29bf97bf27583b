import { expect, test } from "bun:test";

import fc from "fast-check";

import { countsAgainstKey, modelFailure, retryAfterSeconds } from "./model-failure.ts";

const NOW = new Date("2026-11-21T12:00:00Z");

test.each([
  [400, "", "request", false],
  [400, '{"reason": "API_KEY_INVALID"}', "rejected", true],
  [400, "max_tokens or model output limit was reached", "output_limit", false],
  [401, "", "rejected", true],
  [402, "", "unpaid", true],
  [403, "", "rejected", true],
  [404, "", "request", false],
  [408, "", "timeout", true],
  [413, "", "request", false],
  [429, "", "throttled", true],
  [429, '{"error": {"code": "insufficient_quota"}}', "unpaid", true],
  [400, "Your credit balance is too low to access the Anthropic API.", "unpaid", true],
  [500, "", "server", true],
  [503, "", "server", true],
  [529, "", "server", true],
  [200, "", "answer", true],
  [302, "", "answer", true],
] as const)("%d %s becomes %s and counts against the key: %p", (status, body, kind, counts) => {
  const failure = modelFailure({ status, body, retryAfter: undefined }, NOW);
  expect(failure).toEqual({ kind, status });
  expect(countsAgainstKey(failure)).toBe(counts);
});

test.each([
  ["30", 30],
  ["0", 0],
  ["Sat, 21 Nov 2026 12:00:10 GMT", 10],
  ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
  ["-1", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["", undefined],
  ["2026-11-21T12:00:10Z", undefined],
] as const)("a Retry-After of %p means %p seconds", (header, seconds) => {
  expect(retryAfterSeconds(header, NOW)).toBe(seconds);
});

test("a model failure never contains the provider's text", () => {
  const said = fc.record({
    status: fc.integer({ min: 200, max: 599 }),
    body: fc.string(),
    retryAfter: fc.option(fc.string(), { nil: undefined }),
  });
  fc.assert(
    fc.property(said, (refused) => {
      const { kind, status, retry_after_seconds: wait = 0, ...rest } = modelFailure(refused, NOW);
      expect(kind).toMatch(/^[a-z_]+$/);
      expect(status).toBe(refused.status);
      expect(Number.isSafeInteger(wait) && wait >= 0).toBe(true);
      expect(rest).toEqual({});
    }),
  );
});
