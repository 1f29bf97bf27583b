import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { keysOf } from "../../values/keys-of.ts";
import { sealed } from "../sealed.ts";
import { RiskLevel } from "../analyzer/analysis.ts";
import { Actor, Email, nameUpTo, NewId, page, PageInput, Timestamp, Uuid } from "../common.ts";
import { Recipient } from "./recipients.ts";

/** Events that a channel can subscribe to. */
export const NOTIFICATION_EVENTS = [
  "scan.failed",
  "scan_schedule.disabled",
  "iac_source.unreadable",
  "drift.detected",
  "drift.resolved",
  "posture.degraded",
  "rule.expiring",
  "vcs_token.expiring",
  "quota.exhausted",
  "byok.breaker_opened",
  "webhook_config.rejecting",
  "notification_channel.disabled",
] as const;

/** Events that report drift changes, of which a channel's view selects some. */
export const VIEWED_EVENTS: readonly (typeof NOTIFICATION_EVENTS)[number][] = [
  "drift.detected",
  "drift.resolved",
];

/** Kinds of channels, with their title and the member of the target that each needs. */
export const CHANNEL_KINDS = {
  webhook: { title: "Webhook of your own", target: "url" },
  slack: { title: "Slack", target: "url" },
  teams: { title: "Microsoft Teams", target: "url" },
  email: { title: "E-mail", target: "to" },
} as const satisfies Record<string, { title: string; target: keyof ChannelTarget }>;
export type ChannelKind = keyof typeof CHANNEL_KINDS;
const Kind = words(keysOf(CHANNEL_KINDS));
const Digest = words(["none", "hourly", "daily"]);
export type Digest = Static<typeof Digest>;

const Emails = t.Array(Email, { minItems: 1, maxItems: 20, uniqueItems: true });
const Events = t.Array(words(NOTIFICATION_EVENTS), {
  minItems: 1,
  maxItems: NOTIFICATION_EVENTS.length,
  uniqueItems: true,
});
const Name = nameUpTo(80);
const MinRisk = t.Unsafe<RiskLevel>({
  ...RiskLevel,
  description: "Events below this level aren't sent. Events without a level always are",
});

const ViewId = t.Unsafe<string>({
  ...Uuid,
  description:
    "Shared view of drift. `drift.detected` and `drift.resolved` then report only the changes that its filter selects; other events are sent as without it",
});

/** Target of a channel: `url`, or `to` for e-mail. */
export const ChannelTarget = t.Object({
  url: t.Optional(sealed(t.String({ minLength: 1, maxLength: 2_000, writeOnly: true }))),
  to: t.Optional(Emails),
});
export type ChannelTarget = Static<typeof ChannelTarget>;

