import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
import { RiskLevel } from "../analyzer/analysis.ts";
import { Actor, nameUpTo, NewId, page, PageInput, Timestamp, Uuid } from "../common.ts";

/** What an organization can be told of. */
export const NOTIFICATION_EVENTS = [
  "scan.failed",
  "scan_schedule.disabled",
  "iac_source.unreadable",
  "drift.detected",
  "drift.resolved",
  "posture.degraded",
  "vcs_token.expiring",
  "quota.exhausted",
  "byok.breaker_opened",
  "webhook_config.rejecting",
  "notification_channel.disabled",
] as const;

export const CHANNEL_KINDS = ["webhook", "slack", "teams", "email"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
const Kind = words(CHANNEL_KINDS);
const Digest = words(["none", "hourly", "daily"]);
export type Digest = Static<typeof Digest>;

const Email = t.String({ format: "email", maxLength: 254, errorMessage: "must be an e-mail address" });
const Emails = t.Array(Email, { minItems: 1, maxItems: 20, uniqueItems: true });
const Events = t.Array(words(NOTIFICATION_EVENTS), {
  minItems: 1,
  maxItems: NOTIFICATION_EVENTS.length,
  uniqueItems: true,
});
const Name = nameUpTo(80);
const MinRisk = t.Unsafe<RiskLevel>({
  ...RiskLevel,
  description: "Events that have a lower level aren't told; those that have none are",
});

/** Where a channel leads: `url`, or of e-mail `to`. */
export const ChannelTarget = t.Object({
  url: t.Optional(t.String({ minLength: 1, maxLength: 2_000, writeOnly: true })),
  to: t.Optional(Emails),
});
export type ChannelTarget = Static<typeof ChannelTarget>;

/** Who is told of what, and how. */
export const Channel = t.Object({
  id: Uuid,
  kind: Kind,
  name: Name,
  events: Events,
  min_risk: MinRisk,
  digest: Digest,
  enabled: t.Boolean(),
  target: t.Object({
    host: t.Optional(t.String({ description: "All that is shown of an address: the rest may be a secret" })),
    to: t.Optional(Emails),
  }),
  consecutive_failures: t.Integer({ description: "Messages given up in a row; at ten it is disabled" }),
  disabled_at: t.Optional(Timestamp),
  disabled_reason: t.Optional(t.String({ description: "Why Leeway disabled it" })),
  last_delivered_at: t.Optional(Timestamp),
  created_by: Actor,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Channel = Static<typeof Channel>;

/** A channel with its secret, which is shown when that is made and never again. */
export const ChannelWithSecret = t.Composite([
  Channel,
  t.Object({
    secret: t.Optional(
      t.String({ description: "Of a webhook: `whsec_` and the key in base64 (Standard Webhooks)" }),
    ),
  }),
]);
export type ChannelWithSecret = Static<typeof ChannelWithSecret>;

export const NewChannel = t.Object({
  kind: Kind,
  name: Name,
  events: Events,
  target: ChannelTarget,
  min_risk: t.Optional(MinRisk),
  digest: t.Optional(Digest),
  enabled: t.Optional(t.Boolean({ default: true })),
});

export const ChannelChanges = t.Object({
  name: t.Optional(Name),
  events: t.Optional(Events),
  target: t.Optional(ChannelTarget),
  min_risk: t.Optional(MinRisk),
  digest: t.Optional(Digest),
  enabled: t.Optional(t.Boolean()),
});

export const MESSAGE_STATUSES = ["pending", "delivered", "failed"] as const;

/** One message to a channel, and what became of it. */
export const ChannelDelivery = t.Object({
  id: Uuid,
  channel_id: Uuid,
  message_id: t.String({ description: "`webhook-id`: the same each time the message is sent" }),
  type: t.String({ description: "Of the event; `digest` of several; `channel.test`" }),
  event_ids: t.Array(t.String()),
  status: words(MESSAGE_STATUSES),
  attempts: t.Integer(),
  created_at: Timestamp,
  next_attempt_at: t.Optional(Timestamp),
  last_attempt_at: t.Optional(Timestamp),
  delivered_at: t.Optional(Timestamp),
  response_status: t.Optional(t.Integer({ description: "HTTP status of the last answer" })),
  reason: t.Optional(
    t.String({ description: "Why the last attempt failed, or reached some of an e-mail's addresses only" }),
  ),
});
export type ChannelDelivery = Static<typeof ChannelDelivery>;

const One = { org_id: Uuid, channel_id: Uuid };
/** Longer than an address takes to be looked up. */
const CHECKED_MS = 10_000;

export const CreateChannel = defineRequest("webhooks.channels.create", {
  input: t.Composite([t.Object({ org_id: Uuid, channel_id: NewId, created_by: Actor }), NewChannel]),
  output: ChannelWithSecret,
  timeoutMs: CHECKED_MS,
});
export const ListChannels = defineRequest("webhooks.channels.list", {
  input: t.Object(PageInput),
  output: page(Channel),
});
export const GetChannel = defineRequest("webhooks.channels.get", {
  input: t.Object(One),
  output: Channel,
});
export const UpdateChannel = defineRequest("webhooks.channels.update", {
  input: t.Composite([t.Object(One), ChannelChanges]),
  output: ChannelWithSecret,
  timeoutMs: CHECKED_MS,
});
export const DeleteChannel = defineRequest("webhooks.channels.delete", {
  input: t.Object(One),
  output: t.Object({}),
});
export const TestChannel = defineRequest("webhooks.channels.test", {
  input: t.Object(One),
  output: t.Object({ status: t.Literal("accepted"), delivery_id: Uuid }),
});

export const ListMessages = defineRequest("webhooks.messages.list", {
  input: t.Object({ ...PageInput, channel_id: Uuid, status: t.Optional(words(MESSAGE_STATUSES)) }),
  output: page(ChannelDelivery),
});
export const RedeliverMessage = defineRequest("webhooks.messages.redeliver", {
  input: t.Object({ ...One, delivery_id: Uuid }),
  output: ChannelDelivery,
});

/** Something that an organization may want to be told of. */
export const NotificationEvent = t.Object({
  // Without dots: in what a receiver verifies they part the id from the rest.
  id: t.String({ pattern: "^evt_[A-Za-z0-9_-]{1,80}$", description: "The same each time it is published" }),
  type: words(NOTIFICATION_EVENTS),
  created_at: Timestamp,
  data: t.Record(t.String(), t.Unknown(), { description: "At most 64 KiB of JSON" }),
  url: t.Optional(t.String({ maxLength: 2_000, description: "Where it is shown" })),
});
export type NotificationEvent = Static<typeof NotificationEvent>;

/**
 * Tells every channel that wants it. An event is told once, however often it is published; one with a
 * `change_key` only when its type, level or data differ from what was last published under that key, for
 * which `prior`, `scan_id`, `drift_snapshot_id`, `snapshot_id` and what ends in `_at` don't count.
 */
export const PublishNotification = defineRequest("webhooks.notifications.publish", {
  input: t.Object({
    org_id: Uuid,
    event: NotificationEvent,
    risk_level: t.Optional(RiskLevel),
    change_key: t.Optional(t.String({ minLength: 1, maxLength: 300 })),
  }),
  output: t.Object({
    status: words(["accepted", "duplicate", "unchanged"]),
    messages: t.Integer({ description: "To how many channels it goes" }),
  }),
});
