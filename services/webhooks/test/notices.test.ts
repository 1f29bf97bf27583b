import { CreateChannel, ListMessages, type Channel } from "@leeway/shared/contracts/webhooks/channels";
import { GetConfig } from "@leeway/shared/contracts/webhooks/configs";
import { failureOf } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createActivity } from "../src/configs/activity.ts";
import { publishExpiringTokens } from "../src/notifications/expiring.ts";
import { forgetNotifications } from "../src/notifications/store/notifications.ts";
import { planEvent, signed, startTestWebhooks, type TestWebhooks } from "./kit.ts";
import { dayFrom, startCodeHost, type CodeHost } from "./support/code-host.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";

let host: CodeHost;
let receiver: Receiver;
let webhooks: TestWebhooks;
beforeAll(async () => {
  host = await startCodeHost({ project: "platform/network" });
  receiver = startReceiver();
  webhooks = await startTestWebhooks({ egressAllow: [host.host, receiver.host] });
});
afterAll(async () => {
  await webhooks.stop();
  await receiver.stop();
  await host.stop();
});

const newChannel = (org_id: string, events: Channel["events"]) =>
  webhooks.call(CreateChannel, {
    org_id,
    created_by: { type: "system", id: "test" },
    kind: "webhook",
    name: "a",
    events,
    target: { url: receiver.url },
  });
const messagesTo = async (org_id: string, channel_id: string) =>
  (await webhooks.call(ListMessages, { org_id, channel_id, limit: 100 })).data;

test("a known sender that starts failing causes one notification a day", async () => {
  const orgId = crypto.randomUUID();
  const channel = await newChannel(orgId, ["webhook_config.rejecting"]);
  const config = await webhooks.newConfig(orgId, { name: "atlantis" });
  const activity = createActivity(webhooks.database, webhooks.dependencies.publisher);
  const now = new Date();
  const sender = "192.0.2.7";
  const reject = async (times: number, at = now): Promise<number> => {
    for (let call = 0; call < times; call += 1)
      activity.rejected(orgId, [config.id], { reason: "credential_wrong", sender });
    await activity.flush(at);
    return (await messagesTo(orgId, channel.id)).length;
  };
  const accept = () => activity.accepted(orgId, config.id, { status: "accepted", sender });
  accept();
  expect(await reject(4)).toBe(0);
  expect(await reject(1)).toBe(1);
  expect(await reject(7)).toBe(1);
  accept();
  await activity.flush(now);
  expect(await reject(6)).toBe(1);
  const tomorrow = new Date(now.getTime() + 86_400_000);
  expect(await reject(1, tomorrow)).toBe(2);
  expect(await reject(1, tomorrow)).toBe(2);
});

test("strangers who guess at a webhook cause no notification, from any number of addresses", async () => {
  const orgId = crypto.randomUUID();
  const channel = await newChannel(orgId, ["webhook_config.rejecting"]);
  const config = await webhooks.newConfig(orgId, { name: "atlantis" });
  const activity = createActivity(webhooks.database, webhooks.dependencies.publisher);
  for (let round = 0; round < 3; round += 1) {
    activity.accepted(orgId, config.id, { status: "accepted", sender: "192.0.2.7" });
    for (let guess = 0; guess < 3_000; guess += 1) {
      const sender = guess % 2 === 0 ? "198.51.100.1" : `203.0.113.${guess % 250}`;
      activity.rejected(orgId, [config.id], { reason: "credential_wrong", sender });
    }
    activity.rejected(orgId, [config.id], { reason: "credential_missing", sender: undefined });
    await activity.flush();
  }
  expect(await messagesTo(orgId, channel.id)).toEqual([]);
  const known = await webhooks.test.admin`select sender from webhooks.senders where config_id = ${config.id}`;
  expect(known.map(({ sender }) => sender)).toEqual(["192.0.2.7"]);
  const shown = await webhooks.call(GetConfig, { org_id: orgId, config_id: config.id });
  expect(shown).toMatchObject({ consecutive_rejects: 3_001, last_reject: { reason: "credential_missing" } });
});

test("the notification about a rejected sender names it and links to the webhook", async () => {
  const orgId = crypto.randomUUID();
  await newChannel(orgId, ["webhook_config.rejecting"]);
  const config = await webhooks.newConfig(orgId, { name: "atlantis" });
  const sender = "192.0.2.7";
  const body = planEvent();
  await webhooks.receive(orgId, "planner", body, { credential: signed(config.raw_secret, body), sender });
  for (let call = 0; call < 5; call += 1)
    await webhooks.receive(orgId, "planner", planEvent(), { credential: "sha256=bad", sender });
  const named = ({ body }: { body: string }): boolean => body.includes(config.id);
  while (!receiver.received.some(named)) await Bun.sleep(10);
  const { data, url } = JSON.parse(receiver.received.find(named)?.body ?? "{}");
  expect(data).toEqual({
    config_id: config.id,
    source: "planner",
    sender,
    name: "atlantis",
    consecutive_rejects: 5,
    reason: expect.any(String),
  });
  expect(url).toEndWith(`/orgs/${orgId}/webhooks/${config.id}`);
});

