import { Type as t, type Static } from "@sinclair/typebox";

import { defineBodyRequest, defineEvent, defineRequest, words } from "../contract.ts";
import { sealed } from "../sealed.ts";
import { page, PageInput, Timestamp, Uuid } from "../common.ts";
import { Source } from "./events.ts";

export const OUTCOMES = ["pending", "processed", "ignored", "failed"] as const;

/** One verified webhook call, with its outcome. */
export const Delivery = t.Object({
  id: Uuid,
  config_id: Uuid,
  source: Source,
  kind: t.Optional(t.String({ description: "Kind of event. Absent if unknown" })),
  body_sha256: t.String(),
  size: t.Integer({ description: "Size of the body in bytes" }),
  received_at: Timestamp,
  outcome: words(OUTCOMES),
  reason: t.Optional(t.String({ description: "Why it was ignored or failed, or has no comment" })),
  attempts: t.Integer(),
  processed_at: t.Optional(Timestamp),
  job_id: t.Optional(t.String({ ...Uuid, description: "Job that analyzes the plan" })),
  comment_url: t.Optional(t.String()),
});
export type Delivery = Static<typeof Delivery>;

/** Response to a webhook call. */
const Receipt = t.Union([
  t.Object({ status: words(["accepted", "duplicate", "ignored"]), delivery_id: Uuid }),
  t.Object({ status: words(["unauthorized", "over_limit", "repository_mismatch"]) }),
]);
export type Receipt = Static<typeof Receipt>;

/** Accepts one webhook call: its body and its sender's credential. */
export const ReceiveDelivery = defineBodyRequest("webhooks.deliveries.receive", {
  input: t.Object({
    org_id: Uuid,
    source: Source,
    credential: t.Optional(sealed(t.String({ description: "Signature or secret, as sent" }))),
    sender: t.Optional(t.String({ maxLength: 64, description: "Address or network of the sender" })),
    over_limit: t.Optional(
      t.Literal(true, {
        description: "The source exceeded its rate limit. The call is verified but not stored",
      }),
    ),
  }),
  output: Receipt,
  // The service gives up on the database before this timeout, and refuses calls that it couldn't verify.
  timeoutMs: 2_700,
});

export const ListDeliveries = defineRequest("webhooks.deliveries.list", {
  fromReplica: true,
  input: t.Object({ ...PageInput, config_id: Uuid, outcome: t.Optional(words(OUTCOMES)) }),
  output: page(Delivery),
});
export const ReplayDelivery = defineRequest("webhooks.deliveries.replay", {
  input: t.Object({ org_id: Uuid, config_id: Uuid, delivery_id: Uuid }),
  output: Delivery,
});

/** Stores the outcome of a delivery's comment. */
export const NoteDelivery = defineRequest("webhooks.deliveries.note", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    delivery_id: Uuid,
    comment_url: t.Optional(t.String()),
    reason: t.Optional(t.String({ maxLength: 200 })),
  }),
  output: t.Object({}),
});

const DeliveryIds = t.Array(Uuid, { minItems: 1, maxItems: 64 });

/** Announces deliveries that were stored together and wait to be processed. */
export const DeliveryAccepted = defineEvent("webhooks.delivery.accepted", {
  stream: "DELIVERIES",
  payload: t.Object({ org_id: Uuid, delivery_ids: DeliveryIds }),
});

/**
 * Reads the bodies of pending deliveries, which counts as an attempt of each. Returns those with an event. The others
 * are ended: ignored, or failed because their body can't be read.
 */
export const ReadDeliveries = defineRequest("webhooks.deliveries.read", {
  callers: ["analyzer"],
  input: t.Object({ org_id: Uuid, delivery_ids: DeliveryIds }),
  output: t.Object({
    deliveries: t.Array(
      t.Object({
        delivery_id: Uuid,
        config_id: Uuid,
        replays: t.Integer({ description: "Number of replays before this run" }),
        event: t.String({ description: "`InboundEvent` as JSON, with secrets masked" }),
      }),
    ),
  }),
  timeoutMs: 20_000,
});

/** Ends pending deliveries as processed, or as failed if `failure` says why. Other deliveries stay unchanged. */
export const EndDeliveries = defineRequest("webhooks.deliveries.end", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    deliveries: t.Array(
      t.Object({
        delivery_id: Uuid,
        replays: t.Optional(t.Integer({ description: "Only ends this run; by default the current one" })),
        job_id: t.Optional(t.String({ ...Uuid, description: "Job that analyzes the plan" })),
        failure: t.Optional(t.String({ maxLength: 500 })),
      }),
      { minItems: 1, maxItems: 64 },
    ),
  }),
  output: t.Object({}),
});
