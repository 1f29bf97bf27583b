import type { Input } from "@leeway/shared/contracts/contract";
import {
  CreateChannel,
  GetChannel,
  ListMessages,
  PublishNotification,
  RedeliverMessage,
  TestChannel,
  UpdateChannel,
  type Channel,
  type ChannelDelivery,
} from "@leeway/shared/contracts/webhooks/channels";
import { testLog } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { startTestWebhooks, type TestWebhooks } from "./kit.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { MANNERS, startRawReceiver, type RawReceiver } from "./support/raw-receiver.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

let receiver: Receiver;
/** A receiver that must never be called. */
let canary: Receiver;
let raw: RawReceiver;
let webhooks: TestWebhooks;
const log = testLog();
log.level = "silent"; // most receivers here fail

beforeAll(async () => {
  receiver = startReceiver();
  canary = startReceiver();
  raw = startRawReceiver();
  webhooks = await startTestWebhooks({ egressAllow: [receiver.host, canary.host, raw.host], log });
});
afterAll(async () => {
  await webhooks.stop();
  await receiver.stop();
  await canary.stop();
  raw.stop();
});
beforeEach(() => receiver.answer(() => new Response()));

interface Org {
  org_id: string;
  channel: Channel;
}

async function newOrg(url: (orgId: string) => string = (id) => `${receiver.url}/${id}`): Promise<Org> {
  const org_id = crypto.randomUUID();
  return { org_id, channel: await newChannel(org_id, url(org_id)) };
}

const newChannel = (org_id: string, url: string): Promise<Channel> =>
  webhooks.call(CreateChannel, {
    org_id,
    created_by: { type: "system", id: "test" },
    kind: "webhook",
    name: "on-call",
    events: ["scan.failed", "notification_channel.disabled"],
    target: { url },
  });

async function publish({ org_id }: Org, id = `evt_${crypto.randomUUID()}`): Promise<string> {
  const event: Input<typeof PublishNotification>["event"] = {
    id,
    type: "scan.failed",
    created_at: new Date().toISOString(),
    data: { scan_id: id },
  };
  await webhooks.call(PublishNotification, { org_id, event });
  return id;
}

const deliveries = async ({ org_id, channel }: Org): Promise<ChannelDelivery[]> =>
  (await webhooks.call(ListMessages, { org_id, channel_id: channel.id, limit: 500 })).data;
const channelOf = ({ org_id, channel }: Org): Promise<Channel> =>
  webhooks.call(GetChannel, { org_id, channel_id: channel.id });

const isDue = ({ next_attempt_at: at }: ChannelDelivery) => at !== undefined && Date.parse(at) <= Date.now();

/** Waits until every due message of an organization has been tried, and returns the messages. */
async function tried(org: Org): Promise<ChannelDelivery[]> {
  for (;;) {
    const data = await deliveries(org);
    if (!data.some(isDue)) return data;
    await Bun.sleep(20);
  }
}

/** Moves the organization's next attempts into the past. */
async function passes({ org_id }: Org, seconds: number): Promise<void> {
  await webhooks.test.admin`
    update webhooks.messages
       set next_attempt_at = next_attempt_at - make_interval(secs => ${seconds})
     where org_id = ${org_id}
       and status = 'pending'
  `;
}

const idsTo = ({ org_id }: Org): string[] =>
  receiver.received
    .filter(({ body }) => body.includes(org_id))
    .map(({ headers }) => headers.get("webhook-id") ?? "");

