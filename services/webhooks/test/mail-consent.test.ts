import { describe, expect, test } from "bun:test";

import {
  CreateChannel,
  DeleteChannel,
  RedeliverMessage,
  TestChannel,
  UpdateChannel,
} from "@leeway/shared/contracts/webhooks/channels";
import { PurgeWebhooks } from "@leeway/shared/contracts/webhooks/configs";
import {
  AskRecipient,
  ConfirmRecipient,
  UnsubscribeRecipient,
} from "@leeway/shared/contracts/webhooks/recipients";
import { failureOf } from "@leeway/shared/testing/testing";

import { createLinks } from "../src/notifications/mail/links.ts";
import { RING } from "./kit.ts";
import { headOf, mailing, tokenIn } from "./support/mailing.ts";
import { event, type Org } from "./support/notifying.ts";

const { service, mailServer, newMail, statusesOf, reachedSince, mailsTo } = await mailing();
const { newOrg, newChannel, publish, settled, channelOf, deliveries } = service;

/** Returns an address that no other test uses. */
const fresh = (name = "ada"): string => `${name}-${crypto.randomUUID()}@example.com`;
const confirm = (token: string) => service.webhooks.call(ConfirmRecipient, { token });
const unsubscribe = (token: string) => service.webhooks.call(UnsubscribeRecipient, { token });
const which = ({ org_id, channel }: Org) => ({ org_id, channel_id: channel.id });
const setTo = (org: Org, to: string[]) =>
  service.webhooks.call(UpdateChannel, { ...which(org), target: { to } });
/** Actor of answers to a mail, which need no sign-in. */
const BY_ITSELF = { type: "system", id: "e-mail recipient" };

/** Returns the actors of an action on a channel from the audit entries. */
async function written({ org_id: orgId, channel }: Org, action: string): Promise<unknown[]> {
  const rows = await service.webhooks.test.admin`
    select actor from webhooks.audit_outbox
     where org_id = ${orgId} and target_id = ${channel.id} and action = ${action}
  `;
  return rows.map(({ actor }) => actor);
}

