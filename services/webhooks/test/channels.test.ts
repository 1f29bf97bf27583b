import {
  CreateChannel,
  DeleteChannel,
  GetChannel,
  ListChannels,
  ListMessages,
  PublishNotification,
  RedeliverMessage,
  TestChannel,
  UpdateChannel,
} from "@leeway/shared/contracts/webhooks/channels";
import { PurgeWebhooks } from "@leeway/shared/contracts/webhooks/configs";
import { failureOf } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { startTestWebhooks, type TestWebhooks } from "./kit.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";

let receiver: Receiver;
let webhooks: TestWebhooks;
beforeAll(async () => {
  receiver = startReceiver();
  webhooks = await startTestWebhooks({ egressAllow: [receiver.host] });
});
afterAll(async () => {
  await webhooks.stop();
  await receiver.stop();
});

const by = { created_by: { type: "person" as const, id: "ada" } };
const channelInput = (more: object = {}) => ({
  ...by,
  kind: "webhook" as const,
  name: "on-call",
  events: ["drift.detected" as const],
  target: { url: `${receiver.url}?token=hush` },
  ...more,
});
const create = (org_id: string, more: object = {}) =>
  webhooks.call(CreateChannel, { org_id, ...channelInput(more) });

describe("a channel", () => {
  test("shows its secret once, and only the host of its URL", async () => {
    const org_id = crypto.randomUUID();
    const { secret = "", ...channel } = await create(org_id);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(channel).toEqual({
      id: expect.any(String),
      kind: "webhook",
      name: "on-call",
      events: ["drift.detected"],
      min_risk: "none",
      digest: "none",
      enabled: true,
      target: { host: receiver.host },
      consecutive_failures: 0,
      ...by,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const one = { org_id, channel_id: channel.id };
    expect(await webhooks.call(GetChannel, one)).toEqual(channel);
    expect(await webhooks.call(ListChannels, { org_id, limit: 10 })).toEqual({ data: [channel] });
    const rows = await webhooks.test
      .admin`select c::text as row from webhooks.channels c where org_id = ${org_id}`;
    for (const hidden of ["hush", secret.slice(6)]) {
      expect(JSON.stringify(rows)).not.toContain(hidden);
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(hidden).toString("hex"));
    }
  });

  test.each(["slack", "teams"])("for %s has no secret", async (kind) => {
    expect(await create(crypto.randomUUID(), { kind })).not.toHaveProperty("secret");
  });

  test.each([
    ["a private address", { target: { url: "http://10.0.0.1/" } }, "target.url must be public https"],
    [
      "a cloud metadata address",
      { target: { url: "https://169.254.169.254/" } },
      "target.url must be public https",
    ],
    [
      "an unresolvable host",
      { target: { url: "https://leeway.invalid/" } },
      "target.url has a host name that can't be resolved",
    ],
    ["no URL", { target: {} }, "target.url is required"],
    [
      "e-mail addresses for a webhook",
      { target: { to: ["a@example.com"] } },
      "target.to is only allowed for e-mail; set target.url",
    ],
    [
      "e-mail without a mail server",
      { kind: "email", target: { to: ["a@example.com"] } },
      "kind email isn't available on this server; the operator must set SMTP_URL and SMTP_FROM",
    ],
  ])("with %s is refused", async (_, more, message) => {
    const failed = await failureOf(create(crypto.randomUUID(), more));
    expect(failed).toMatchObject({ code: "invalid_parameter", message });
  });

  test.each([
    ["an unknown event", { events: ["drift.invented"] }],
    ["no event", { events: [] }],
    ["a line feed in an address", { kind: "email", target: { to: ["a@example.com\r\nBcc: b"] } }],
    ["an unknown field", { color: "red" }],
  ])("with %s is refused", async (_, more) => {
    expect(await failureOf(create(crypto.randomUUID(), more))).toMatchObject({
      code: expect.stringMatching(/^invalid_/),
    });
  });

  test("can be updated, but not with a refused URL", async () => {
    const org_id = crypto.randomUUID();
    const { id } = await create(org_id);
    const one = { org_id, channel_id: id };
    const changed = await webhooks.call(UpdateChannel, {
      ...one,
      name: "b",
      min_risk: "high",
      digest: "daily",
    });
    expect(changed).toMatchObject({ name: "b", min_risk: "high", digest: "daily", enabled: true });
    const bad = webhooks.call(UpdateChannel, { ...one, name: "c", target: { url: "https://10.1.1.1" } });
    expect(await failureOf(bad)).toMatchObject({ code: "invalid_parameter" });
    expect(await failureOf(webhooks.call(UpdateChannel, one))).toMatchObject({ code: "empty_update" });
    expect(await webhooks.call(GetChannel, one)).toEqual(changed);
  });

  test("created again after a lost response is the same one, with the same secret", async () => {
    const org_id = crypto.randomUUID();
    const id = { channel_id: Bun.randomUUIDv7() };
    const [made, again] = await Promise.all([create(org_id, id), create(org_id, id)]);
    expect(again).toEqual(made);
    expect((await webhooks.call(ListChannels, { org_id, limit: 10 })).data).toHaveLength(1);
  });

  test("is refused beyond twenty, even in concurrent requests", async () => {
    const org_id = crypto.randomUUID();
    const made = await Promise.allSettled(Array.from({ length: 40 }, () => create(org_id)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    expect(await failureOf(create(org_id))).toMatchObject({ code: "conflict" });
    const { next_cursor: cursor = "" } = await webhooks.call(ListChannels, { org_id, limit: 15 });
    expect((await webhooks.call(ListChannels, { org_id, limit: 15, cursor })).data).toHaveLength(5);
  });

  test("takes its pending messages along when deleted", async () => {
    const org_id = crypto.randomUUID();
    const { id } = await create(org_id, { digest: "daily" });
    const event = {
      id: "evt_1",
      type: "drift.detected" as const,
      created_at: new Date().toISOString(),
      data: {},
    };
    await webhooks.call(PublishNotification, { org_id, event });
    await webhooks.call(DeleteChannel, { org_id, channel_id: id });
    const [left] = await webhooks.test
      .admin`select count(*)::int as n from webhooks.messages where org_id = ${org_id}`;
    expect(left?.["n"]).toBe(0);
  });
});

test.each([
  ["read", GetChannel, {}],
  ["changed", UpdateChannel, { enabled: false }],
  ["tested", TestChannel, {}],
  ["deleted", DeleteChannel, {}],
  ["used to list deliveries", ListMessages, { limit: 10 }],
  ["used to redeliver a message", RedeliverMessage, { delivery_id: crypto.randomUUID() }],
] as const)("an unknown or another organization's channel can't be %s", async (_, contract, more) => {
  const org_id = crypto.randomUUID();
  const { id } = await create(org_id);
  for (const wrong of [
    { org_id: crypto.randomUUID(), channel_id: id },
    { org_id, channel_id: org_id },
  ]) {
    const failed = await failureOf(webhooks.call<typeof contract>(contract, { ...wrong, ...more }));
    expect(failed).toMatchObject({ code: "not_found" });
  }
  expect(await webhooks.call(GetChannel, { org_id, channel_id: id })).toMatchObject({ enabled: true });
});

test("purging an organization deletes its channels, notifications and messages", async () => {
  const org_id = crypto.randomUUID();
  await create(org_id, { digest: "daily" });
  const event = {
    id: "evt_1",
    type: "drift.detected" as const,
    created_at: new Date().toISOString(),
    data: {},
  };
  await webhooks.call(PublishNotification, { org_id, event, change_key: "drift" });
  await webhooks.call(PurgeWebhooks, { org_id });
  for (const table of ["channels", "notifications", "told", "messages"]) {
    const rows = await webhooks.test.admin.unsafe(`select 1 from webhooks.${table} where org_id = $1`, [
      org_id,
    ]);
    expect(rows, table).toHaveLength(0);
  }
});