/** A notification channel with its subscriptions. */
export const Channel = t.Object({
  id: Uuid,
  kind: Kind,
  name: Name,
  events: Events,
  min_risk: MinRisk,
  view_id: t.Optional(ViewId),
  digest: Digest,
  enabled: t.Boolean(),
  target: t.Object({
    host: t.Optional(
      t.String({ description: "Host of the URL. The rest may contain a secret and isn't shown" }),
    ),
    to: t.Optional(Emails),
  }),
  recipients: t.Optional(
    t.Array(Recipient, { description: "Addresses of an e-mail channel and whether they are confirmed" }),
  ),
  consecutive_failures: t.Integer({
    description: "Consecutive messages that failed for good. The tenth disables the channel",
  }),
  disabled_at: t.Optional(Timestamp),
  disabled_reason: t.Optional(t.String({ description: "Why Leeway disabled the channel" })),
  last_delivered_at: t.Optional(Timestamp),
  last_failure: t.Optional(
    t.Object(
      { at: Timestamp, reason: t.String() },
      { description: "The last attempt, if it failed. Absent after a success" },
    ),
  ),
  created_by: Actor,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Channel = Static<typeof Channel>;

/** A channel with its secret, which is only shown when the secret is created. */
export const ChannelWithSecret = t.Composite([
  Channel,
  t.Object({
    secret: t.Optional(
      sealed(
        t.String({
          description: "Signing secret of a webhook: `whsec_` and the key in base64 (Standard Webhooks)",
        }),
      ),
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
  view_id: t.Optional(ViewId),
  digest: t.Optional(Digest),
  enabled: t.Optional(t.Boolean({ default: true })),
});

export const ChannelChanges = t.Object({
  name: t.Optional(Name),
  events: t.Optional(Events),
  target: t.Optional(ChannelTarget),
  min_risk: t.Optional(MinRisk),
  view_id: t.Optional(t.Union([ViewId, t.Null()], { description: "null: all drift is reported" })),
  digest: t.Optional(Digest),
  enabled: t.Optional(t.Boolean()),
});

export const MESSAGE_STATUSES = ["pending", "delivered", "failed"] as const;

/** One message to a channel, with its status. */
export const ChannelDelivery = t.Object({
  id: Uuid,
  channel_id: Uuid,
  message_id: t.String({ description: "Value of `webhook-id`, the same for every attempt" }),
  type: t.String({
    description: "Type of the event, `digest` for several events, `channel.test` or `channel.confirmation`",
  }),
  event_ids: t.Array(t.String()),
  status: words(MESSAGE_STATUSES),
  attempts: t.Integer(),
  created_at: Timestamp,
  next_attempt_at: t.Optional(Timestamp),
  last_attempt_at: t.Optional(Timestamp),
  delivered_at: t.Optional(Timestamp),
  response_status: t.Optional(t.Integer({ description: "HTTP status of the last response" })),
  reason: t.Optional(
    t.String({ description: "Why the last attempt failed, or why an e-mail reached only some addresses" }),
  ),
});
export type ChannelDelivery = Static<typeof ChannelDelivery>;

const One = { org_id: Uuid, channel_id: Uuid };
/** Addresses that the identity provider has verified for members, which need no confirmation. */
const Members = { member_addresses: t.Optional(Emails) };
/** Longer than resolving an address takes. */
const CHECKED_MS = 10_000;

export const CreateChannel = defineRequest("webhooks.channels.create", {
  input: t.Composite([
    t.Object({ org_id: Uuid, channel_id: NewId, created_by: Actor, ...Members }),
    NewChannel,
  ]),
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
  input: t.Composite([t.Object({ ...One, ...Members }), ChannelChanges]),
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

/** Returns the channels that filter by a view. */
export const ListChannelsOfView = defineRequest("webhooks.view_channels.list", {
  callers: ["inventory"],
  input: t.Object({ org_id: Uuid, view_id: Uuid }),
  output: t.Object({ names: t.Array(t.String()) }),
});

export const ListMessages = defineRequest("webhooks.messages.list", {
  input: t.Object({ ...PageInput, channel_id: Uuid, status: t.Optional(words(MESSAGE_STATUSES)) }),
  output: page(ChannelDelivery),
});
export const RedeliverMessage = defineRequest("webhooks.messages.redeliver", {
  input: t.Object({ ...One, delivery_id: Uuid }),
  output: ChannelDelivery,
});

/** An event that an organization may subscribe to. */
export const NotificationEvent = t.Object({
  // No dots, because receivers verify a text in which dots separate the id from the rest.
  id: t.String({
    pattern: "^evt_[A-Za-z0-9_-]{1,80}$",
    description: "Id of the event, the same each time it is published",
  }),
  type: words(NOTIFICATION_EVENTS),
  created_at: Timestamp,
  data: t.Record(t.String(), t.Unknown(), { description: "At most 64 KiB of JSON" }),
  url: t.Optional(t.String({ maxLength: 2_000, description: "Dashboard page of the event" })),
});
export type NotificationEvent = Static<typeof NotificationEvent>;

/**
 * Sends an event to every channel subscribed to it, once, however often it is published. With a `change_key`, it is
 * only sent if its type, level or data differ from the last event under that key. The comparison ignores `prior`,
 * `scan_id`, `drift_snapshot_id`, `snapshot_id` and members that end in `_at`.
 */
export const PublishNotification = defineRequest("webhooks.notifications.publish", {
  callers: ["inventory", "quota"],
  input: t.Object({
    org_id: Uuid,
    event: NotificationEvent,
    risk_level: t.Optional(RiskLevel),
    change_key: t.Optional(t.String({ minLength: 1, maxLength: 300 })),
    /** Sends it only to channels that filter by this view. Without it, these get no event of `VIEWED_EVENTS`. */
    view_id: t.Optional(Uuid),
  }),
  output: t.Object({
    status: words(["accepted", "duplicate", "unchanged"]),
    messages: t.Integer({ description: "Number of channels that receive it" }),
    view_ids: t.Optional(
      t.Array(Uuid, {
        description: "Views for which the caller has to publish what they select of the event",
      }),
    ),
  }),
});
