import { describe, expect, test } from "bun:test";

import { UpdateChannel } from "@leeway/shared/contracts/webhooks/channels";
import { failureOf } from "@leeway/shared/testing/testing";

import { signatureHeaders } from "../src/notifications/signature.ts";
import { gatherMessage } from "../src/notifications/store/digests.ts";
import { event, notifying } from "./support/notifying.ts";

const service = notifying();
const { receiver, newOrg, newChannel, publish, deliveries, settled, sentTo, channelOf } = service;

describe("a webhook", () => {
  test("gets an event with a signature it can verify", async () => {
    const org = await newOrg();
    const sent = event({ url: "https://leeway.example.com/x" });
    expect(await publish(org.org_id, { event: sent })).toEqual({ status: "accepted", messages: 1 });
    const [delivery] = await settled(org);
    expect(delivery).toMatchObject({
      message_id: sent.id,
      type: "drift.detected",
      event_ids: [sent.id],
      status: "delivered",
      attempts: 1,
      response_status: 200,
    });
    const [{ headers, body } = { headers: new Headers(), body: "{}" }] = sentTo(org);
    const { id, type, created_at, data, url } = sent;
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
    expect(Math.abs(Date.now() / 1000 - timestamp)).toBeLessThan(120);
    const expected = signatureHeaders(org.channel.secret ?? "", { id: sent.id, timestamp, body });
    for (const [name, value] of Object.entries(expected)) expect(headers.get(name)).toBe(value);
    expect((await channelOf(org)).last_delivered_at).toBeDefined();
  });

  test("gets a link to the page about an event without its own", async () => {
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

  test("gets a link to the change itself if there is only one", async () => {
    const org = await newOrg();
    const fingerprint = `dc1_${"0".repeat(32)}`;
    const data = { drift_snapshot_id: crypto.randomUUID(), changes: [{ fingerprint }] };
    await publish(org.org_id, { event: event({ data }) });
    await settled(org);
    const url = `https://leeway.example.com/orgs/${org.org_id}/drift/${fingerprint}`;
    expect(JSON.parse(sentTo(org)[0]?.body ?? "")).toMatchObject({ url });
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

describe("a published event", () => {
  test("with a repeated id is sent once", async () => {
    const org = await newOrg();
    const sent = event();
    const both = await Promise.all([
      publish(org.org_id, { event: sent }),
      publish(org.org_id, { event: sent }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["accepted", "duplicate"]);
    expect(await settled(org)).toHaveLength(1);
  });

  test("is sent to enabled channels that want it at its risk level", async () => {
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

  test("about the same subject is sent only after a change", async () => {
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

  test("is limited to 64 KiB", async () => {
    const failed = await failureOf(
      publish(crypto.randomUUID(), { event: event({ data: { text: "x".repeat(70_000) } }) }),
    );
    expect(failed).toMatchObject({ code: "payload_too_large" });
  });

  test("with an id that would be ambiguous in a signature is refused", async () => {
    const failed = await failureOf(publish(crypto.randomUUID(), { event: event({ id: "evt_1.2" }) }));
    expect(failed).toMatchObject({ code: "invalid_parameter" });
  });
});

describe("a digest", () => {
  test("contains all events until its time, including concurrent ones", async () => {
    const org = await newOrg({ digest: "hourly" });
    const events = Array.from({ length: 12 }, () => event());
    await Promise.all(events.map((event) => publish(org.org_id, { event })));
    const [waiting, ...none] = await deliveries(org);
    expect(none).toEqual([]);
    expect(waiting).toMatchObject({ type: "digest", status: "pending", attempts: 0 });
    expect(waiting?.next_attempt_at).toMatch(/:00:00\.000Z$/);
    expect(waiting?.event_ids.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
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

  test("planned for midnight is sent on the hour once the channel asks for that", async () => {
    const org = await newOrg({ digest: "daily" });
    await publish(org.org_id);
    const change = { org_id: org.org_id, channel_id: org.channel.id, digest: "hourly" as const };
    await service.webhooks.call(UpdateChannel, change);
    await publish(org.org_id);
    const [waiting, ...none] = await deliveries(org);
    expect(none).toEqual([]);
    expect(waiting?.event_ids).toHaveLength(2);
    expect(Date.parse(waiting?.next_attempt_at ?? "") - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  test("is sent on the next hour or at once after the channel's setting changes", async () => {
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

  test("is sent at midnight UTC, even on a day when the database's clock changes", async () => {
    const org = await newOrg({ digest: "daily" });
    const now = new Date();
    /** Day of the year, from 0. */
    const today = Math.floor((now.getTime() - Date.UTC(now.getUTCFullYear(), 0, 1)) / 86_400_000);
    const message = { id: Bun.randomUUIDv7(), channelId: org.channel.id, messageId: "evt_1", type: "digest" };
    await service.webhooks.database.transaction(org.org_id, async (tx) => {
      await tx`select set_config('timezone', ${`AAA0BBB,${today}/1,${(today + 100) % 365}/1`}, true)`;
      await gatherMessage(tx, { ...message, notificationIds: [] }, "daily");
    });
    const [waiting] = await deliveries(org);
    expect(waiting?.next_attempt_at).toMatch(/T00:00:00\.000Z$/);
  });

  test("that is full is sent next to a new one", async () => {
    const org = await newOrg({ digest: "daily" });
    for (let count = 0; count < 101; count += 1) await publish(org.org_id);
    expect((await deliveries(org)).map(({ event_ids }) => event_ids.length)).toEqual([1, 100]);
  });
});

describe("a chat message", () => {
  const nasty = { account_name: "<!channel> *x* [a](https://evil.example)\r\nBcc: eve@evil.example" };

  test("to Slack has blocks with names as plain text", async () => {
    const org = await newOrg({ kind: "slack", target: { url: `${receiver.url}/slack` } });
    const before = receiver.received.length;
    await publish(org.org_id, { event: event({ data: nasty }) });
    await settled(org);
    const { body, headers } = receiver.received[before]!;
    expect(headers.get("webhook-signature")).toBeNull();
    const { text } = JSON.parse(body).blocks[0];
    expect(text).toMatchObject({ type: "plain_text" });
    expect(text.text).toStartWith("<!channel> *x* [a](https://evil.example) Bcc: eve@evil.example: drift: ");
  });

  test("to Teams is an Adaptive Card", async () => {
    const org = await newOrg({ kind: "teams", target: { url: `${receiver.url}/teams` } });
    const before = receiver.received.length;
    await publish(org.org_id, { event: event({ data: nasty }) });
    await settled(org);
    const [{ contentType, content }] = JSON.parse(receiver.received[before]!.body).attachments;
    expect(contentType).toBe("application/vnd.microsoft.card.adaptive");
    expect(content).toMatchObject({ type: "AdaptiveCard", version: "1.4" });
    expect(content.body[0].inlines[0]).toMatchObject({ type: "TextRun" });
  });
});
