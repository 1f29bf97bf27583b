import { answer, answerBody, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import { healthOf } from "@leeway/shared/contracts/common";
import * as channels from "@leeway/shared/contracts/webhooks/channels";
import * as comments from "@leeway/shared/contracts/webhooks/comments";
import * as configs from "@leeway/shared/contracts/webhooks/configs";
import * as deliveries from "@leeway/shared/contracts/webhooks/deliveries";
import type { Cursors } from "@leeway/shared/cursor";
import { AppError } from "@leeway/shared/errors";
import { pageOf } from "@leeway/shared/pages";
import { readinessOf } from "@leeway/shared/service";

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
import type { Outbox } from "./deliveries/outbox.ts";
import { replayDelivery } from "./deliveries/replay.ts";
import { listDeliveries, noteDelivery } from "./deliveries/store/deliveries.ts";
import {
  changeChannel,
  createChannel,
  findChannel,
  redeliver,
  removeChannel,
  shown,
  testChannel,
  type ChannelDependencies,
} from "./notifications/channels.ts";
import type { Publisher } from "./notifications/publish.ts";
import { getChannel, listChannels } from "./notifications/store/channels.ts";
import { listMessages } from "./notifications/store/messages.ts";
import { receive, type ReceiverDependencies } from "./receiving/receive.ts";

/** What the webhooks service works with. */
export interface Dependencies
  extends ConfigDependencies, ReceiverDependencies, CommentDependencies, ChannelDependencies {
  publisher: Publisher;
  outbox: Outbox;
  cursors: Cursors;
}

/** Everything the webhooks service answers, one line a contract. */
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
    answer(deliveries.NoteDelivery, async ({ org_id, delivery_id, comment_url, reason }) => {
      await noteDelivery(deps.database.org(org_id), delivery_id, { commentUrl: comment_url, reason });
      return {};
    }),
    answer(deliveries.ReplayDelivery, (input) => replayDelivery(deps, input)),
    answerJson(deliveries.ListDeliveries, async (input) => {
      const { org_id, config_id: configId, outcome } = input;
      const sql = database.org(org_id);
      if (!(await getConfig(sql, configId))) throw new AppError("not_found", "no such webhook config");
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
    answer(channels.RedeliverMessage, (input) => redeliver(deps, input)),
    answer(channels.PublishNotification, (input) => publisher.publish(input)),
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
        throw new AppError("not_found", "no such notification channel");
      return pageOf(cursors, "notification-deliveries", input, {
        fetch: ({ from, limit }) => listMessages(sql, { channelId, status }, { before: from, limit }),
        json: JSON.stringify,
      });
    }),
  ];
}
