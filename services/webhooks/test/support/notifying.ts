import { afterAll, beforeAll, beforeEach } from "bun:test";

import type { Input } from "@leeway/shared/contracts/contract";
import {
  CreateChannel,
  GetChannel,
  ListMessages,
  PublishNotification,
  type ChannelDelivery,
  type ChannelWithSecret,
} from "@leeway/shared/contracts/webhooks/channels";
import { testLog } from "@leeway/shared/testing/testing";

import type { MailSettings } from "../../src/notifications/mail/transport.ts";
import { startTestWebhooks, type TestWebhooks } from "../kit.ts";
import { startReceiver, type Received } from "./receiver.ts";

type ChannelInput = Partial<Input<typeof CreateChannel>>;
export interface Org {
  org_id: string;
  channel: ChannelWithSecret;
}

export const event = (more: object = {}): Input<typeof PublishNotification>["event"] => ({
  id: `evt_${crypto.randomUUID()}`,
  type: "drift.detected",
  created_at: "2026-11-20T10:00:00.000Z",
  data: { account_name: "production", changed_count: 2 },
  ...more,
});

/**
 * Starts a receiver and a service that notifies it, for the tests of one file. Messages are tried at most four times,
 * without delays.
 */
export function notifying({ mail }: { mail?: () => MailSettings } = {}) {
  const receiver = startReceiver();
  const log = testLog();
  log.level = "silent"; // most receivers here fail
  let webhooks: TestWebhooks;
  beforeAll(async () => {
    webhooks = await startTestWebhooks({
      egressAllow: [receiver.host],
      ...(mail && { mail: mail() }),
      ladderSeconds: [0, 0, 0],
      log,
    });
  });
  afterAll(async () => {
    await webhooks.stop();
    await receiver.stop();
  });
  beforeEach(() => receiver.answer(() => new Response()));

  async function newOrg(more: ChannelInput = {}): Promise<Org> {
    const org_id = crypto.randomUUID();
    return { org_id, channel: await newChannel(org_id, more) };
  }

  function newChannel(org_id: string, more: ChannelInput = {}): Promise<ChannelWithSecret> {
    return webhooks.call(CreateChannel, {
      org_id,
      created_by: { type: "system", id: "test" },
      kind: "webhook",
      name: "on-call",
      events: ["drift.detected", "drift.resolved", "scan.failed"],
      target: { url: `${receiver.url}/${org_id}` },
      ...more,
    });
  }

  const publish = (org_id: string, more: Partial<Input<typeof PublishNotification>> = {}) =>
    webhooks.call(PublishNotification, { org_id, event: event(), ...more });

  const deliveries = async ({ org_id, channel }: Org): Promise<ChannelDelivery[]> =>
    (await webhooks.call(ListMessages, { org_id, channel_id: channel.id, limit: 500 })).data;

  /** Waits until none of an organization's deliveries is pending and returns them. */
  async function settled(org: Org): Promise<ChannelDelivery[]> {
    for (;;) {
      const data = await deliveries(org);
      if (data.every(({ status }) => status !== "pending")) return data;
      await Bun.sleep(10);
    }
  }

  return {
    receiver,
    log,
    get webhooks() {
      return webhooks;
    },
    newOrg,
    newChannel,
    publish,
    deliveries,
    settled,
    sentTo: ({ org_id }: Org): Received[] => receiver.received.filter(({ body }) => body.includes(org_id)),
    channelOf: ({ org_id, channel }: Org) => webhooks.call(GetChannel, { org_id, channel_id: channel.id }),
  };
}