describe("an unconfirmed address", () => {
  test("gets one mail without any of the tenant's text, and no events", async () => {
    const to = fresh();
    const org = await newOrg({ kind: "email", name: "Win a prize at evil.example", target: { to: [to] } });
    expect(org.channel.recipients).toEqual([{ address: to, status: "waiting" }]);
    const [mail] = await mailsTo(to, 1);
    await publish(org.org_id, { event: event({ data: { account_name: "Win a prize" } }) });
    await service.webhooks.call(TestChannel, which(org));
    const reason = "no address of this channel has confirmed yet";
    expect(await settled(org)).toMatchObject([
      { type: "channel.test", status: "failed", attempts: 1, reason },
      { type: "drift.detected", status: "failed", attempts: 1, reason },
      { type: "channel.confirmation", status: "delivered" },
    ]);
    expect(await mailsTo(to, 1)).toHaveLength(1);
    expect(headOf(mail)).toMatch(/^Subject: \[Leeway\] Confirm your e-mail address$/m);
    expect(mail?.data).not.toMatch(/prize|evil/);
    expect(await channelOf(org)).toMatchObject({ enabled: true, consecutive_failures: 0 });
  });

  test("gets events once it confirms, and the link works once", async () => {
    const to = fresh();
    const org = await newMail([to], []);
    const [mail] = await mailsTo(to, 1);
    const token = tokenIn(mail, "confirm");
    await confirm(token);
    expect(await statusesOf(org)).toEqual({ [to]: "confirmed" });
    expect(await failureOf(confirm(token))).toMatchObject({ code: "not_found" });
    expect(await written(org, "notification_recipient.confirm")).toEqual([BY_ITSELF]);
    await publish(org.org_id);
    await settled(org);
    expect(await mailsTo(to, 2)).toHaveLength(2);
  });

  test("isn't confirmed by an expired, changed or different link", async () => {
    const to = fresh();
    const org = await newMail([to], []);
    const [mail] = await mailsTo(to, 1);
    const token = tokenIn(mail, "confirm");
    const links = createLinks(RING, "https://leeway.example.com");
    const confirmationId = links.readConfirm(token)?.confirmationId ?? "";
    const eightDaysAgo = Date.now() - 8 * 24 * 60 * 60 * 1000;
    const expired = links.confirmUrl({ orgId: org.org_id, confirmationId }, eightDaysAgo).split("token=")[1];
    const [payload = "", mac = ""] = token.split(".");
    const parts = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = Buffer.from(JSON.stringify([crypto.randomUUID(), ...parts.slice(1)])).toString(
      "base64url",
    );
    for (const wrong of [
      expired ?? "",
      `${forged}.${mac}`,
      `${payload}.`,
      payload,
      tokenIn(mail, "unsubscribe"),
    ]) {
      expect(await failureOf(confirm(wrong))).toMatchObject({ code: "not_found" });
    }
    expect(await statusesOf(org)).toEqual({ [to]: "waiting" });
  });

  test("isn't confirmed after its removal from the channel", async () => {
    const to = fresh();
    const org = await newMail([to], []);
    const token = tokenIn((await mailsTo(to, 1))[0], "confirm");
    await setTo(org, [fresh("bob")]);
    expect(await failureOf(confirm(token))).toMatchObject({ code: "not_found" });
    const gone = await newMail([fresh()], []);
    const other = tokenIn((await mailsTo(gone.channel.target.to?.[0] ?? "", 1))[0], "confirm");
    await service.webhooks.call(DeleteChannel, which(gone));
    expect(await failureOf(confirm(other))).toMatchObject({ code: "not_found" });
  });

  test("on a channel of an older server is asked with the next event", async () => {
    const to = fresh();
    const org = await newMail([to]);
    await service.webhooks.test.admin`delete from webhooks.recipients where channel_id = ${org.channel.id}`;
    expect(await statusesOf(org)).toEqual({ [to]: "waiting" });
    await publish(org.org_id);
    const [mail] = await mailsTo(to, 1);
    await settled(org);
    expect(headOf(mail)).toContain("Confirm your e-mail address");
    await confirm(tokenIn(mail, "confirm"));
    expect(await statusesOf(org)).toEqual({ [to]: "confirmed" });
  });

  test("that the mail server rejects permanently is tried once", async () => {
    const org = await newMail([fresh("nobody")], []);
    expect(await settled(org)).toMatchObject([
      { type: "channel.confirmation", status: "failed", attempts: 1, response_status: 550 },
    ]);
    expect(await channelOf(org)).toMatchObject({ enabled: true, consecutive_failures: 0 });
  });

  test("is asked again when the mail server defers the mail", async () => {
    mailServer.putOff(2);
    const to = fresh("later");
    const org = await newMail([to], []);
    expect(await settled(org)).toMatchObject([{ status: "delivered", attempts: 3 }]);
    expect(await mailsTo(to, 1)).toHaveLength(1);
  });
});

