import { answer, answerBody, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import { healthOf } from "@leeway/shared/contracts/common";
import * as channels from "@leeway/shared/contracts/webhooks/channels";
import * as code from "@leeway/shared/contracts/webhooks/code";
import * as comments from "@leeway/shared/contracts/webhooks/comments";
import * as configs from "@leeway/shared/contracts/webhooks/configs";
import * as recipients from "@leeway/shared/contracts/webhooks/recipients";
import * as deliveries from "@leeway/shared/contracts/webhooks/deliveries";
import type { Cursors } from "@leeway/shared/security/cursor";
import { AppError } from "@leeway/shared/values/errors";
import { pageOf } from "@leeway/shared/bus/pages";
import { readinessOf } from "@leeway/shared/service/service";

import { closeChangeRequest, putChangeRequest } from "./code/change-request.ts";
import { readCode, type ReadDependencies } from "./code/read-code.ts";
import {
  getHead,
  getPermission,
  putComment,
  reactToComment,
  replyToComment,
  type CommentDependencies,
} from "./code-host/comments.ts";
import {
  changeConfig,
  createConfig,
  findConfig,
  purge,
  removeConfig,
  rotateSecret,
  withUrl,
  type ConfigDependencies,
} from "./configs/configs.ts";
import { getConfig, listConfigs } from "./configs/store/configs.ts";
import type { DeliveryOutbox } from "./deliveries/outbox.ts";
import { readDeliveries } from "./deliveries/read-deliveries.ts";
import { replayDelivery } from "./deliveries/replay.ts";
import { listDeliveries, noteDelivery } from "./deliveries/store/deliveries.ts";
import { endDeliveries } from "./deliveries/store/work.ts";
import {
  askRecipient,
  changeChannel,
  createChannel,
  findChannel,
  redeliver,
  removeChannel,
  shown,
  testChannel,
  type ChannelDependencies,
} from "./notifications/channels.ts";
import { confirm, endSubscription } from "./notifications/mail/recipients.ts";
import type { Publisher } from "./notifications/publish.ts";
import { channelsOfView, getChannel, listChannels } from "./notifications/store/channels.ts";
import { listMessages } from "./notifications/store/messages.ts";
import { receive, type ReceiverDependencies } from "./receiving/receive.ts";

/** Dependencies of the service's handlers. */
export interface Dependencies
  extends
    ConfigDependencies,
    ReceiverDependencies,
    CommentDependencies,
    ReadDependencies,
    ChannelDependencies {
  publisher: Publisher;
  outbox: DeliveryOutbox;
  cursors: Cursors;
}

/** Returns every endpoint of the webhooks service. */
export function handlers(deps: Dependencies): Endpoint[] {
  return [
    ...configHandlers(deps),
    ...deliveryHandlers(deps),
    ...commentHandlers(deps),
    ...channelHandlers(deps),
  ];
}

function configHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors, publicBaseUrl } = deps;
  return [
    answer(healthOf("webhooks"), () => readinessOf(deps)),
    answer(configs.CreateConfig, (input) => createConfig(deps, input)),
    answer(configs.GetConfig, ({ org_id, config_id }) => findConfig(deps, org_id, config_id)),
    answer(configs.UpdateConfig, (input) => changeConfig(deps, input)),
    answer(configs.RotateSecret, (input) => rotateSecret(deps, input)),
    answer(configs.DeleteConfig, async ({ org_id, config_id }) => {
      await removeConfig(deps, org_id, config_id);
      return {};
    }),
    answer(configs.PurgeWebhooks, async ({ org_id }) => {
      await purge(deps, org_id);
      return {};
    }),
    answerJson(configs.ListConfigs, (input) =>
      pageOf(cursors, "webhooks", input, {
        fetch: ({ from, limit }) =>
          listConfigs(database.org(input.org_id), { source: input.source }, { after: from, limit }),
        json: (config) => JSON.stringify(withUrl(config, publicBaseUrl)),
      }),
    ),
  ];
}

function deliveryHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answerBody(deliveries.ReceiveDelivery, (call, body) => receive(deps, call, body)),
    answer(deliveries.ReadDeliveries, (input) => readDeliveries(deps, input)),
    answer(deliveries.EndDeliveries, async ({ org_id, deliveries: ended }) => {
      await endDeliveries(
        database.org(org_id),
        ended.map(({ delivery_id: id, job_id: jobId, failure: reason, replays }) => {
          return { id, jobId, reason, replays, outcome: reason === undefined ? "processed" : "failed" };
        }),
      );
      return {};
    }),
    answer(deliveries.NoteDelivery, async ({ org_id, delivery_id, comment_url, reason }) => {
      await noteDelivery(deps.database.org(org_id), delivery_id, { commentUrl: comment_url, reason });
      return {};
    }),
    answer(deliveries.ReplayDelivery, (input) => replayDelivery(deps, input)),
    answerJson(deliveries.ListDeliveries, async (input) => {
      const { org_id, config_id: configId, outcome } = input;
      const sql = database.org(org_id);
      if (!(await getConfig(sql, configId)))
        throw new AppError("not_found", "the webhook config doesn't exist");
      return pageOf(cursors, "deliveries", input, {
        fetch: ({ from, limit }) => listDeliveries(sql, { configId, outcome }, { before: from, limit }),
        json: JSON.stringify,
      });
    }),
  ];
}

function commentHandlers(deps: Dependencies): Endpoint[] {
  return [
    answer(comments.PutComment, (input) => putComment(deps, input)),
    answer(comments.ReactToComment, (input) => reactToComment(deps, input)),
    answer(comments.ReplyToComment, (input) => replyToComment(deps, input)),
    answer(comments.GetHead, (input) => getHead(deps, input)),
    answer(comments.GetPermission, (input) => getPermission(deps, input)),
    answer(code.ReadCode, (input) => readCode(deps, input)),
    answer(code.PutChangeRequest, (input) => putChangeRequest(deps, input)),
    answer(code.CloseChangeRequest, (input) => closeChangeRequest(deps, input)),
  ];
}

function channelHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors, publisher } = deps;
  return [
    answer(channels.CreateChannel, (input) => createChannel(deps, input)),
    answer(channels.GetChannel, ({ org_id, channel_id }) => findChannel(deps, org_id, channel_id)),
    answer(channels.UpdateChannel, (input) => changeChannel(deps, input)),
    answer(channels.DeleteChannel, async ({ org_id, channel_id }) => {
      await removeChannel(deps, org_id, channel_id);
      return {};
    }),
    answer(channels.TestChannel, (input) => testChannel(deps, input)),
    answer(recipients.AskRecipient, (input) => askRecipient(deps, input)),
    answer(recipients.ConfirmRecipient, async (input) => {
      await confirm(deps, input);
      return {};
    }),
    answer(recipients.UnsubscribeRecipient, async (input) => {
      await endSubscription(deps, input);
      return {};
    }),
    answer(channels.RedeliverMessage, (input) => redeliver(deps, input)),
    answer(channels.PublishNotification, (input) => publisher.publish(input)),
    answer(channels.ListChannelsOfView, async ({ org_id, view_id }) => ({
      names: await channelsOfView(database.org(org_id), view_id),
    })),
    answerJson(channels.ListChannels, (input) =>
      pageOf(cursors, "notification-channels", input, {
        fetch: ({ from, limit }) => listChannels(database.org(input.org_id), { after: from, limit }),
        json: (channel) => JSON.stringify(shown(deps, input.org_id, channel)),
      }),
    ),
    answerJson(channels.ListMessages, async (input) => {
      const { org_id, channel_id: channelId, status } = input;
      const sql = database.org(org_id);
      if (!(await getChannel(sql, channelId)))
        throw new AppError("not_found", "the notification channel doesn't exist");
      return pageOf(cursors, "notification-deliveries", input, {
        fetch: ({ from, limit }) => listMessages(sql, { channelId, status }, { before: from, limit }),
        json: JSON.stringify,
      });
    }),
  ];
}
