import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest } from "../../contract.ts";
import { Timestamp, Uuid } from "../common.ts";
import { Plan } from "./plans.ts";

const Cap = t.Integer({ description: "-1 unlimited, 0 hard-off" });
const Used = t.Integer({ description: "A gate that is unlimited counts nothing" });

/** What an organization has used of the platform's model in the current buckets. */
export const LlmUsage = t.Object({
  weekly_used: Used,
  weekly_cap: Cap,
  week_resets_at: Timestamp,
  hourly_used: Used,
  hourly_cap: Cap,
  hour_resets_at: Timestamp,
  byok_configured: t.Boolean({ description: "Its own key is used; the caps are advisory" }),
  platform_model_configured: t.Boolean({
    description: "Whether the platform has a model; without one, and without an own key, none is asked",
  }),
  plan: Plan,
});
export type LlmUsage = Static<typeof LlmUsage>;

/** Slots by what became of them; of the day, in UTC, on which they were taken. */
export const LlmUsageDay = t.Object({
  date: t.String({ description: "`YYYY-MM-DD`" }),
  consumed: t.Integer(),
  held: t.Integer(),
  released: t.Integer(),
});
export type LlmUsageDay = Static<typeof LlmUsageDay>;

export const GetUsage = defineRequest("quota.usage.get", {
  input: t.Object({ org_id: Uuid }),
  output: LlmUsage,
});

/** Every one of the last days, today included, oldest first. */
export const GetUsageHistory = defineRequest("quota.usage.history", {
  input: t.Object({ org_id: Uuid, days: t.Integer({ minimum: 1, maximum: 90, default: 30 }) }),
  output: t.Object({ data: t.Array(LlmUsageDay) }),
});
