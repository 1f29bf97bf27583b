import { expect, test } from "bun:test";

import { byokDenialAnswer } from "../src/http/byok-denial.ts";
import { ID } from "../src/openapi/examples.ts";

test("an open breaker is a 429 with the documented members, and says when to come again", () => {
  const answer = byokDenialAnswer(ID.org, {
    granted: false,
    reason: "byok_rate_limited",
    provider: "anthropic",
    retry_at: "2026-11-21T12:01:00.000Z",
    retry_after_seconds: 60,
    consecutive_failures: 5,
  });
  expect(answer.status).toBe(429);
  expect(answer.headers).toMatchObject({ "retry-after": "60", "content-type": "application/json" });
  expect(JSON.parse(String(answer.body))).toEqual({
    code: "byok_rate_limited",
    error: "byok_rate_limited",
    message: expect.stringContaining("anthropic"),
    provider: "anthropic",
    retry_at: "2026-11-21T12:01:00.000Z",
    consecutive_failures: 5,
    byok_config_url: `/api/v2/orgs/${ID.org}/llm-config`,
  });
});
