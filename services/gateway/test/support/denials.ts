import type { ByokDenial, SlotDenial } from "@leeway/shared/contracts/quota/slots";

const WEEK_END = "2026-10-12T00:00:00Z";
const HOUR_END = "2026-10-07T15:00:00Z";
export const DENIED: SlotDenial = {
  granted: false,
  reason: "weekly_exhausted",
  gate: "weekly",
  cap: 5,
  used: 5,
  week_resets_at: WEEK_END,
  hour_resets_at: HOUR_END,
  retry_after_seconds: 2_400,
};
export const BYOK: ByokDenial = {
  granted: false,
  reason: "byok_rate_limited",
  provider: "anthropic",
  retry_at: HOUR_END,
  retry_after_seconds: 60,
  consecutive_failures: 5,
};
export const HOURLY: SlotDenial = {
  ...DENIED,
  reason: "hourly_exhausted",
  gate: "hourly",
  cap: 20,
  used: 20,
};
