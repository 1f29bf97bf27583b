import {
  ChannelChanges,
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

import { factsOf } from "../audited.ts";
import { actorOf } from "../auth/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import {
  CHANNEL,
  CHANNEL_DELIVERY,
  CHANNEL_WITH_SECRET,
  NEW_CHANNEL,
  TEST_TAKEN,
} from "../openapi/channel-examples.ts";
import { pageOf } from "../openapi/examples.ts";

const TAG = "Notifications";
const COLLECTION = "/api/v2/orgs/:id/notification-channels";
const ONE = `${COLLECTION}/:channel_id`;

const list = relay(ListChannels, {
  method: "GET",
  path: COLLECTION,
  operationId: "listNotificationChannels",
  tag: TAG,
  summary: "List notification channels",
  description: "Who is told of what, the oldest first. Of addresses only the host is shown.",
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
  description:
    "The target is `{url}` of a webhook, of Slack and of Teams, public https, and `{to}` of e-mail. The answer for a webhook holds the secret that signs, which is shown this once.",
  who: "admin",
  body: NewChannel,
  bodyExample: NEW_CHANNEL,
  success: {
    status: 201,
    description: "The channel, and of a webhook its secret",
    schema: CreateChannel.output,
    example: CHANNEL_WITH_SECRET,
  },
  errors: ["conflict"],
  creates: true,
  derive: ({ caller, attemptId }) => ({ channel_id: attemptId, created_by: actorOf(caller) }),
  audit: "notification_channel.create",
  auditDetails: factsOf("kind", "name", "enabled"),
  location: (orgId) => `/api/v2/orgs/${orgId}/notification-channels/`,
});

const get = relay(GetChannel, {
  method: "GET",
  path: ONE,
  operationId: "getNotificationChannel",
  tag: TAG,
  summary: "Get a notification channel",
  description: "The channel, and why Leeway disabled it if it did.",
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
    "Sets what is given. `enabled: true` also forgets the failures that disabled it. A webhook keeps its secret; where that can't be decrypted any more, it gets another one with its next target, which is shown this once.",
  who: "admin",
  body: ChannelChanges,
  bodyExample: { enabled: true },
  success: { status: 200, description: "The channel", schema: UpdateChannel.output, example: CHANNEL },
  errors: ["empty_update"],
  audit: "notification_channel.update",
  auditDetails: factsOf("kind", "name", "enabled"),
});

const remove = relay(DeleteChannel, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteNotificationChannel",
  tag: TAG,
  summary: "Delete a notification channel",
  description: "What waits for it isn't sent any more.",
  who: "admin",
  success: { status: 204, description: "It is gone" },
  audit: "notification_channel.delete",
  auditDetails: factsOf("kind", "name", "enabled"),
  deletes: GetChannel,
});

const test = relay(TestChannel, {
  method: "POST",
  path: `${ONE}/test`,
  operationId: "testNotificationChannel",
  tag: TAG,
  summary: "Test a notification channel",
  description:
    "Sends it `channel.test`, once and at once, whether or not it is enabled; its deliveries tell what came of it.",
  who: "admin",
  success: { status: 202, description: "The delivery", schema: TestChannel.output, example: TEST_TAKEN },
  limit: ({ trialLimit }) => trialLimit,
  creates: true,
  audit: "notification_channel.test",
});

const listDeliveries = relay(ListMessages, {
  method: "GET",
  path: `${ONE}/deliveries`,
  operationId: "listNotificationDeliveries",
  tag: TAG,
  summary: "List a channel's deliveries",
  description: "The messages of the last 30 days, newest first, with what became of them and why.",
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
    "Sends it now under the same `webhook-id`, with all its attempts, also while it waits for the next of them.",
  who: "admin",
  success: {
    status: 202,
    description: "The delivery",
    schema: RedeliverMessage.output,
    example: CHANNEL_DELIVERY,
  },
  limit: ({ trialLimit }) => trialLimit,
  creates: true,
  audit: "notification_delivery.redeliver",
});

export const notificationChannels: readonly Endpoint[] = [
  list,
  create,
  get,
  update,
  remove,
  test,
  listDeliveries,
  redeliver,
];