describe("a receiver", () => {
  test("that is down for an hour gets each message once after it recovers", async () => {
    const org = await newOrg();
    let isDown = true;
    receiver.answer(() => new Response(null, { status: isDown ? 503 : 200 }));
    const sent: string[] = [];
    for (let minutes = 0; minutes < 60; minutes += 10) {
      sent.push(await publish(org), await publish(org));
      await tried(org);
      await passes(org, 10 * MINUTE);
      await tried(org);
    }
    expect(await channelOf(org)).toMatchObject({ enabled: true, consecutive_failures: 0 });
    isDown = false;
    const before = idsTo(org).length;
    for (let hours = 0; hours < 3; hours += 1) {
      await passes(org, HOUR);
      await tried(org);
    }
    const after = idsTo(org).slice(before);
    expect(after.toSorted()).toEqual(sent.toSorted());
    const data = await deliveries(org);
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set(["delivered"]));
    expect(Math.max(...data.map(({ attempts }) => attempts))).toBeLessThanOrEqual(5);
  });

  test("whose response was lost gets the message again with the same id", async () => {
    const org = await newOrg();
    let calls = 0;
    receiver.answer(({ body }) => {
      if (!body.includes(org.org_id)) return new Response();
      calls += 1;
      return new Response(null, { status: calls === 1 ? 504 : 200 });
    });
    const id = await publish(org);
    await tried(org);
    await passes(org, 10);
    expect(await tried(org)).toMatchObject([{ status: "delivered", attempts: 2 }]);
    expect(idsTo(org)).toEqual([id, id]);
  });

  test.each([
    ["longer than the retry delay", "1800", 30 * MINUTE],
    ["less than the retry delay", "1", 5],
    ["more than an hour", "86400", HOUR],
  ])("that asks for a pause of %s gets it for all pending messages", async (_, after, seconds) => {
    const org = await newOrg();
    const { promise: published, resolve } = Promise.withResolvers<void>();
    receiver.answer(async () => {
      await published;
      return new Response(null, { status: 429, headers: { "retry-after": after } });
    });
    const sent = [await publish(org), await publish(org)];
    while (idsTo(org).length === 0) await Bun.sleep(5);
    const answered = Date.now();
    resolve();
    const [second, first] = await tried(org);
    const waits = [first, second].map((one) => (Date.parse(one?.next_attempt_at ?? "") - answered) / 1000);
    if (seconds > 5) {
      expect(idsTo(org)).toEqual(sent.slice(0, 1));
      expect(waits[1]).toBeGreaterThanOrEqual(seconds - 1);
    }
    expect(waits[0]).toBeGreaterThanOrEqual(seconds - 1);
    expect(Math.max(...waits)).toBeLessThan(seconds * 1.1 + 5);
  });

  test("that asks for a pause gets it for new messages too, until its address changes", async () => {
    const org = await newOrg();
    const named = { org_id: org.org_id, channel_id: org.channel.id };
    receiver.answer(() => new Response(null, { status: 503, headers: { "retry-after": "1800" } }));
    const first = await publish(org);
    const [held] = await tried(org);
    const second = await publish(org);
    const [waiting] = await tried(org);
    expect(waiting).toMatchObject({ event_ids: [second], status: "pending", attempts: 0 });
    expect(waiting?.next_attempt_at).toBe(held?.next_attempt_at);
    await webhooks.call(UpdateChannel, { ...named, digest: "hourly" });
    await publish(org);
    const [digest] = await deliveries(org);
    expect(Date.parse(digest?.next_attempt_at ?? "")).toBeGreaterThanOrEqual(
      Date.parse(held?.next_attempt_at ?? ""),
    );
    expect(idsTo(org)).toEqual([first]);
    receiver.answer(() => new Response());
    const target = { url: `${receiver.url}/other/${org.org_id}` };
    await webhooks.call(UpdateChannel, { ...named, digest: "none", target });
    expect((await tried(org))[0]).toMatchObject({ type: "digest", status: "delivered" });
    const last = await publish(org);
    expect((await tried(org))[0]).toMatchObject({ event_ids: [last], status: "delivered" });
    expect(idsTo(org)).toEqual([first, digest?.message_id ?? "", last]);
  });

  test("that recovers gets a pending message as soon as a redelivery is requested", async () => {
    const org = await newOrg();
    receiver.answer(() => new Response(null, { status: 503 }));
    const id = await publish(org);
    const [waiting] = await tried(org);
    await passes(org, -HOUR);
    receiver.answer(() => new Response());
    const which = { org_id: org.org_id, channel_id: org.channel.id, delivery_id: waiting?.id ?? "" };
    await webhooks.call(RedeliverMessage, which);
    expect(await tried(org)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    expect(idsTo(org)).toEqual([id, id]);
  });

  test("that is gone is reported to the organization's other channels only", async () => {
    const org = await newOrg((id) => `${receiver.url}/gone/${id}`);
    const other: Org = { org_id: org.org_id, channel: await newChannel(org.org_id, `${receiver.url}/other`) };
    const stranger = await newOrg();
    receiver.answer(({ body, path }) => {
      const isGone = body.includes(org.org_id) && path.includes("/gone/");
      return new Response(null, { status: isGone ? 410 : 200 });
    });
    await publish(org);
    await tried(org);
    while ((await deliveries(other)).length < 2) await Bun.sleep(20);
    await tried(other);
    const bodies = receiver.received
      .filter(({ path, body }) => path.endsWith("/other") && body.includes(org.org_id))
      .map(({ body }) => JSON.parse(body));
    const { disabled_at, disabled_reason, id } = await channelOf(org);
    expect(bodies.find(({ type }) => type === "notification_channel.disabled")).toMatchObject({
      data: { channel_id: id, kind: "webhook", name: "on-call", reason: disabled_reason, disabled_at },
    });
    expect(disabled_reason).toBe("the receiver answered 410 Gone");
    expect((await deliveries(org)).map(({ type }) => type)).toEqual(["scan.failed"]);
    expect(await deliveries(stranger)).toEqual([]);
  });

  test("that fails for several channels is reported to those still enabled", async () => {
    const org_id = crypto.randomUUID();
    const channels = await Promise.all(
      Array.from({ length: 6 }, (_, n) => newChannel(org_id, `${receiver.url}/${n}`)),
    );
    receiver.answer(() => new Response(null, { status: 410 }));
    await Promise.all([1, 2, 3].map(() => publish({ org_id, channel: channels[0]! })));
    for (const channel of channels) {
      while ((await channelOf({ org_id, channel })).enabled) await Bun.sleep(20);
      const data = await tried({ org_id, channel });
      expect(new Set(data.map(({ status }) => status))).toEqual(new Set(["failed"]));
    }
  });

  test("that redirects isn't followed", async () => {
    const org = await newOrg();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer(({ body }) =>
        body.includes(org.org_id)
          ? new Response(null, { status, headers: { location: canary.url } })
          : new Response(),
      );
      await webhooks.call(TestChannel, { org_id: org.org_id, channel_id: org.channel.id });
      const [delivery] = await tried(org);
      expect(delivery).toMatchObject({
        status: "failed",
        reason: `the receiver answered ${status}; redirects aren't followed`,
      });
    }
    expect(canary.received).toEqual([]);
  });
});

