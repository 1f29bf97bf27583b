/** Samples of the platform model's usage, as those in examples.ts. */

export const LLM_USAGE = {
  weekly_used: 3,
  weekly_cap: 5,
  week_resets_at: "2026-10-12T00:00:00Z",
  hourly_used: 0,
  hourly_cap: -1,
  hour_resets_at: "2026-10-07T15:00:00Z",
  byok_configured: false,
  plan: "free",
};
export const LLM_USAGE_DAY = { date: "2026-10-07", consumed: 2, held: 1, released: 0 };