test("an expiring token is reported daily from seven days before", async () => {
  const now = new Date();
  const tomorrow = new Date(now.getTime() + 86_400_000);
  const noticeCounts = async (days: number): Promise<number[]> => {
    const orgId = crypto.randomUUID();
    const channel = await newChannel(orgId, ["vcs_token.expiring"]);
    const api_token = host.issue({ expires_at: dayFrom(now, days) });
    await webhooks.newConfig(orgId, { source: "vcs", api_token, provider_base_url: host.url });
    const counts: number[] = [];
    for (const at of [now, now, tomorrow]) {
      await publishExpiringTokens(webhooks.database, webhooks.dependencies.publisher, at);
      counts.push((await messagesTo(orgId, channel.id)).length);
    }
    return counts;
  };
  expect(await noticeCounts(7)).toEqual([1, 1, 2]);
  expect(await noticeCounts(8)).toEqual([0, 0, 0]);
});

test("activity of configs is stored although that of another organization can't be", async () => {
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId, { name: "atlantis" });
  const { activity } = webhooks.dependencies;
  activity.accepted("no organization", config.id, { status: "accepted", sender: undefined });
  activity.accepted(orgId, config.id, { status: "duplicate", sender: undefined });
  await failureOf(activity.flush());
  const known = await webhooks.call(GetConfig, { org_id: orgId, config_id: config.id });
  expect(known).toMatchObject({ last_status: "duplicate", last_event_at: expect.any(String) });
});

test("old notifications are deleted in parts, without the pending ones", async () => {
  const orgId = crypto.randomUUID();
  const { id } = await newChannel(orgId, ["scan.failed"]);
  const { admin } = webhooks.test;
  await admin`
    insert into webhooks.notifications (org_id, id, type, created_at, content, published_at)
    select ${orgId}, n::text, 'scan.failed', now(), '{}', now() - make_interval(days => n) from generate_series(29, 35) n
  `;
  await admin`
    insert into webhooks.messages (
      org_id, id, channel_id, message_id, type, notification_ids, status, next_attempt_at, created_at
    )
    select ${orgId}, gen_random_uuid(), ${id}, n::text, 'scan.failed', array[n::text],
           case n when 35 then 'pending' else 'delivered' end, now() + interval '1 day', now() - make_interval(days => n)
      from generate_series(28, 35) n
  `;
  const forget = () => forgetNotifications(webhooks.database.system, 3);
  expect([await forget(), await forget()]).toEqual([true, false]);
  const left = await messagesTo(orgId, id);
  expect(left.map(({ message_id }) => message_id).toSorted()).toEqual(["28", "29", "35"]);
  const events = await admin<{ id: string }[]>`select id from webhooks.notifications where org_id = ${orgId}`;
  expect(events.map((event) => event.id).toSorted()).toEqual(["29", "30"]);
});

test("deleting old notifications doesn't read the ones that are kept", async () => {
  const orgId = crypto.randomUUID();
  const { id } = await newChannel(orgId, ["scan.failed"]);
  const { admin } = webhooks.test;
  await admin`
    insert into webhooks.notifications (org_id, id, type, created_at, content)
    select ${orgId}, n::text, 'scan.failed', now(), '{}' from generate_series(1, 20000) n
  `;
  await admin`
    insert into webhooks.messages (
      org_id, id, channel_id, message_id, type, notification_ids, status, next_attempt_at
    )
    select ${orgId}, gen_random_uuid(), ${id}, n::text, 'scan.failed', array[n::text], 'delivered', now()
      from generate_series(1, 20000) n
  `;
  await admin`
    insert into webhooks.told (org_id, change_key, content_sha256)
    select ${orgId}, n::text, '' from generate_series(1, 20000) n
  `;
  await admin`analyze webhooks.notifications, webhooks.messages, webhooks.told`;
  const read = await admin.begin(async (tx) => {
    await tx`select webhooks.forget_notifications(30, 31, 400, 1000)`;
    const [row] = await tx<{ read: number }[]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read
        from pg_stat_xact_user_tables
       where schemaname = 'webhooks' and relname in ('notifications', 'messages', 'told')
    `;
    return row?.read;
  });
  expect(read).toBeLessThan(100);
});
