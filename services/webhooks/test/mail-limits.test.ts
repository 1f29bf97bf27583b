import { describe, expect, test } from "bun:test";

import { RedeliverMessage, TestChannel, UpdateChannel } from "@leeway/shared/contracts/webhooks/channels";
import { AskRecipient } from "@leeway/shared/contracts/webhooks/recipients";
import { failureOf } from "@leeway/shared/testing/testing";

import { headOf, mailing } from "./support/mailing.ts";
import { event, type Org } from "./support/notifying.ts";

const BUDGET = 8;
const { service, mailServer, newMail, reachedSince, mailsTo } = await mailing({ maxPerDay: BUDGET });
const { newOrg, publish, settled, deliveries, channelOf } = service;

const fresh = (name = "ada"): string => `${name}-${crypto.randomUUID()}@example.com`;
const which = ({ org_id, channel }: Org) => ({ org_id, channel_id: channel.id });
const tryOut = (org: Org) => service.webhooks.call(TestChannel, which(org));
const ask = (org: Org, address: string) => service.webhooks.call(AskRecipient, { ...which(org), address });

/** Moves sent confirmations into the past, for their limits. */
async function hoursPass(hours: number): Promise<void> {
  await service.webhooks.test.admin`
    update webhooks.confirmations_sent set sent_at = sent_at - make_interval(hours => ${hours})
  `;
}

describe("test mails of a channel", () => {
  test("have the same subject for any channel name", async () => {
    const to = fresh();
    const org = await newOrg({
      kind: "email",
      name: "Your account is locked",
      target: { to: [to] },
      member_addresses: [to],
    });
    await tryOut(org);
    expect(await settled(org)).toMatchObject([{ status: "delivered" }]);
    const [mail] = await mailsTo(to, 1);
    expect(headOf(mail)).toMatch(/^Subject: \[Leeway\] Test of a notification channel$/m);
    expect(headOf(mail)).not.toContain("locked");
  });

  test("are limited to five an hour, even in concurrent requests, and not redelivered", async () => {
    const org = await newMail([fresh()]);
    const tried = await Promise.allSettled(Array.from({ length: 12 }, () => tryOut(org)));
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await failureOf(tryOut(org))).toMatchObject({
      code: "rate_limited",
      message: "an e-mail channel can be tested 5 times an hour; try again later",
    });
    const [last] = await settled(org);
    const again = service.webhooks.call(RedeliverMessage, { ...which(org), delivery_id: last?.id ?? "" });
    expect(await failureOf(again)).toMatchObject({ code: "conflict" });
    await service.webhooks.test.admin`
      update webhooks.messages set created_at = created_at - interval '61 minutes' where org_id = ${org.org_id}
    `;
    expect(await tryOut(org)).toMatchObject({ status: "accepted" });
  });

  test("of a webhook aren't limited", async () => {
    const org = await newOrg();
    for (let count = 0; count < 8; count += 1)
      expect(await tryOut(org)).toMatchObject({ status: "accepted" });
    await settled(org);
  });
});

const USED_UP = `the organization's limit of ${BUDGET} e-mails a day is reached; the remaining ones are sent after 00:00 UTC`;

