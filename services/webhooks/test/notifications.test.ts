import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Input } from "@leeway/shared/contract";
import {
  CreateChannel,
  GetChannel,
  ListMessages,
  PublishNotification,
  RedeliverMessage,
  TestChannel,
  UpdateChannel,
  type ChannelDelivery,
  type ChannelWithSecret,
} from "@leeway/shared/contracts/webhooks/channels";
import { failureOf, testLog } from "@leeway/shared/testing";

import { signatureHeaders } from "../src/notifications/signature.ts";
import { sealTarget } from "../src/notifications/target.ts";
import { RING, startTestWebhooks, type TestWebhooks } from "./kit.ts";
import { startMailServer, type MailServer } from "./support/mail-server.ts";
import { startReceiver, type Received, type Receiver } from "./support/receiver.ts";

setDefaultTimeout(20_000); // services are started, and some receivers keep them waiting

let receiver: Receiver;
let mailServer: MailServer;
let webhooks: TestWebhooks;
const log = testLog();
log.level = "silent"; // most receivers here fail

beforeAll(async () => {
  receiver = startReceiver();
  mailServer = await startMailServer();
  webhooks = await startTestWebhooks({
    egressAllow: [receiver.host],
    mail: { url: mailServer.url, from: "Leeway <leeway@example.com>" },
    ladderSeconds: [0, 0, 0],
    log,
  });
});
afterAll(async () => {
  await webhooks.stop();
  await receiver.stop();
  await mailServer.stop();
});
beforeEach(() => receiver.answer(() => new Response()));

type Wish = Partial<Input<typeof CreateChannel>>;
interface Org {
  org_id: string;
  channel: ChannelWithSecret;
}

async function newOrg(more: Wish = {}): Promise<Org> {
  const org_id = crypto.randomUUID();
  return { org_id, channel: await newChannel(org_id, more) };
}

