import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { UpdateChannel } from "@leeway/shared/contracts/webhooks/channels";
import { failureOf } from "@leeway/shared/testing";

import { signatureHeaders } from "../src/notifications/signature.ts";
import { gatherMessage } from "../src/notifications/store/digests.ts";
import { startMailServer, type MailServer } from "./support/mail-server.ts";
import { event, notifying } from "./support/notifying.ts";

let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
});
const service = notifying({ mail: () => ({ url: mailServer.url, from: "Leeway <leeway@example.com>" }) });
const { receiver, newOrg, newChannel, publish, deliveries, settled, sentTo, channelOf } = service;
afterAll(() => mailServer.stop());

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
    await service.webhooks.call(UpdateChannel, { org_id: org.org_id, channel_id: org.channel.id, target });
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
    await service.webhooks.test
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

  test("that was to come at midnight comes on the hour with what is told after the channel wants that", async () => {
    const org = await newOrg({ digest: "daily" });
    await publish(org.org_id);
    const wish = { org_id: org.org_id, channel_id: org.channel.id, digest: "hourly" as const };
    await service.webhooks.call(UpdateChannel, wish);
    await publish(org.org_id);
    const [waiting, ...none] = await deliveries(org);
    expect(none).toEqual([]);
    expect(waiting?.event_ids).toHaveLength(2);
    expect(Date.parse(waiting?.next_attempt_at ?? "") - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  test("comes when the channel wants it from now on: on the hour, or at once where it wants none any more", async () => {
    const org = await newOrg({ digest: "daily" });
    const named = { org_id: org.org_id, channel_id: org.channel.id };
    await publish(org.org_id);
    await service.webhooks.call(UpdateChannel, { ...named, digest: "hourly" });
    const [waiting] = await deliveries(org);
    expect(Date.parse(waiting?.next_attempt_at ?? "") - Date.now()).toBeLessThanOrEqual(3_600_000);
    await publish(org.org_id);
    await service.webhooks.call(UpdateChannel, { ...named, digest: "none" });
    expect(await settled(org)).toMatchObject([{ type: "digest", status: "delivered" }]);
    await publish(org.org_id);
    const [alone, digest] = await settled(org);
    expect([alone?.event_ids.length, digest?.event_ids.length]).toEqual([1, 2]);
  });

  test("comes at midnight UTC also where the database's clock changes on that day", async () => {
    const org = await newOrg({ digest: "daily" });
    const now = new Date();
    /** Of the year, from 0 on. */
    const today = Math.floor((now.getTime() - Date.UTC(now.getUTCFullYear(), 0, 1)) / 86_400_000);
    const message = { id: Bun.randomUUIDv7(), channelId: org.channel.id, messageId: "evt_1", type: "digest" };
    await service.webhooks.database.transaction(org.org_id, async (tx) => {
      await tx`select set_config('timezone', ${`AAA0BBB,${today}/1,${(today + 100) % 365}/1`}, true)`;
      await gatherMessage(tx, { ...message, notificationIds: [] }, "daily");
    });
    const [waiting] = await deliveries(org);
    expect(waiting?.next_attempt_at).toMatch(/T00:00:00\.000Z$/);
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

  test("an e-mail that some of its addresses are refused of is told as one that reached the others", async () => {
    const org = await newOrg({ kind: "email", target: { to: ["ada@example.com", "nobody@example.com"] } });
    await publish(org.org_id);
    const reason = "the mail server refused 1 of 2 addresses";
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 1, reason }]);
    expect(mailServer.mails.at(-1)?.to).toEqual(["ada@example.com"]);
  });

  test("an e-mail that one address was put off of is sent again to that address alone", async () => {
    const to = ["ada@example.com", "nobody@example.com", "later@example.com"];
    const org = await newOrg({ kind: "email", target: { to } });
    const before = mailServer.mails.length;
    mailServer.putOff(2);
    await publish(org.org_id);
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 3 }]);
    const reached = mailServer.mails.slice(before).map((mail) => mail.to);
    expect(reached).toEqual([["ada@example.com"], ["later@example.com"]]);
  });

  test("an e-mail isn't sent to an address any more that was put off and then taken from the channel", async () => {
    const org = await newOrg({ kind: "email", target: { to: ["ada@example.com", "later@example.com"] } });
    const before = mailServer.mails.length;
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    mailServer.hold(changed);
    mailServer.putOff(1);
    await publish(org.org_id);
    while (mailServer.mails.length === before) await Bun.sleep(5);
    const target = { to: ["ada@example.com", "bob@example.com"] };
    await service.webhooks.call(UpdateChannel, { org_id: org.org_id, channel_id: org.channel.id, target });
    resolve();
    const reason = "the addresses that it hadn't reached were taken from the channel";
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 2, reason }]);
    expect(mailServer.mails.slice(before).map((mail) => mail.to)).toEqual([["ada@example.com"]]);
  });

  test("an e-mail that one address is put off of for good has reached the others, who get it once", async () => {
    const org = await newOrg({ kind: "email", target: { to: ["ada@example.com", "later@example.com"] } });
    const before = mailServer.mails.length;
    mailServer.putOff(100);
    await publish(org.org_id);
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 4 }]);
    expect(mailServer.mails.slice(before).map((mail) => mail.to)).toEqual([["ada@example.com"]]);
    expect(await service.channelOf(org)).toMatchObject({ consecutive_failures: 0 });
    mailServer.putOff(0);
  });

  test("a mail server takes its time to greet, and to look through a mail", async () => {
    const org = await newOrg({ kind: "email", target: { to: ["ada@example.com"] } });
    const before = mailServer.mails.length;
    mailServer.dawdleOnce(11_000);
    await publish(org.org_id);
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    expect(mailServer.mails).toHaveLength(before + 1);
  });

  test("a mail server that refuses is tried again", async () => {
    const org = await newOrg({ kind: "email", target: { to: ["ada@example.com"] } });
    mailServer.refuseOnce("451 later");
    await publish(org.org_id);
    expect((await settled(org))[0]).toMatchObject({ status: "delivered", attempts: 2 });
  });
});
