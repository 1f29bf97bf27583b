import { describe, expect, test } from "bun:test";

import type { SlotDenial } from "@leeway/shared/contracts/quota/slots";

import type { Answer } from "./answer.ts";
import { denialAnswer, grantHeaders } from "./slot-answer.ts";

const ORG = "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90";
const WEEK_END = "2026-10-12T00:00:00Z";
const HOUR_END = "2026-10-07T15:00:00Z";
const BYOK = { byok_config_url: `/api/v2/orgs/${ORG}/llm-config` };

const DENIED: SlotDenial = {
  granted: false,
  reason: "weekly_exhausted",
  gate: "weekly",
  cap: 5,
  used: 5,
  week_resets_at: WEEK_END,
  hour_resets_at: HOUR_END,
  retry_after_seconds: 380_400,
};
const OFF = { reason: "hard_off", cap: 0, used: 0 } as const;

const bodyOf = ({ body }: Answer): unknown => JSON.parse(String(body));

describe("a denied call returns exactly the documented fields", () => {
  test("402 when the weekly quota is used up", () => {
    const answer = denialAnswer(ORG, DENIED);
    expect(answer.status).toBe(402);
    expect(bodyOf(answer)).toEqual({
      code: "plan_weekly_quota_exhausted",
      error: "plan_weekly_quota_exhausted",
      message: "this week's quota of 5 platform AI analyses is used up; it resets at 2026-10-12T00:00:00Z",
      required_plan: "team",
      bucket: "weekly",
      used: 5,
      cap: 5,
      week_resets_at: WEEK_END,
      ...BYOK,
    });
  });

  test.each([
    ["weekly", {}],
    ["hourly", { hour_resets_at: HOUR_END }],
  ] as const)("402 when the %s gate is off", (gate, more) => {
    const answer = denialAnswer(ORG, { ...DENIED, ...OFF, gate });
    expect(answer.status).toBe(402);
    expect(bodyOf(answer)).toEqual({
      code: "plan_hard_off",
      error: "plan_hard_off",
      message: "platform AI analyses are disabled for the plan",
      required_plan: "team",
      bucket: gate,
      used: 0,
      cap: 0,
      week_resets_at: WEEK_END,
      ...more,
      ...BYOK,
    });
  });

  test("429 with Retry-After when the hourly limit is reached", () => {
    const hourly = {
      reason: "hourly_exhausted",
      gate: "hourly",
      cap: 20,
      used: 20,
      retry_after_seconds: 2_400,
    } as const;
    const answer = denialAnswer(ORG, { ...DENIED, ...hourly });
    expect(answer.status).toBe(429);
    expect(answer.headers["retry-after"]).toBe("2400");
    expect(bodyOf(answer)).toEqual({
      code: "plan_hourly_rate_limit",
      error: "plan_hourly_rate_limit",
      message: "this hour's limit of 20 platform AI analyses is reached; it resets at 2026-10-07T15:00:00Z",
      used: 20,
      cap: 20,
      hour_resets_at: HOUR_END,
      ...BYOK,
    });
  });
});

test("429 with Retry-After while the circuit breaker of the organization's own key is open", () => {
  const answer = denialAnswer(ORG, {
    granted: false,
    reason: "byok_rate_limited",
    provider: "anthropic",
    retry_at: "2026-11-21T12:01:00.000Z",
    retry_after_seconds: 60,
    consecutive_failures: 5,
  });
  expect(answer.status).toBe(429);
  expect(answer.headers["retry-after"]).toBe("60");
  expect(bodyOf(answer)).toEqual({
    code: "byok_rate_limited",
    error: "byok_rate_limited",
    message: expect.stringContaining("anthropic"),
    provider: "anthropic",
    retry_at: "2026-11-21T12:01:00.000Z",
    consecutive_failures: 5,
    ...BYOK,
  });
});

describe("a call that reserved a slot", () => {
  test("reports the remaining slots of each gate with a cap", () => {
    const limits = [
      { gate: "weekly", cap: 5, used: 2, resets_in_seconds: 380_400 },
      { gate: "hourly", cap: 20, used: 20, resets_in_seconds: 1 },
    ] as const;
    expect(grantHeaders({ granted: true, source: "platform", limits: [...limits] })).toEqual({
      "ratelimit-policy": '"llm_weekly";q=5;w=604800, "llm_hourly";q=20;w=3600',
      ratelimit: '"llm_weekly";r=3;t=380400, "llm_hourly";r=0;t=1',
    });
  });

  test("reports nothing for unlimited gates, and never a negative remainder", () => {
    expect(grantHeaders({ granted: true, source: "platform", limits: [] })).toEqual({});
    const lowered = { gate: "hourly", cap: 2, used: 9, resets_in_seconds: 7 } as const;
    expect(grantHeaders({ granted: true, source: "platform", limits: [lowered] })["ratelimit"]).toBe(
      '"llm_hourly";r=0;t=7',
    );
  });
});