function newChannel(org_id: string, more: Wish = {}): Promise<ChannelWithSecret> {
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

const event = (more: object = {}): Input<typeof PublishNotification>["event"] => ({
  id: `evt_${crypto.randomUUID()}`,
  type: "drift.detected",
  created_at: "2026-11-20T10:00:00.000Z",
  data: { account_name: "production", changed_count: 2 },
  ...more,
});
const publish = (org_id: string, more: Partial<Input<typeof PublishNotification>> = {}) =>
  webhooks.call(PublishNotification, { org_id, event: event(), ...more });

const deliveries = async ({ org_id, channel }: Org): Promise<ChannelDelivery[]> =>
  (await webhooks.call(ListMessages, { org_id, channel_id: channel.id, limit: 500 })).data;

/** Its deliveries once none waits any more. */
async function settled(org: Org): Promise<ChannelDelivery[]> {
  for (;;) {
    const data = await deliveries(org);
    if (data.every(({ status }) => status !== "pending")) return data;
    await Bun.sleep(10);
  }
}

const sentTo = ({ org_id }: Org): Received[] => receiver.received.filter(({ body }) => body.includes(org_id));
const channelOf = ({ org_id, channel }: Org) => webhooks.call(GetChannel, { org_id, channel_id: channel.id });

describe("a webhook", () => {
  test("gets what happened, signed so that the receiver can verify it", async () => {
    const org = await newOrg();
    const told = event({ url: "https://leeway.example.com/x" });
    expect(await publish(org.org_id, { event: told })).toEqual({ status: "accepted", messages: 1 });
    const [delivery] = await settled(org);
    expect(delivery).toMatchObject({
      message_id: told.id,
      type: "drift.detected",
      event_ids: [told.id],
      status: "delivered",
      attempts: 1,
      response_status: 200,
    });
    const [{ headers, body } = { headers: new Headers(), body: "{}" }] = sentTo(org);
    const { id, type, created_at, data, url } = told;
    expect(JSON.parse(body)).toEqual({
      id,
      type,
      created_at,
      data,
      url,
      api_version: "2026-04",
      org_id: org.org_id,
    });
    const timestamp = Number(headers.get("webhook-timestamp"));
    expect(Math.abs(Date.now() / 1000 - timestamp)).toBeLessThan(10);
    const expected = signatureHeaders(org.channel.secret ?? "", { id: told.id, timestamp, body });
    for (const [name, value] of Object.entries(expected)) expect(headers.get(name)).toBe(value);
    expect((await channelOf(org)).last_delivered_at).toBeDefined();
  });

  test("is led to the page that shows more, where the event names none", async () => {
    const org = await newOrg();
    const data = { drift_snapshot_id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90", account_name: "prod" };
    await publish(org.org_id, { event: event({ data }) });
    await settled(org);
    const page = `/orgs/${org.org_id}/drift/snapshots/${data.drift_snapshot_id}`;
    expect(JSON.parse(sentTo(org)[0]?.body ?? "")).toMatchObject({
      data,
      url: `https://leeway.example.com${page}`,
    });
  });

  test("keeps its secret when its address changes", async () => {
    const org = await newOrg();
    const target = { url: `${receiver.url}/moved` };
    await webhooks.call(UpdateChannel, { org_id: org.org_id, channel_id: org.channel.id, target });
    await publish(org.org_id);
    await settled(org);
    const [{ headers, body } = { headers: new Headers(), body: "" }] = sentTo(org);
    const id = headers.get("webhook-id") ?? "";
    const timestamp = Number(headers.get("webhook-timestamp"));
    const expected = signatureHeaders(org.channel.secret ?? "", { id, timestamp, body });
    expect(headers.get("webhook-signature")).toBe(expected["webhook-signature"] ?? "");
  });
});

describe("what is published", () => {
  test("twice under one id is told once", async () => {
    const org = await newOrg();
    const told = event();
    const both = await Promise.all([
      publish(org.org_id, { event: told }),
      publish(org.org_id, { event: told }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["accepted", "duplicate"]);
    expect(await settled(org)).toHaveLength(1);
  });

  test("goes to the channels that are on, want it, and take its level", async () => {
    const org_id = crypto.randomUUID();
    const wanting = await newChannel(org_id, { min_risk: "medium" });
    await newChannel(org_id, { min_risk: "critical" });
    await newChannel(org_id, { events: ["quota.exhausted"] });
    await newChannel(org_id, { enabled: false });
    expect(await publish(org_id, { risk_level: "high" })).toMatchObject({ messages: 1 });
    expect(await settled({ org_id, channel: wanting })).toHaveLength(1);
    expect(await publish(org_id, { risk_level: "low" })).toMatchObject({ messages: 0 });
    expect(await publish(org_id, {})).toMatchObject({ messages: 2 });
  });

  test("of one thing is told only when it has changed", async () => {
    const org = await newOrg();
    const say = async (data: Record<string, unknown>, more: object = {}) =>
      (await publish(org.org_id, { event: event({ data, ...more }), change_key: "drift a" })).status;
    expect(await say({ count: 1, list: { a: 1, b: 2 }, scan_id: "one", finished_at: "x" })).toBe("accepted");
    expect(await say({ list: { b: 2, a: 1 }, count: 1, scan_id: "two", finished_at: "y" })).toBe("unchanged");
    expect(await say({ count: 2, list: { a: 1, b: 2 } })).toBe("accepted");
    expect(await say({ count: 2, list: { a: 1, b: 2 } }, { type: "drift.resolved" })).toBe("accepted");
    expect(await say({ count: 2, list: { a: 1, b: 2 } })).toBe("accepted");
    const other = await publish(org.org_id, {
      event: event({ data: { count: 2, list: { a: 1, b: 2 } } }),
      change_key: "drift b",
    });
    expect(other.status).toBe("accepted");
  });

  test("stays within 64 KiB", async () => {
    const failed = await failureOf(
      publish(crypto.randomUUID(), { event: event({ data: { text: "x".repeat(70_000) } }) }),
    );
    expect(failed).toMatchObject({ code: "payload_too_large" });
  });

  test("under an id that could be mistaken in a signature is refused", async () => {
    const failed = await failureOf(publish(crypto.randomUUID(), { event: event({ id: "evt_1.2" }) }));
    expect(failed).toMatchObject({ code: "invalid_parameter" });
  });
});

describe("a receiver", () => {
  test("that is down gets everything once it is up, under the same ids", async () => {
    const org = await newOrg();
    let calls = 0;
    receiver.answer(({ body }) => {
      const isDown = body.includes(org.org_id) && (calls += 1) <= 2;
      return new Response(null, { status: isDown ? 503 : 204 });
    });
    const told = event();
    await publish(org.org_id, { event: told });
    const [delivery] = await settled(org);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 3, response_status: 204 });
    expect(delivery).not.toHaveProperty("reason");
    expect(sentTo(org).map(({ headers }) => headers.get("webhook-id"))).toEqual([told.id, told.id, told.id]);
  });

  test.each([
    ["that fails", () => new Response(null, { status: 500 }), "it answered 500"],
    [
      "that sends elsewhere",
      () => Response.redirect("http://169.254.169.254/latest/meta-data", 307),
      "it answered 307; redirects aren't followed",
    ],
    ["that floods", () => new Response("x".repeat(1 << 20)), "the answer is too large"],
  ])("%s is given up after the last attempt, and told why", async (_, answer, reason) => {
    const org = await newOrg();
    receiver.answer(answer);
    await publish(org.org_id);
    const [delivery] = await settled(org);
    expect(delivery).toMatchObject({ status: "failed", attempts: 4, reason });
    expect(await channelOf(org)).toMatchObject({ enabled: true, consecutive_failures: 1 });
  });

  test("that is gone disables its channel at once, with all that waits", async () => {
    const org = await newOrg();
    const { promise: published, resolve } = Promise.withResolvers<void>();
    receiver.answer(async () => {
      await published;
      return new Response(null, { status: 410 });
    });
    await publish(org.org_id);
    await publish(org.org_id);
    resolve();
    const [second, first] = await settled(org);
    expect(first).toMatchObject({ status: "failed", attempts: 1, response_status: 410 });
    expect(second).toMatchObject({ status: "failed", attempts: 0, reason: "the channel was disabled" });
    expect(await channelOf(org)).toMatchObject({
      enabled: false,
      disabled_at: expect.any(String),
      disabled_reason: "the receiver answered 410: it is gone",
    });
    expect(await publish(org.org_id)).toMatchObject({ messages: 0 });
  });

  test("that ten messages in a row don't reach has its channel disabled, and can be switched on again", async () => {
    const org = await newOrg();
    receiver.answer(() => new Response(null, { status: 404 }));
    for (let told = 0; told < 11; told += 1) await publish(org.org_id);
    await settled(org);
    const { enabled, disabled_reason } = await channelOf(org);
    expect([enabled, disabled_reason]).toEqual([
      false,
      "10 messages in a row were given up; at last: it answered 404",
    ]);
    receiver.answer(() => new Response());
    const one = { org_id: org.org_id, channel_id: org.channel.id };
    const changed = await webhooks.call(UpdateChannel, { ...one, enabled: true });
    expect(changed).toMatchObject({ enabled: true, consecutive_failures: 0 });
    expect(changed).not.toHaveProperty("disabled_reason");
    const [lost] = await deliveries(org);
    const again = await webhooks.call(RedeliverMessage, { ...one, delivery_id: lost!.id });
    expect(again).toMatchObject({ message_id: lost!.message_id });
    expect((await settled(org))[0]).toMatchObject({ status: "delivered", message_id: lost!.message_id });
  });

  test("that hangs holds up neither its organization's other channels nor others", async () => {
    const org = await newOrg();
    const other = { org_id: org.org_id, channel: await newChannel(org.org_id, { name: "other" }) };
    const stranger = await newOrg();
    const { promise, resolve } = Promise.withResolvers<Response>();
    let hanging = 0;
    receiver.answer(({ body }) =>
      body.includes(org.org_id) && (hanging += 1) === 1 ? promise : new Response(),
    );
    await publish(org.org_id);
    await publish(stranger.org_id);
    await settled(stranger);
    const states = async () =>
      [...(await deliveries(org)), ...(await deliveries(other))].map(({ status }) => status).toSorted();
    while ((await states()).join() !== "delivered,pending") await Bun.sleep(10);
    resolve(new Response());
    await settled(org);
  });

  test("that never answers is left alone after ten seconds", async () => {
    const org = await newOrg();
    const { promise, resolve } = Promise.withResolvers<Response>();
    receiver.answer(() => promise);
    await webhooks.call(TestChannel, { org_id: org.org_id, channel_id: org.channel.id });
    const [delivery] = await settled(org);
    resolve(new Response());
    expect(delivery).toMatchObject({ status: "failed", reason: `${receiver.host} can't be reached` });
  }, 20_000);

  test("whose address was public when it was saved is checked again at each use", async () => {
    const org = await newOrg({ kind: "slack" });
    const place = { orgId: org.org_id, channelId: org.channel.id };
    const sealed = sealTarget(RING, place, { kind: "slack", url: "https://169.254.169.254/hook" });
    await webhooks.test.admin`
      update webhooks.channels set sealed_target = ${sealed} where org_id = ${org.org_id}
    `;
    await webhooks.call(TestChannel, { org_id: org.org_id, channel_id: org.channel.id });
    expect(await settled(org)).toMatchObject([
      { status: "failed", reason: "the address must be public https" },
    ]);
  });

  test("is sent nothing when its sealed address was moved from another channel", async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    await webhooks.test.admin`
      update webhooks.channels
         set sealed_target = (select sealed_target from webhooks.channels where org_id = ${other.org_id})
       where org_id = ${org.org_id}
    `;
    await webhooks.call(TestChannel, { org_id: org.org_id, channel_id: org.channel.id });
    expect(await settled(org)).toMatchObject([
      { status: "failed", reason: "the channel's target can't be decrypted" },
    ]);
    expect((await channelOf(org)).target).toEqual({});
  });
});

describe("a test message", () => {
  test("reaches a channel that is off, once, and tells why it didn't get through", async () => {
    const org = await newOrg({ enabled: false });
    const one = { org_id: org.org_id, channel_id: org.channel.id };
    const { status, delivery_id } = await webhooks.call(TestChannel, one);
    expect(status).toBe("accepted");
    expect(await settled(org)).toMatchObject([
      { id: delivery_id, type: "channel.test", status: "delivered" },
    ]);
    const [{ body } = { body: "{}" }] = sentTo(org);
    expect(JSON.parse(body)).toMatchObject({ type: "channel.test", data: { channel_id: org.channel.id } });
    receiver.answer(() => new Response(null, { status: 500 }));
    await webhooks.call(TestChannel, one);
    const [failed] = await settled(org);
    expect(failed).toMatchObject({ status: "failed", attempts: 1, reason: "it answered 500" });
    expect(await channelOf(org)).toMatchObject({ consecutive_failures: 0 });
  });
});

describe("a digest", () => {
  test("is one message of all that has come until its time, also when many come at once", async () => {
    const org = await newOrg({ digest: "hourly" });
    const told = Array.from({ length: 12 }, () => event());
    await Promise.all(told.map((event) => publish(org.org_id, { event })));
    const [waiting, ...none] = await deliveries(org);
    expect(none).toEqual([]);
    expect(waiting).toMatchObject({ type: "digest", status: "pending", attempts: 0 });
    expect(waiting?.next_attempt_at).toMatch(/:00:00\.000Z$/);
    expect(waiting?.event_ids.toSorted()).toEqual(told.map(({ id }) => id).toSorted());
    await webhooks.test
      .admin`update webhooks.messages set next_attempt_at = now() where org_id = ${org.org_id}`;
    await settled(org);
    const [{ body } = { body: "{}" }, ...more] = sentTo(org);
    expect(more).toEqual([]);
    const digest = JSON.parse(body);
    expect(digest).toMatchObject({ id: waiting?.message_id, type: "digest", org_id: org.org_id });
    expect(digest.data.events).toHaveLength(12);
    await publish(org.org_id);
    expect(await deliveries(org)).toHaveLength(2);
  });

  test("that is full waits beside the next one", async () => {
    const org = await newOrg({ digest: "daily" });
    for (let told = 0; told < 101; told += 1) await publish(org.org_id);
    expect((await deliveries(org)).map(({ event_ids }) => event_ids.length)).toEqual([1, 100]);
  });
});

describe("chat and mail", () => {
  const nasty = { account_name: "<!channel> *x* [a](https://evil.example)\r\nBcc: eve@evil.example" };

  test("Slack gets blocks in which names are plain text", async () => {
    const org = await newOrg({ kind: "slack", target: { url: `${receiver.url}/slack` } });
    const before = receiver.received.length;
    await publish(org.org_id, { event: event({ data: nasty }) });
    await settled(org);
    const { body, headers } = receiver.received[before]!;
    expect(headers.get("webhook-signature")).toBeNull();
    const { text } = JSON.parse(body).blocks[0];
    expect(text).toMatchObject({ type: "plain_text" });
    expect(text.text).toStartWith("Drift was detected\naccount name: <!channel> *x*");
  });

  test("Teams gets an Adaptive Card", async () => {
    const org = await newOrg({ kind: "teams", target: { url: `${receiver.url}/teams` } });
    const before = receiver.received.length;
    await publish(org.org_id, { event: event({ data: nasty }) });
    await settled(org);
    const [{ contentType, content }] = JSON.parse(receiver.received[before]!.body).attachments;
    expect(contentType).toBe("application/vnd.microsoft.card.adaptive");
    expect(content).toMatchObject({ type: "AdaptiveCard", version: "1.4" });
    expect(content.body[1].inlines[1]).toMatchObject({ type: "TextRun" });
  });

  test("people get an e-mail whose headers nobody can add to", async () => {
    const to = ["ada@example.com", "bob@example.com"];
    const org = await newOrg({ kind: "email", target: { to } });
    expect(org.channel.target).toEqual({ to });
    await publish(org.org_id, { event: event({ data: nasty }) });
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    const mail = mailServer.mails.at(-1);
    expect(mail?.to).toEqual(to);
    const [head = ""] = mail?.data.split("\r\n\r\n") ?? [];
    expect(head).toMatch(/^From: Leeway <leeway@example.com>/m);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(head).toMatch(/^Subject: \[Leeway\] Drift was detected: /m);
  });

  test("a mail server that refuses is tried again", async () => {
    const org = await newOrg({ kind: "email", target: { to: ["ada@example.com"] } });
    mailServer.refuse("451 later");
    await publish(org.org_id);
    while ((await deliveries(org))[0]?.attempts === 0) await Bun.sleep(5);
    mailServer.refuse(undefined);
    expect((await settled(org))[0]).toMatchObject({ status: "delivered" });
  });
});

describe("processes", () => {
  test("two of them send each message once", async () => {
    const second = await startTestWebhooks({ egressAllow: [receiver.host], beside: webhooks, log });
    const orgs = await Promise.all(Array.from({ length: 8 }, () => newOrg()));
    receiver.answer(async () => {
      await Bun.sleep(5);
      return new Response();
    });
    await Promise.all(orgs.flatMap(({ org_id }) => Array.from({ length: 10 }, () => publish(org_id))));
    for (const org of orgs) {
      expect(await settled(org)).toHaveLength(10);
      const ids = sentTo(org).map(({ headers }) => headers.get("webhook-id"));
      expect([ids.length, new Set(ids).size]).toEqual([10, 10]);
    }
    await second.stop();
  });

  test("what one had leased when it died is sent by another, under the same id", async () => {
    const org = await newOrg({ digest: "daily" });
    await publish(org.org_id);
    const dead = crypto.randomUUID();
    await webhooks.test.admin`
      update webhooks.messages
         set next_attempt_at = now(), lease = ${dead}, leased_until = now() + interval '1 hour', gathering = false
       where org_id = ${org.org_id}
    `;
    await Bun.sleep(1_500);
    expect(sentTo(org)).toHaveLength(0);
    await webhooks.test.admin`
      update webhooks.messages set leased_until = now() - interval '1 second' where org_id = ${org.org_id}
    `;
    const [delivery] = await settled(org);
    expect(delivery).toMatchObject({ status: "delivered" });
    expect(sentTo(org).map(({ headers }) => headers.get("webhook-id"))).toEqual([delivery!.message_id]);
  });
});