describe("an organization's daily e-mail budget", () => {
  test("delays the rest to the next day, with the reason", async () => {
    const addresses = Array.from({ length: 5 }, () => fresh());
    const org = await newMail(addresses);
    const before = mailServer.mails.length;
    await publish(org.org_id);
    await settled(org);
    await publish(org.org_id);
    let pending;
    for (;;) {
      [pending] = await deliveries(org);
      if (pending?.attempts === 1) break;
      await Bun.sleep(10);
    }
    expect(pending).toMatchObject({ status: "pending", reason: USED_UP });
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    expect(Math.abs(Date.parse(pending.next_attempt_at ?? "") - midnight)).toBeLessThan(60_000);
    expect(reachedSince(before)).toHaveLength(BUDGET);
    expect(await channelOf(org)).toMatchObject({ enabled: true, consecutive_failures: 0 });

    await service.webhooks.test
      .admin`update webhooks.mail_days set day = day - 1 where org_id = ${org.org_id}`;
    await service.webhooks.test.admin`
      update webhooks.messages set next_attempt_at = now() where org_id = ${org.org_id} and status = 'pending'
    `;
    expect((await settled(org))[0]).toMatchObject({ status: "delivered", attempts: 2 });
    expect(reachedSince(before).toSorted()).toEqual([...addresses, ...addresses].toSorted());
  });

  test("doesn't affect other organizations", async () => {
    const [one, other] = [await newMail([fresh()]), await newMail([fresh()])];
    for (let count = 0; count <= BUDGET; count += 1) await publish(one.org_id);
    await publish(other.org_id);
    expect(await settled(other)).toMatchObject([{ status: "delivered" }]);
  });

  test("isn't used up by rejected mails", async () => {
    const org = await newMail([fresh("nobody")]);
    for (let count = 0; count < 3; count += 1) await publish(org.org_id);
    const data = await settled(org);
    expect(data.map(({ attempts, reason }) => [attempts, reason])).toEqual(
      Array.from({ length: 3 }, () => [4, "the mail server answered 550"]),
    );
  });

  test("holds for concurrent channels", async () => {
    const org = await newMail([fresh()]);
    const input = { kind: "email" as const };
    for (let count = 0; count < 3; count += 1) {
      const to = Array.from({ length: 3 }, () => fresh());
      await service.newChannel(org.org_id, { ...input, target: { to }, member_addresses: to });
    }
    const before = mailServer.mails.length;
    await publish(org.org_id, { event: event() });
    await Bun.sleep(1_000);
    expect(reachedSince(before)).toHaveLength(BUDGET);
  });

  test("makes a test fail with the reason", async () => {
    const org = await newMail(Array.from({ length: BUDGET + 1 }, () => fresh()));
    await publish(org.org_id);
    while ((await deliveries(org))[0]?.attempts !== 1) await Bun.sleep(10);
    const { delivery_id: id } = await tryOut(org);
    const testOf = async () => (await deliveries(org)).find((one) => one.id === id);
    while ((await testOf())?.status === "pending") await Bun.sleep(10);
    expect(await testOf()).toMatchObject({ status: "failed", reason: USED_UP });
  });
});

describe("confirmation mails", () => {
  test("can be sent again once an hour and three times in 30 days", async () => {
    const to = fresh();
    const org = await newMail([to], []);
    await mailsTo(to, 1);
    const limited = {
      code: "rate_limited",
      message: "this address was asked recently; the limit is once an hour and three times in 30 days",
    };
    expect(await failureOf(ask(org, to))).toMatchObject(limited);
    for (const count of [2, 3]) {
      await hoursPass(25);
      expect(await ask(org, to)).toMatchObject({ status: "accepted" });
      await mailsTo(to, count);
    }
    await hoursPass(25);
    expect(await failureOf(ask(org, to))).toMatchObject(limited);
    await hoursPass(30 * 24);
    expect(await ask(org, to)).toMatchObject({ status: "accepted" });
  });

  test("don't flood an address from many organizations, in any spelling", async () => {
    const name = crypto.randomUUID();
    const spellings = [`${name}@example.com`, `${name.toUpperCase()}@Example.com`, `${name}+a@example.com`];
    const before = mailServer.mails.length;
    const reached = () => reachedSince(before).filter((to) => to.toLowerCase().startsWith(name));
    for (let count = 0; count < 6; count += 1) {
      const org = await newMail([spellings[count % 3] ?? ""], []);
      await settled(org);
    }
    expect(reached()).toHaveLength(3);
    for (let day = 0; day < 10; day += 1) {
      await hoursPass(25);
      for (let count = 0; count < 4; count += 1) await settled(await newMail([spellings[0] ?? ""], []));
    }
    expect(reached()).toHaveLength(10);
  });

  test("aren't sent again when an address is removed and added", async () => {
    const to = fresh();
    const org = await newMail([to], []);
    await mailsTo(to, 1);
    const set = (addresses: string[]) =>
      service.webhooks.call(UpdateChannel, { ...which(org), target: { to: addresses } });
    for (let count = 0; count < 4; count += 1) {
      await set(["someone@example.com"]);
      await set([to]);
    }
    await settled(org);
    expect(await mailsTo(to, 1)).toHaveLength(1);
  });

  test("are only for unconfirmed addresses of the channel", async () => {
    const to = fresh();
    const org = await newMail([to]);
    expect(await failureOf(ask(org, to))).toMatchObject({ code: "conflict" });
    expect(await failureOf(ask(org, fresh()))).toMatchObject({ code: "not_found" });
    const stranger = { org_id: crypto.randomUUID(), channel_id: org.channel.id, address: to };
    expect(await failureOf(service.webhooks.call(AskRecipient, stranger))).toMatchObject({
      code: "not_found",
    });
  });
});
