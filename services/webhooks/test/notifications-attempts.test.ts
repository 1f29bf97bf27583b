import { describe, expect, test } from "bun:test";

import {
  DeleteChannel,
  RedeliverMessage,
  TestChannel,
  UpdateChannel,
} from "@leeway/shared/contracts/webhooks/channels";
import { failureOf } from "@leeway/shared/testing/testing";

import { signatureHeaders } from "../src/notifications/signature.ts";
import { sealTarget } from "../src/notifications/target.ts";
import { RING, startTestWebhooks } from "./kit.ts";
import { event, notifying } from "./support/notifying.ts";

const service = notifying();
const { receiver, newOrg, newChannel, publish, deliveries, settled, sentTo, channelOf } = service;

/** Waits until `count` statements wait for a channel or its messages. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const [found] = await service.webhooks.test.admin`
      select count(*)::int as count
        from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%webhooks.channels%'
    `;
    if (found?.["count"] === count) return;
    await Bun.sleep(5);
  }
}

describe("a receiver", () => {
  test("that recovers gets all pending messages with the same ids", async () => {
    const org = await newOrg();
    let calls = 0;
    receiver.answer(({ body }) => {
      const isDown = body.includes(org.org_id) && (calls += 1) <= 2;
      return new Response(null, { status: isDown ? 503 : 204 });
    });
    const sent = event();
    await publish(org.org_id, { event: sent });
    const [delivery] = await settled(org);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 3, response_status: 204 });
    expect(delivery).not.toHaveProperty("reason");
    expect(sentTo(org).map(({ headers }) => headers.get("webhook-id"))).toEqual([sent.id, sent.id, sent.id]);
  });

  test.each([
    ["that fails", () => new Response(null, { status: 500 }), "the receiver answered 500"],
    [
      "that redirects",
      () => Response.redirect("http://169.254.169.254/latest/meta-data", 307),
      "the receiver answered 307; redirects aren't followed",
    ],
    [
      "that fails at length",
      () => new Response("x".repeat(1 << 20), { status: 500 }),
      "the receiver answered 500",
    ],
    [
      "that fails with a long response",
      () => new Response("x".repeat(1 << 20), { status: 500 }),
      "the receiver answered 500",
    ],
  ])("%s is given up after the last attempt, with the reason", async (_, answer, reason) => {
    const org = await newOrg();
    receiver.answer(answer);
    await publish(org.org_id);
    const [delivery] = await settled(org);
    expect(delivery).toMatchObject({ status: "failed", attempts: 4, reason });
    expect(await channelOf(org)).toMatchObject({ enabled: true, consecutive_failures: 1 });
  });

  test("that is gone disables its channel at once and drops pending messages", async () => {
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
      disabled_reason: "the receiver answered 410 Gone",
    });
    const written = await service.webhooks.test.admin`
      select action from webhooks.audit_outbox where org_id = ${org.org_id} order by id
    `;
    expect(written.map(({ action }) => action)).toEqual([
      "notification_channel.create",
      "notification_channel.disable",
    ]);
    expect(await publish(org.org_id)).toMatchObject({ messages: 0 });
  });

  test("that misses ten messages in a row has its channel disabled, which can be enabled again", async () => {
    const org = await newOrg();
    receiver.answer(() => new Response(null, { status: 404 }));
    for (let count = 0; count < 11; count += 1) await publish(org.org_id);
    await settled(org);
    const { enabled, disabled_reason } = await channelOf(org);
    expect([enabled, disabled_reason]).toEqual([
      false,
      "10 consecutive messages failed; last error: the receiver answered 404",
    ]);
    receiver.answer(() => new Response());
    const one = { org_id: org.org_id, channel_id: org.channel.id };
    const changed = await service.webhooks.call(UpdateChannel, { ...one, enabled: true });
    expect(changed).toMatchObject({ enabled: true, consecutive_failures: 0 });
    expect(changed).not.toHaveProperty("disabled_reason");
    const [lost] = await deliveries(org);
    const again = await service.webhooks.call(RedeliverMessage, { ...one, delivery_id: lost!.id });
    expect(again).toMatchObject({ message_id: lost!.message_id });
    expect((await settled(org))[0]).toMatchObject({ status: "delivered", message_id: lost!.message_id });
  });

  test("gets no redelivery of a message that is about to be deleted", async () => {
    const org = await newOrg();
    await publish(org.org_id);
    const [delivery] = await settled(org);
    const { webhooks } = service;
    const which = { org_id: org.org_id, channel_id: org.channel.id, delivery_id: delivery!.id };
    const redelivered = async (hoursOld: number): Promise<unknown> => {
      await webhooks.test.admin`
        update webhooks.messages set created_at = now() - make_interval(hours => ${hoursOld}) where id = ${delivery!.id}
      `;
      return webhooks.call(RedeliverMessage, which).catch((error: unknown) => error);
    };
    expect(await redelivered(30 * 24 - 1)).toMatchObject({ id: delivery!.id });
    await settled(org);
    expect(await redelivered(30 * 24 + 1)).toMatchObject({ code: "not_found" });
    expect(await settled(org)).toMatchObject([{ status: "delivered" }]);
    expect(service.sentTo(org)).toHaveLength(2);
  });

  test("that hangs delays neither other channels of its organization nor others", async () => {
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

  test("that never responds is given up after ten seconds", async () => {
    const org = await newOrg();
    const { promise, resolve } = Promise.withResolvers<Response>();
    receiver.answer(() => promise);
    await service.webhooks.call(TestChannel, { org_id: org.org_id, channel_id: org.channel.id });
    const [delivery] = await settled(org);
    resolve(new Response());
    expect(delivery).toMatchObject({ status: "failed", reason: `can't reach ${receiver.host}` });
  });

  test("whose address has become private is refused at each use", async () => {
    const org = await newOrg({ kind: "slack" });
    const place = { orgId: org.org_id, channelId: org.channel.id };
    const sealed = sealTarget(RING, place, { kind: "slack", url: "https://169.254.169.254/hook" });
    await service.webhooks.test.admin`
      update webhooks.channels set sealed_target = ${sealed} where org_id = ${org.org_id}
    `;
    await service.webhooks.call(TestChannel, { org_id: org.org_id, channel_id: org.channel.id });
    expect(await settled(org)).toMatchObject([
      { status: "failed", reason: "the address must be public https" },
    ]);
  });

  test("gets nothing when its encrypted address was copied from another channel", async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    await service.webhooks.test.admin`
      update webhooks.channels
         set sealed_target = (select sealed_target from webhooks.channels where org_id = ${other.org_id})
       where org_id = ${org.org_id}
    `;
    await service.webhooks.call(TestChannel, { org_id: org.org_id, channel_id: org.channel.id });
    expect(await settled(org)).toMatchObject([
      { status: "failed", reason: "the channel's target can't be decrypted" },
    ]);
    expect((await channelOf(org)).target).toEqual({});
  });

  test("of a kind that this version doesn't know gets no message of another kind", async () => {
    const org = await newOrg();
    await service.webhooks.test.admin`
      update webhooks.channels set kind = 'pigeon' where org_id = ${org.org_id}
    `;
    await publish(org.org_id);
    expect(await settled(org)).toMatchObject([
      { status: "failed", reason: "this server doesn't know channels of kind pigeon" },
    ]);
    expect(receiver.received.filter(({ path }) => path.includes(org.org_id))).toEqual([]);
    const one = { org_id: org.org_id, channel_id: org.channel.id };
    const target = { url: `${receiver.url}/${org.org_id}` };
    expect(await failureOf(service.webhooks.call(UpdateChannel, { ...one, target }))).toMatchObject({
      code: "unavailable",
      message: "this server doesn't know channels of kind pigeon yet",
    });
  });

  test("whose encrypted address can't be read can be given a new one", async () => {
    const target = { url: `${receiver.url}/slack` };
    const org = await newOrg({ kind: "slack", target });
    const one = { org_id: org.org_id, channel_id: org.channel.id };
    await service.webhooks.test.admin`
      update webhooks.channels set sealed_target = 'lost' where org_id = ${org.org_id}
    `;
    const changed = await service.webhooks.call(UpdateChannel, { ...one, target });
    expect(changed.target).toEqual({ host: receiver.host });
    await service.webhooks.call(TestChannel, one);
    expect(await settled(org)).toMatchObject([{ status: "delivered" }]);
  });

  test("whose secret can't be decrypted gets a new one with its next address, shown once", async () => {
    const target = { url: `${receiver.url}/hook` };
    const org = await newOrg({ target });
    const one = { org_id: org.org_id, channel_id: org.channel.id };
    await service.webhooks.test.admin`
      update webhooks.channels set sealed_target = 'lost' where org_id = ${org.org_id}
    `;
    const { secret = "" } = await service.webhooks.call(UpdateChannel, { ...one, target });
    expect(secret).not.toBe(org.channel.secret ?? "");
    expect(await service.webhooks.call(UpdateChannel, { ...one, target })).not.toHaveProperty("secret");
    await service.webhooks.call(TestChannel, one);
    expect(await settled(org)).toMatchObject([{ status: "delivered" }]);
    const [{ headers, body } = { headers: new Headers(), body: "" }] = sentTo(org);
    const [id, at] = [headers.get("webhook-id") ?? "", Number(headers.get("webhook-timestamp"))];
    const signed = signatureHeaders(secret, { id, timestamp: at, body });
    expect(headers.get("webhook-signature")).toBe(signed["webhook-signature"] ?? "none");
  });
});

describe("a test message", () => {
  test("reaches a disabled channel once, and reports its failure", async () => {
    const org = await newOrg({ enabled: false });
    const one = { org_id: org.org_id, channel_id: org.channel.id };
    const { status, delivery_id } = await service.webhooks.call(TestChannel, one);
    expect(status).toBe("accepted");
    expect(await settled(org)).toMatchObject([
      { id: delivery_id, type: "channel.test", status: "delivered" },
    ]);
    const [{ body } = { body: "{}" }] = sentTo(org);
    expect(JSON.parse(body)).toMatchObject({ type: "channel.test", data: { channel_id: org.channel.id } });
    receiver.answer(() => new Response(null, { status: 500 }));
    await service.webhooks.call(TestChannel, one);
    const [failed] = await settled(org);
    expect(failed).toMatchObject({ status: "failed", attempts: 1, reason: "the receiver answered 500" });
    expect(await channelOf(org)).toMatchObject({ consecutive_failures: 0 });
  });

  test("that succeeds doesn't reset the count of failed messages", async () => {
    const org = await newOrg();
    receiver.answer(() => new Response(null, { status: 500 }));
    await publish(org.org_id);
    await settled(org);
    receiver.answer(() => new Response());
    await service.webhooks.call(TestChannel, { org_id: org.org_id, channel_id: org.channel.id });
    expect((await settled(org))[0]).toMatchObject({ type: "channel.test", status: "delivered" });
    const tried = { consecutive_failures: 1, last_delivered_at: expect.any(String) };
    expect(await channelOf(org)).toMatchObject(tried);
  });
});

describe("a channel", () => {
  test("can be deleted while a message is being delivered to it", async () => {
    const org = await newOrg();
    const one = { org_id: org.org_id, channel_id: org.channel.id };
    const { promise: answer, resolve: deliver } = Promise.withResolvers<Response>();
    receiver.answer(() => answer);
    await service.webhooks.call(TestChannel, one);
    while (sentTo(org).length === 0) await Bun.sleep(5);
    const { removed } = await service.webhooks.test.admin.begin(async (tx) => {
      await tx`select from webhooks.channels where id = ${org.channel.id} for share`;
      const removed = service.webhooks.call(DeleteChannel, one);
      await waiting(1);
      deliver(new Response());
      await waiting(2);
      // A statement that waits for the channel doesn't hold locks on its messages yet.
      await tx`select from webhooks.messages where channel_id = ${org.channel.id} for update nowait`;
      return { removed };
    });
    expect(await removed).toEqual({});
  });
});

describe("two processes", () => {
  test("send each message once", async () => {
    const second = await startTestWebhooks({
      egressAllow: [receiver.host],
      beside: service.webhooks,
      log: service.log,
    });
    const orgs = await Promise.all(Array.from({ length: 8 }, () => newOrg()));
    receiver.answer(async () => {
      await Bun.sleep(5);
      return new Response();
    });
    for (let count = 0; count < 10; count += 1) await Promise.all(orgs.map(({ org_id }) => publish(org_id)));
    for (const org of orgs) {
      expect(await settled(org)).toHaveLength(10);
      const ids = sentTo(org).map(({ headers }) => headers.get("webhook-id"));
      expect([ids.length, new Set(ids).size]).toEqual([10, 10]);
    }
    await second.stop();
  });

  test("take over leased messages of a crashed one, under the same id", async () => {
    const org = await newOrg({ digest: "daily" });
    await publish(org.org_id);
    const dead = crypto.randomUUID();
    await service.webhooks.test.admin`
      update webhooks.messages
         set next_attempt_at = now(), lease = ${dead}, leased_until = now() + interval '1 hour', gathering = false
       where org_id = ${org.org_id}
    `;
    await Bun.sleep(1_500);
    expect(sentTo(org)).toHaveLength(0);
    await service.webhooks.test.admin`
      update webhooks.messages set leased_until = now() - interval '1 second' where org_id = ${org.org_id}
    `;
    const [delivery] = await settled(org);
    expect(delivery).toMatchObject({ status: "delivered" });
    expect(sentTo(org).map(({ headers }) => headers.get("webhook-id"))).toEqual([delivery!.message_id]);
  });
});