describe("consent", () => {
  test("is requested once per organization for all its channels", async () => {
    const to = fresh();
    const first = await newMail([to], []);
    const second: Org = {
      org_id: first.org_id,
      channel: await newChannel(first.org_id, { kind: "email", target: { to: [to.toUpperCase(), to] } }),
    };
    const [mail] = await mailsTo(to, 1);
    await settled(first);
    await settled(second);
    expect(
      mailServer.mails.filter((one) => one.data.includes("Confirm your") && one.to[0]?.toLowerCase() === to),
    ).toHaveLength(1);
    await confirm(tokenIn(mail, "confirm"));
    expect(await statusesOf(first)).toEqual({ [to]: "confirmed" });
    expect(await statusesOf(second)).toEqual({ [to.toUpperCase()]: "confirmed", [to]: "confirmed" });
    const third = await newChannel(first.org_id, { kind: "email", target: { to: [to] } });
    expect(third.recipients).toEqual([{ address: to, status: "confirmed" }]);
  });

  test("for one organization doesn't count for another", async () => {
    const to = fresh();
    const first = await newMail([to], []);
    await confirm(tokenIn((await mailsTo(to, 1))[0], "confirm"));
    expect(await statusesOf(first)).toEqual({ [to]: "confirmed" });
    const stranger = await newMail([to], []);
    expect(await statusesOf(stranger)).toEqual({ [to]: "waiting" });
  });

  test("of one mailbox doesn't count for a look-alike", async () => {
    const org = await newMail(["kim@example.com"]);
    const kelvin = "\u212aim@example.com";
    const other = await newChannel(org.org_id, { kind: "email", target: { to: [kelvin] } });
    expect(other.recipients).toEqual([{ address: kelvin, status: "waiting" }]);
    await settled({ org_id: org.org_id, channel: other });
  });

  test("isn't requested from a verified member", async () => {
    const [ada, bob] = [fresh(), fresh("bob")];
    const before = mailServer.mails.length;
    const org = await newMail([ada, bob], [ada.toUpperCase()]);
    expect(await statusesOf(org)).toEqual({ [ada]: "confirmed", [bob]: "waiting" });
    await settled(org);
    expect(reachedSince(before)).toEqual([bob]);
  });

  test("missing for one address doesn't delay the others", async () => {
    const [ada, bob] = [fresh(), fresh("bob")];
    const org = await newMail([ada, bob], [ada]);
    await mailsTo(bob, 1);
    const before = mailServer.mails.length;
    await publish(org.org_id);
    await settled(org);
    expect(reachedSince(before)).toEqual([ada]);
  });
});

describe("List-Unsubscribe", () => {
  test("is in every mail with a separate one-click URL (RFC 8058)", async () => {
    const [ada, bob] = [fresh(), fresh("bob")];
    const org = await newMail([ada, bob]);
    await publish(org.org_id);
    await settled(org);
    const mails = [...(await mailsTo(ada, 1)), ...(await mailsTo(bob, 1))];
    const urls = mails.map((mail) => {
      expect(headOf(mail)).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
      return /^List-Unsubscribe: <(https:\/\/leeway\.example\.com\/mail\/unsubscribe\?token=[\w.-]+)>$/m.exec(
        headOf(mail),
      )?.[1];
    });
    expect(new Set(urls).size).toBe(2);
    expect(urls).not.toContain(undefined);
    expect(mails.every(({ to }) => to.length === 1)).toBe(true);
  });

  test("removes the address from this channel only, and can be repeated", async () => {
    const [ada, bob] = [fresh(), fresh("bob")];
    const org = await newMail([ada, bob]);
    const other: Org = {
      org_id: org.org_id,
      channel: await newChannel(org.org_id, {
        kind: "email",
        target: { to: [ada] },
        events: ["drift.resolved"],
      }),
    };
    await publish(org.org_id);
    await settled(org);
    const token = tokenIn((await mailsTo(ada, 1))[0], "unsubscribe");
    await unsubscribe(token);
    await unsubscribe(token);
    expect(await written(org, "notification_recipient.unsubscribe")).toEqual([BY_ITSELF]);
    expect(await statusesOf(org)).toEqual({ [ada]: "unsubscribed", [bob]: "confirmed" });
    expect(await statusesOf(other)).toEqual({ [ada]: "confirmed" });
    const before = mailServer.mails.length;
    await publish(org.org_id, { event: event({ type: "scan.failed" }) });
    await settled(org);
    expect(reachedSince(before).filter((to) => to === bob)).toHaveLength(1);
    const own = (await deliveries(org)).find(({ type }) => type === "scan.failed");
    expect(own).toMatchObject({ status: "delivered" });
    await setTo(org, [ada, bob]);
    expect(await statusesOf(org)).toEqual({ [ada]: "unsubscribed", [bob]: "confirmed" });
  });

  test("holds for a new channel, even for a verified member, until the address confirms", async () => {
    const to = fresh();
    const org = await newMail([to]);
    await publish(org.org_id);
    await settled(org);
    await unsubscribe(tokenIn((await mailsTo(to, 1))[0], "unsubscribe"));
    await service.webhooks.call(DeleteChannel, which(org));
    const input = { kind: "email" as const, target: { to: [to] }, member_addresses: [to] };
    const again: Org = { org_id: org.org_id, channel: await newChannel(org.org_id, input) };
    expect(await statusesOf(again)).toEqual({ [to]: "waiting" });
    await confirm(tokenIn((await mailsTo(to, 2))[1], "confirm"));
    expect(await statusesOf(again)).toEqual({ [to]: "confirmed" });
  });

  test("in a confirmation mail declines it", async () => {
    const to = fresh();
    const org = await newMail([to], []);
    const [mail] = await mailsTo(to, 1);
    await unsubscribe(tokenIn(mail, "unsubscribe"));
    expect(await statusesOf(org)).toEqual({ [to]: "unsubscribed" });
    expect(await failureOf(confirm(tokenIn(mail, "confirm")))).toMatchObject({ code: "not_found" });
    const asked = service.webhooks.call(AskRecipient, { ...which(org), address: to });
    expect(await failureOf(asked)).toMatchObject({ code: "conflict" });
  });

  test("with another person's link changes nothing", async () => {
    const to = fresh();
    const org = await newMail([to]);
    const token = tokenIn((await mailsTo((await waitingOf()).to, 1))[0], "confirm");
    expect(await failureOf(unsubscribe(token))).toMatchObject({ code: "not_found" });
    expect(await statusesOf(org)).toEqual({ [to]: "confirmed" });
  });
});

