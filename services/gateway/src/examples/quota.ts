/** Examples of the platform model's usage, like those in common.ts. */

export const LLM_USAGE = {
  weekly_used: 3,
  weekly_cap: 5,
  week_resets_at: "2026-10-12T00:00:00Z",
  hourly_used: 0,
  hourly_cap: -1,
  hour_resets_at: "2026-10-07T15:00:00Z",
  byok_configured: false,
  platform_model_configured: true,
  plan: "free",
};
export const LLM_USAGE_DAY = { date: "2026-10-07", consumed: 2, held: 1, released: 0 };

export const LLM_CONFIG = {
  provider: "anthropic",
  model: "claude-sonnet-5-5",
  key_hint: "…wxyz",
  key_fingerprint: "sha256:9f86d081",
  created_at: "2026-10-07T09:30:00.000Z",
  updated_at: "2026-10-07T09:30:00.000Z",
  last_used_at: "2026-10-07T14:05:12.000Z",
  breaker: { state: "closed", consecutive_failures: 0 },
};
