import {
  CHANNEL_KINDS,
  ChannelChanges,
  type ChannelTarget,
  CreateChannel,
  DeleteChannel,
  GetChannel,
  ListChannels,
  ListMessages,
  NewChannel,
  RedeliverMessage,
  TestChannel,
  UpdateChannel,
} from "@leeway/shared/contracts/webhooks/channels";
import { Email } from "@leeway/shared/contracts/common";
import { AskRecipient } from "@leeway/shared/contracts/webhooks/recipients";
import { asciiLower } from "@leeway/shared/values/ascii";
import { RETENTION } from "@leeway/shared/contracts/retention";
import { isObject, member } from "@leeway/shared/values/json";
import { keysOf } from "@leeway/shared/values/keys-of";
import { Type as t } from "@sinclair/typebox";

import { actorOf } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import type { Call, Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import {
  CHANNEL,
  CHANNEL_DELIVERY,
  CHANNEL_WITH_SECRET,
  NEW_CHANNEL,
  TEST_TAKEN,
} from "../examples/channels.ts";
import { pageOf } from "../examples/common.ts";
import { verifiedAmong } from "../auth/store/members.ts";

const TAG = "Notifications";
const COLLECTION = "/api/v2/orgs/:id/notification-channels";
const ONE = `${COLLECTION}/:channel_id`;
const RecipientBody = t.Object({ address: Email });

/** Lists the kinds of channels whose target has this member. */
function kindsWith(target: keyof ChannelTarget): string {
  return keysOf(CHANNEL_KINDS)
    .filter((kind) => CHANNEL_KINDS[kind].target === target)
    .map((kind) => `\`${kind}\``)
    .join(", ");
}

const list = relay(ListChannels, {
  method: "GET",
  path: COLLECTION,
  operationId: "listNotificationChannels",
  tag: TAG,
  summary: "List notification channels",
  description: "Lists channels with their subscriptions, oldest first. Only the host of a URL is shown.",
  who: "admin",
  success: {
    status: 200,
    description: "The channels",
    schema: ListChannels.output,
    example: pageOf(CHANNEL),
  },
  errors: ["invalid_cursor"],
});

const create = relay(CreateChannel, {
  method: "POST",
  path: COLLECTION,
  operationId: "createNotificationChannel",
  tag: TAG,
  summary: "Create a notification channel",
  description: `The target is \`{url}\` (public HTTPS) for ${kindsWith("url")}, and \`{to}\` for ${kindsWith("to")}. For a webhook, the response contains its signing secret, which is shown only once. E-mail addresses must confirm first, except verified addresses of members. With \`view_id\`, the channel reports only the drift that this shared view selects.`,
  who: "admin",
  body: NewChannel,
  bodyExample: NEW_CHANNEL,
  success: {
    status: 201,
    description: "The channel, with the secret of a webhook",
    schema: CreateChannel.output,
    example: CHANNEL_WITH_SECRET,
  },
  errors: ["conflict"],
  creates: true,
  derive: async (call, gateway) => ({
    channel_id: call.attemptId,
    created_by: actorOf(call.caller),
    ...(await memberAddresses(call, gateway)),
  }),
  location: (orgId) => `/api/v2/orgs/${orgId}/notification-channels/`,
});

const get = relay(GetChannel, {
  method: "GET",
  path: ONE,
  operationId: "getNotificationChannel",
  tag: TAG,
  summary: "Get a notification channel",
  description: "Returns the channel, and why Leeway disabled it if so.",
  who: "admin",
  success: { status: 200, description: "The channel", schema: GetChannel.output, example: CHANNEL },
});

const update = relay(UpdateChannel, {
  method: "PATCH",
  path: ONE,
  operationId: "updateNotificationChannel",
  tag: TAG,
  summary: "Change a notification channel",
  description:
    "Changes only the given fields. `enabled: true` also resets the failures that disabled the channel. A webhook keeps its secret. If the secret can no longer be decrypted, the next target gets a new one, which is shown only once.",
  who: "admin",
  body: ChannelChanges,
  bodyExample: { enabled: true },
  success: { status: 200, description: "The channel", schema: UpdateChannel.output, example: CHANNEL },
  errors: ["empty_update"],
  derive: memberAddresses,
});

const remove = relay(DeleteChannel, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteNotificationChannel",
  tag: TAG,
  summary: "Delete a notification channel",
  description: "Deletes the channel. Waiting messages aren't sent.",
  who: "admin",
  success: { status: 204, description: "Deleted" },
});

const test = relay(TestChannel, {
  method: "POST",
  path: `${ONE}/test`,
  operationId: "testNotificationChannel",
  tag: TAG,
  summary: "Test a notification channel",
  description:
    "Sends `channel.test` once and immediately, even if the channel is disabled. The channel's deliveries show the outcome. E-mail channels accept five tests per hour.",
  who: "admin",
  success: { status: 202, description: "The delivery", schema: TestChannel.output, example: TEST_TAKEN },
  limit: ({ trialLimit }) => trialLimit,
  creates: true,
});

const ask = relay(AskRecipient, {
  method: "POST",
  path: `${ONE}/confirmations`,
  operationId: "askNotificationRecipient",
  tag: TAG,
  summary: "Send a confirmation mail again",
  description:
    "Sends the confirmation link again: at most once an hour and three times in 30 days, fewer if other organizations also ask the address.",
  who: "admin",
  body: RecipientBody,
  bodyExample: { address: "ada@example.com" },
  success: { status: 202, description: "The delivery", schema: AskRecipient.output, example: TEST_TAKEN },
  errors: ["conflict"],
  limit: ({ trialLimit }) => trialLimit,
  creates: true,
});

const listDeliveries = relay(ListMessages, {
  method: "GET",
  path: `${ONE}/deliveries`,
  operationId: "listNotificationDeliveries",
  tag: TAG,
  summary: "List a channel's deliveries",
  description: `Lists messages of the last ${RETENTION.messages.days} days, newest first, with their outcomes and reasons.`,
  who: "admin",
  success: {
    status: 200,
    description: "The deliveries",
    schema: ListMessages.output,
    example: pageOf(CHANNEL_DELIVERY),
  },
  errors: ["invalid_cursor"],
});

const redeliver = relay(RedeliverMessage, {
  method: "POST",
  path: `${ONE}/deliveries/:delivery_id/redeliver`,
  operationId: "redeliverNotification",
  tag: TAG,
  summary: "Redeliver a message",
  description:
    "Sends the message now under the same `webhook-id`, with all its attempts, even if it is waiting for a retry. Tests and confirmations by e-mail can't be redelivered.",
  who: "admin",
  success: {
    status: 202,
    description: "The delivery",
    schema: RedeliverMessage.output,
    example: CHANNEL_DELIVERY,
  },
  errors: ["conflict"],
  limit: ({ trialLimit }) => trialLimit,
  creates: true,
});

export const notificationChannels: readonly Endpoint[] = [
  list,
  create,
  get,
  update,
  remove,
  test,
  ask,
  listDeliveries,
  redeliver,
];

/** Returns the addresses that need no confirmation, because the identity provider verified that members own them. */
async function memberAddresses(
  { orgId, body }: Call,
  { database }: Gateway,
): Promise<{ member_addresses?: string[] }> {
  const to = isObject(body) ? Reflect.get(member(body, "target") ?? {}, "to") : undefined;
  if (!Array.isArray(to)) return {};
  const verified = await verifiedAmong(
    database.org(orgId),
    to.filter((address) => typeof address === "string").map(asciiLower),
  );
  return verified.length > 0 ? { member_addresses: verified } : {};
}
