import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { Timestamp, Uuid } from "../common.ts";
import { Provider } from "./llm-config.ts";

const Gate = words(["weekly", "hourly"]);
const Seconds = t.Integer({ minimum: 1 });

/** Remaining slots of a limited gate. */
export const SlotLimit = t.Object({
  gate: Gate,
  cap: t.Integer(),
  used: t.Integer(),
  resets_in_seconds: Seconds,
});
export type SlotLimit = Static<typeof SlotLimit>;

/**
 * The job has a slot, or needs none because its organization has its own key (`byok`). `limits` lists the limited
 * gates, with this slot counted.
 */
export const SlotGrant = t.Object({
  granted: t.Literal(true),
  source: words(["byok", "platform"]),
  limits: t.Array(SlotLimit),
});
export type SlotGrant = Static<typeof SlotGrant>;

/** No slot was taken from either gate. `cap` and `used` belong to `gate`, which denied it. */
export const SlotDenial = t.Object({
  granted: t.Literal(false),
  reason: words(["weekly_exhausted", "hourly_exhausted", "hard_off"]),
  gate: Gate,
  cap: t.Integer(),
  used: t.Integer(),
  week_resets_at: Timestamp,
  hour_resets_at: Timestamp,
  retry_after_seconds: t.Integer({
    minimum: 1,
    description: "After exactly this time, the gate's next bucket has started",
  }),
});
export type SlotDenial = Static<typeof SlotDenial>;

/** The breaker of the organization's own key is open, so no call is made. */
export const ByokDenial = t.Object({
  granted: t.Literal(false),
  reason: t.Literal("byok_rate_limited"),
  provider: Provider,
  retry_at: Timestamp,
  retry_after_seconds: t.Integer({ minimum: 1 }),
  consecutive_failures: t.Integer(),
});
export type ByokDenial = Static<typeof ByokDenial>;

const Job = t.Object({ org_id: Uuid, job_id: Uuid });

/** Final state of a slot; absent if the job has none. */
const Ended = t.Object({ state: t.Optional(words(["consumed", "released"])) });

/**
 * Takes a slot of the platform's model for a job, or returns the reason for refusing. A job has one slot: asking
 * again extends it, and after a release takes a new one. An organization with its own key passes the gates without a
 * slot, unless its breaker is open.
 */
export const ReserveSlot = defineRequest("quota.slots.reserve", {
  callers: ["analyzer"],
  input: Job,
  output: t.Union([SlotGrant, SlotDenial, ByokDenial]),
});

/** Marks a job's slot as spent after a model call, unless it was released before. */
export const ConsumeSlot = defineRequest("quota.slots.consume", {
  callers: ["analyzer"],
  input: Job,
  output: Ended,
});

/** Returns a slot to its buckets, unless it was consumed before. */
export const ReleaseSlot = defineRequest("quota.slots.release", {
  callers: ["analyzer"],
  input: Job,
  output: Ended,
});
