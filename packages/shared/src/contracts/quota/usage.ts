import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest } from "../contract.ts";
import { Timestamp, Uuid } from "../common.ts";
import { RETENTION } from "../retention.ts";
import { Plan } from "./plans.ts";

const Cap = t.Integer({ description: "-1 unlimited, 0 hard-off" });
const Used = t.Integer({ description: "Always 0 for an unlimited gate" });

/** An organization's usage of the platform's model in the current buckets. */
export const LlmUsage = t.Object({
  weekly_used: Used,
  weekly_cap: Cap,
  week_resets_at: Timestamp,
  hourly_used: Used,
  hourly_cap: Cap,
  hour_resets_at: Timestamp,
  byok_configured: t.Boolean({
    description: "Whether the organization has its own key. If so, the caps are advisory",
  }),
  platform_model_configured: t.Boolean({
    description: "Whether the platform has a model. Without one and without an own key, no model is called",
  }),
  plan: Plan,
});
export type LlmUsage = Static<typeof LlmUsage>;

/** Slots by final state, for the day (UTC) on which they were taken. */
export const LlmUsageDay = t.Object({
  date: t.String({ description: "`YYYY-MM-DD`" }),
  consumed: t.Integer(),
  held: t.Integer(),
  released: t.Integer(),
});
export type LlmUsageDay = Static<typeof LlmUsageDay>;

export const GetUsage = defineRequest("quota.usage.get", {
  callers: ["gateway", "analyzer"],
  input: t.Object({ org_id: Uuid }),
  output: LlmUsage,
});

/** Returns the usage of each of the last days, including today, oldest first. */
export const GetUsageHistory = defineRequest("quota.usage.history", {
  input: t.Object({
    org_id: Uuid,
    days: t.Integer({ minimum: 1, maximum: RETENTION.reservations.days, default: 30 }),
  }),
  output: t.Object({ data: t.Array(LlmUsageDay) }),
});
