import { Type as t, type Static } from "@sinclair/typebox";

import { defineBodyRequest, defineEvent, defineRequest, words } from "../../contract.ts";
import { page, PageInput, Timestamp, Uuid } from "../common.ts";
import { Source } from "./events.ts";

export const OUTCOMES = ["pending", "processed", "ignored", "failed"] as const;

/** One call of a source that was verified, and what became of it. */
export const Delivery = t.Object({
  id: Uuid,
  config_id: Uuid,
  source: Source,
  kind: t.Optional(t.String({ description: "What the event is; absent when that can't be told" })),
  body_sha256: t.String(),
  size: t.Integer({ description: "Bytes of its body" }),
  received_at: Timestamp,
  outcome: words(OUTCOMES),
  reason: t.Optional(t.String({ description: "Why it was ignored or failed, or has no comment" })),
  attempts: t.Integer(),
  processed_at: t.Optional(Timestamp),
  job_id: t.Optional(t.String({ ...Uuid, description: "The analysis of its plan" })),
  comment_url: t.Optional(t.String()),
});
export type Delivery = Static<typeof Delivery>;

/** What a source is told of its call. */
const Receipt = t.Union([
  t.Object({ status: words(["accepted", "duplicate", "ignored"]), delivery_id: Uuid }),
  t.Object({ status: words(["unauthorized", "over_limit", "repository_mismatch"]) }),
]);
export type Receipt = Static<typeof Receipt>;

/** Takes one call: its body, and what its sender proves itself with. */
export const ReceiveDelivery = defineBodyRequest("webhooks.deliveries.receive", {
  input: t.Object({
    org_id: Uuid,
    source: Source,
    credential: t.Optional(t.String({ description: "The signature, or the secret itself; as it was sent" })),
    over_limit: t.Optional(
      t.Literal(true, { description: "Too much came from its source: it is verified, and not taken" }),
    ),
  }),
  output: Receipt,
  // Its owner gives up on the database before that, and then the answer is its own: who can't be verified is refused.
  timeoutMs: 2_700,
});

export const ListDeliveries = defineRequest("webhooks.deliveries.list", {
  input: t.Object({ ...PageInput, config_id: Uuid, outcome: t.Optional(words(OUTCOMES)) }),
  output: page(Delivery),
});
export const ReplayDelivery = defineRequest("webhooks.deliveries.replay", {
  input: t.Object({ org_id: Uuid, config_id: Uuid, delivery_id: Uuid }),
  output: Delivery,
});

/** Notes what became of a delivery's comment. */
export const NoteDelivery = defineRequest("webhooks.deliveries.note", {
  input: t.Object({
    org_id: Uuid,
    delivery_id: Uuid,
    comment_url: t.Optional(t.String()),
    reason: t.Optional(t.String({ maxLength: 200 })),
  }),
  output: t.Object({}),
});

/** Deliveries that were stored together wait to be worked off. */
export const DeliveriesAccepted = defineEvent("webhooks.deliveries.accepted", {
  stream: "DELIVERIES",
  payload: t.Object({ org_id: Uuid, delivery_ids: t.Array(Uuid, { minItems: 1, maxItems: 64 }) }),
});
