import { describe, expect, test } from "bun:test";

import { UpdateChannel } from "@leeway/shared/contracts/webhooks/channels";

import { event } from "./support/notifying.ts";
import { headOf, mailing } from "./support/mailing.ts";

const { service, mailServer, newMail, reachedSince } = await mailing();
const { publish, settled } = service;

describe("an e-mail", () => {
  const nasty = { account_name: "<!channel> *x* [a](https://evil.example)\r\nBcc: eve@evil.example" };

  test("is sent to each address separately, without header injection", async () => {
    const to = ["ada@example.com", "bob@example.com"];
    const org = await newMail(to);
    expect(org.channel.target).toEqual({ to });
    const before = mailServer.mails.length;
    await publish(org.org_id, { event: event({ data: nasty }) });
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    expect(reachedSince(before)).toEqual(to);
    const head = headOf(mailServer.mails[before]);
    expect(head).toMatch(/^From: Leeway <leeway@example.com>/m);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(head).toMatch(/^Subject: \[Leeway\] <!channel> /m);
  });

  test("an e-mail refused for some addresses counts as delivered to the others", async () => {
    const org = await newMail(["ada@example.com", "nobody@example.com"]);
    await publish(org.org_id);
    const reason = "the mail server rejected 1 of 2 addresses";
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 1, reason }]);
    expect(mailServer.mails.at(-1)?.to).toEqual(["ada@example.com"]);
  });

  test("an e-mail deferred for one address is sent again only to that address", async () => {
    const to = ["ada@example.com", "nobody@example.com", "later@example.com"];
    const org = await newMail(to);
    const before = mailServer.mails.length;
    mailServer.putOff(2);
    await publish(org.org_id);
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 3 }]);
    expect(reachedSince(before)).toEqual(["ada@example.com", "later@example.com"]);
  });

  test("a deferred e-mail isn't sent to an address that was removed from the channel", async () => {
    const org = await newMail(["ada@example.com", "later@example.com"]);
    const before = mailServer.mails.length;
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    mailServer.hold(changed);
    mailServer.putOff(1);
    await publish(org.org_id);
    while (mailServer.mails.length === before) await Bun.sleep(5);
    const target = { to: ["ada@example.com", "bob@example.com"] };
    const changes = { target, member_addresses: target.to };
    await service.webhooks.call(UpdateChannel, {
      org_id: org.org_id,
      channel_id: org.channel.id,
      ...changes,
    });
    resolve();
    const reason = "the remaining addresses were removed from the channel";
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 2, reason }]);
    expect(reachedSince(before)).toEqual(["ada@example.com"]);
  });

  test("an e-mail deferred forever for one address reaches the others once", async () => {
    const org = await newMail(["ada@example.com", "later@example.com"]);
    const before = mailServer.mails.length;
    mailServer.putOff(100);
    await publish(org.org_id);
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 4 }]);
    expect(reachedSince(before)).toEqual(["ada@example.com"]);
    expect(await service.channelOf(org)).toMatchObject({ consecutive_failures: 0 });
    mailServer.putOff(0);
  });

  test("a mail server may be slow to greet and to accept a mail", async () => {
    const org = await newMail(["ada@example.com"]);
    const before = mailServer.mails.length;
    mailServer.dawdleOnce(11_000);
    await publish(org.org_id);
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    expect(mailServer.mails).toHaveLength(before + 1);
  });

  test("a temporary refusal by the mail server is retried", async () => {
    const org = await newMail(["ada@example.com"]);
    mailServer.refuseOnce("451 later");
    await publish(org.org_id);
    expect((await settled(org))[0]).toMatchObject({ status: "delivered", attempts: 2 });
  });
});
