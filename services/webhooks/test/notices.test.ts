import { CreateChannel, ListMessages, type Channel } from "@leeway/shared/contracts/webhooks/channels";
import { GetConfig } from "@leeway/shared/contracts/webhooks/configs";
import { failureOf } from "@leeway/shared/testing";
import { afterAll, beforeAll, expect, test } from "bun:test";

import { createActivity } from "../src/configs/activity.ts";
import { tellExpiringTokens } from "../src/notifications/expiring.ts";
import { forgetNotifications } from "../src/notifications/store/notifications.ts";
import { planEvent, startTestWebhooks, type TestWebhooks } from "./kit.ts";
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
const toldTo = async (org_id: string, channel_id: string) =>
  (await webhooks.call(ListMessages, { org_id, channel_id, limit: 100 })).data;

test("a config that rejects five calls in a row is told of once a day, however many good ones come between", async () => {
  const orgId = crypto.randomUUID();
  const channel = await newChannel(orgId, ["webhook_config.rejecting"]);
  const config = await webhooks.newConfig(orgId, { name: "atlantis" });
  const activity = createActivity(webhooks.database, webhooks.dependencies.publisher);
  const now = new Date();
  const reject = async (times: number, at = now): Promise<number> => {
    for (let call = 0; call < times; call += 1) activity.rejected(orgId, [config.id], "credential_wrong");
    await activity.flush(at);
    return (await toldTo(orgId, channel.id)).length;
  };
  expect(await reject(4)).toBe(0);
  expect(await reject(1)).toBe(1);
  expect(await reject(7)).toBe(1);
  activity.accepted(orgId, config.id, "accepted");
  await activity.flush(now);
  expect(await reject(6)).toBe(1);
  const tomorrow = new Date(now.getTime() + 86_400_000);
  expect(await reject(1, tomorrow)).toBe(2);
  expect(await reject(1, tomorrow)).toBe(2);
});

test("what is told of a config that rejects leads to it", async () => {
  const orgId = crypto.randomUUID();
  await newChannel(orgId, ["webhook_config.rejecting"]);
  const config = await webhooks.newConfig(orgId, { name: "atlantis" });
  for (let call = 0; call < 5; call += 1) await webhooks.receive(orgId, "planner", planEvent(), "sha256=bad");
  const named = ({ body }: { body: string }): boolean => body.includes(config.id);
  while (!receiver.received.some(named)) await Bun.sleep(10);
  const { data, url } = JSON.parse(receiver.received.find(named)?.body ?? "{}");
  expect(data).toEqual({
    config_id: config.id,
    source: "planner",
    name: "atlantis",
    consecutive_rejects: 5,
    reason: expect.any(String),
  });
  expect(url).toEndWith(`/orgs/${orgId}/webhooks/${config.id}`);
});

test("a token with seven days left is told of once a day, and one with eight isn't", async () => {
  const now = new Date();
  const tomorrow = new Date(now.getTime() + 86_400_000);
  const told = async (days: number): Promise<number[]> => {
    const orgId = crypto.randomUUID();
    const channel = await newChannel(orgId, ["vcs_token.expiring"]);
    const api_token = host.issue({ expires_at: dayFrom(now, days) });
    await webhooks.newConfig(orgId, { source: "vcs", api_token, provider_base_url: host.url });
    const counts: number[] = [];
    for (const at of [now, now, tomorrow]) {
      await tellExpiringTokens(webhooks.database, webhooks.dependencies.publisher, at);
      counts.push((await toldTo(orgId, channel.id)).length);
    }
    return counts;
  };
  expect(await told(7)).toEqual([1, 1, 2]);
  expect(await told(8)).toEqual([0, 0, 0]);
});

test("what happened to configs is written down though that of another organization can't be", async () => {
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId, { name: "atlantis" });
  const { activity } = webhooks.dependencies;
  activity.accepted("no organization", config.id, "accepted");
  activity.accepted(orgId, config.id, "duplicate");
  await failureOf(activity.flush());
  const known = await webhooks.call(GetConfig, { org_id: orgId, config_id: config.id });
  expect(known).toMatchObject({ last_status: "duplicate", last_event_at: expect.any(String) });
});

test("what was told long ago is forgotten part by part, and what waits to be told isn't", async () => {
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
  const forget = () => forgetNotifications(webhooks.database.system, { days: 30, toldDays: 400, atMost: 3 });
  expect([await forget(), await forget()]).toEqual([3, 2]);
  const left = await toldTo(orgId, id);
  expect(left.map(({ message_id }) => message_id).toSorted()).toEqual(["28", "29", "35"]);
  const events = await admin<{ id: string }[]>`select id from webhooks.notifications where org_id = ${orgId}`;
  expect(events.map((event) => event.id).toSorted()).toEqual(["29", "30"]);
});

test("to forget what was told long ago nothing of what is kept is looked at", async () => {
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
    await tx`select webhooks.forget_notifications(30, 400, 1000)`;
    const [row] = await tx<{ read: number }[]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read
        from pg_stat_xact_user_tables
       where schemaname = 'webhooks' and relname in ('notifications', 'messages', 'told')
    `;
    return row?.read;
  });
  expect(read).toBeLessThan(100);
});