async function waitingOf(): Promise<{ to: string }> {
  const to = fresh();
  await newMail([to], []);
  return { to };
}

test("sending a confirmation again writes an audit entry", async () => {
  const to = fresh();
  const org = await newMail([to], []);
  await service.webhooks.test.admin`
    update webhooks.confirmations_sent set sent_at = sent_at - interval '2 hours'
  `;
  await service.webhooks.call(AskRecipient, { ...which(org), address: to });
  expect(await written(org, "notification_recipient.ask")).toHaveLength(1);
});

test("purging an organization deletes its addresses", async () => {
  const to = fresh();
  const org = await newMail([to]);
  await publish(org.org_id);
  await settled(org);
  await unsubscribe(tokenIn((await mailsTo(to, 1))[0], "unsubscribe"));
  await service.webhooks.call(PurgeWebhooks, { org_id: org.org_id });
  for (const table of ["recipients", "refusals", "mail_days"]) {
    const rows = await service.webhooks.test.admin.unsafe(
      `select 1 from webhooks.${table} where org_id = $1`,
      [org.org_id],
    );
    expect(rows, table).toHaveLength(0);
  }
});

test("a channel created twice with one id sends one confirmation mail", async () => {
  const to = fresh();
  const input = {
    org_id: crypto.randomUUID(),
    channel_id: Bun.randomUUIDv7(),
    created_by: { type: "system" as const, id: "test" },
    kind: "email" as const,
    name: "mail",
    events: ["drift.detected" as const],
    target: { to: [to] },
  };
  const [made, again] = await Promise.all([
    service.webhooks.call(CreateChannel, input),
    service.webhooks.call(CreateChannel, input),
  ]);
  expect(again).toEqual(made);
  await settled({ org_id: input.org_id, channel: made });
  expect(await mailsTo(to, 1)).toHaveLength(1);
  const [first] = await deliveries({ org_id: input.org_id, channel: made });
  const repeat = service.webhooks.call(RedeliverMessage, {
    org_id: input.org_id,
    channel_id: made.id,
    delivery_id: first?.id ?? "",
  });
  expect(await failureOf(repeat)).toMatchObject({ code: "conflict" });
});
