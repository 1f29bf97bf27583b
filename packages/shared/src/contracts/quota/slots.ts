import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
import { Timestamp, Uuid } from "../common.ts";
import { Provider } from "./llm-config.ts";

const Gate = words(["weekly", "hourly"]);
const Seconds = t.Integer({ minimum: 1 });

/** What is left of a finite gate. */
export const SlotLimit = t.Object({
  gate: Gate,
  cap: t.Integer(),
  used: t.Integer(),
  resets_in_seconds: Seconds,
});
export type SlotLimit = Static<typeof SlotLimit>;

/** The job has a slot, or needs none since its organization has a key of its own (`byok`); `limits` are those of the finite gates, with this slot taken. */
export const SlotGrant = t.Object({
  granted: t.Literal(true),
  source: words(["byok", "platform"]),
  limits: t.Array(SlotLimit),
});
export type SlotGrant = Static<typeof SlotGrant>;

/** No slot was taken, from neither gate. `cap` and `used` are those of `gate`, which denied. */
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
    description: "Waiting exactly that long lands in the gate's next bucket",
  }),
});
export type SlotDenial = Static<typeof SlotDenial>;

/** The breaker of the organization's own key is open: no call is made. */
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

/** Where a slot has come to; left out when the job has none. */
const Ended = t.Object({ state: t.Optional(words(["consumed", "released"])) });

/**
 * Takes a slot of the platform's model for a job, or says why there is none. A job has one slot, however
 * often it asks: asking again holds it for longer. Once it was released, asking takes another. An
 * organization with a key of its own passes the gates without a slot, unless its breaker is open.
 */
export const ReserveSlot = defineRequest("quota.slots.reserve", {
  input: Job,
  output: t.Union([SlotGrant, SlotDenial, ByokDenial]),
});

/** The model has been called: the slot is spent, unless it was released before. */
export const ConsumeSlot = defineRequest("quota.slots.consume", { input: Job, output: Ended });

/** Gives a slot back to the buckets that it came from, unless it was consumed before. */
export const ReleaseSlot = defineRequest("quota.slots.release", { input: Job, output: Ended });