describe("a receiver", () => {
  const orgs = new Map<string, Org>();
  beforeAll(async () => {
    for (const manner of MANNERS) orgs.set(manner, await newOrg(() => raw.urlOf(manner)));
    for (const { org_id, channel } of orgs.values()) {
      await webhooks.call(TestChannel, { org_id, channel_id: channel.id });
    }
  });

  test("that works doesn't wait for the failing ones", async () => {
    const good = await newOrg();
    await publish(good);
    expect(await tried(good)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    const silent = orgs.get("silent");
    expect(silent && (await deliveries(silent))).toMatchObject([{ status: "pending" }]);
  });

  test.each([
    ["that resets the connection", "reset", "can't reach"],
    ["that doesn't speak HTTP", "garbage", "can't reach"],
    ["that accepts and never responds", "silent", "can't reach"],
    ["that sends its headers too slowly", "trickle-headers", "can't reach"],
  ])("%s fails within ten seconds", async (_, manner, reason) => {
    const org = orgs.get(manner);
    if (!org) throw new Error("no such manner");
    const [delivery] = await tried(org);
    expect(delivery).toMatchObject({
      status: "failed",
      attempts: 1,
      reason: expect.stringContaining(reason),
    });
  });

  test.each([
    ["resets the connection in its body", "reset-body"],
    ["sends 10 MB", "flood"],
    ["sends 10 MB compressed to 10 KB", "bomb"],
    ["sends its body too slowly", "trickle-body"],
  ])("that answers 2xx counts as reached although it %s", async (_, manner) => {
    const org = orgs.get(manner);
    if (!org) throw new Error("no such manner");
    expect(await tried(org)).toMatchObject([{ status: "delivered", attempts: 1, response_status: 200 }]);
  });
});
