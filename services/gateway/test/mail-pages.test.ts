import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { CreateChannel, UpdateChannel } from "@leeway/shared/contracts/webhooks/channels";
import { ConfirmRecipient, UnsubscribeRecipient } from "@leeway/shared/contracts/webhooks/recipients";
import { AppError, unavailable } from "@leeway/shared/values/errors";

import { CHANNEL, CHANNEL_WITH_SECRET, NEW_CHANNEL } from "../src/examples/channels.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const ONE_CLICK = {
  body: "List-Unsubscribe=One-Click",
  headers: { "content-type": "application/x-www-form-urlencoded" },
};

describe.each([
  ["confirm", ConfirmRecipient],
  ["unsubscribe", UnsubscribeRecipient],
] as const)("the page to %s", (name, contract) => {
  const path = `/mail/${name}?token=payload.mac`;
  const askedOf = () => gateway.others.asked.filter(({ subject }) => subject === contract.subject);

  test("changes nothing when a person or a link scanner opens it", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await gateway.ask(method, path);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("cache-control")).toBe("no-store");
    }
    const { text } = await gateway.ask("GET", path);
    expect(text).toContain('<form method="post"><button>');
    expect(text).not.toContain("payload");
    expect(askedOf()).toEqual([]);
  });

  test("acts when its button is pressed, without a sign-in", async () => {
    gateway.others.on(contract, () => ({}));
    const { status, text } = await gateway.ask("POST", path, ONE_CLICK);
    expect(status).toBe(200);
    expect(text).not.toContain("<form");
    expect(askedOf().map(({ input }) => input)).toEqual([{ token: "payload.mac" }]);
  });

  test("reports an invalid link or an outage", async () => {
    gateway.others.on(contract, () => {
      throw new AppError("not_found", "no such link");
    });
    const wrong = await gateway.ask("POST", path, ONE_CLICK);
    expect(wrong.status).toBe(404);
    expect(wrong.text).toContain("This link doesn't work");
    gateway.others.on(contract, () => {
      throw unavailable("away");
    });
    const away = await gateway.ask("POST", path, ONE_CLICK);
    expect(away.status).toBe(503);
    expect(away.text).toContain("Open the link again in a minute");
    expect((await gateway.ask("POST", `/mail/${name}?token=${"x".repeat(1_001)}`)).status).toBe(400);
  });
});

const sentTo = (subject: string) => gateway.others.asked.findLast((one) => one.subject === subject)?.input;

describe("addresses of a channel", () => {
  test("count as members' if the identity provider verified them", async () => {
    const { id, owner, ownerEmail } = await gateway.newOwnedOrg();
    const to = [ownerEmail.toUpperCase(), "stranger@example.com"];
    const path = `/api/v2/orgs/${id}/notification-channels`;
    gateway.others.on(CreateChannel, () => CHANNEL_WITH_SECRET);
    gateway.others.on(UpdateChannel, () => CHANNEL);
    const body = { ...NEW_CHANNEL, kind: "email", target: { to } };
    await gateway.ask("POST", path, { as: owner, body });
    expect(sentTo(CreateChannel.subject)?.["member_addresses"]).toEqual([ownerEmail.toLowerCase()]);
    await gateway.ask("PATCH", `${path}/${CHANNEL.id}`, { as: owner, body: { target: { to } } });
    expect(sentTo(UpdateChannel.subject)?.["member_addresses"]).toEqual([ownerEmail.toLowerCase()]);
    await gateway.ask("PATCH", `${path}/${CHANNEL.id}`, { as: owner, body: { enabled: true } });
    expect(sentTo(UpdateChannel.subject)).not.toHaveProperty("member_addresses");
  });

  test("don't count if they are unverified or belong to another organization", async () => {
    const email = `unverified-${crypto.randomUUID()}@example.com`;
    const owner = await gateway.provider.token({ sub: crypto.randomUUID(), email, email_verified: false });
    const { body: org } = await gateway.ask("POST", "/api/v2/orgs", { as: owner, body: { name: "own" } });
    const other = await gateway.newOwnedOrg();
    const body = { ...NEW_CHANNEL, kind: "email", target: { to: [email, other.ownerEmail] } };
    await gateway.ask("POST", `/api/v2/orgs/${org.id}/notification-channels`, { as: owner, body });
    expect(sentTo(CreateChannel.subject)).not.toHaveProperty("member_addresses");
  });

  test("can't be marked as members' by a client", async () => {
    const { id, owner } = await gateway.newOwnedOrg();
    const body = {
      ...NEW_CHANNEL,
      kind: "email",
      target: { to: ["stranger@example.com"] },
      member_addresses: ["stranger@example.com"],
    };
    const path = `/api/v2/orgs/${id}/notification-channels`;
    expect((await gateway.ask("POST", path, { as: owner, body })).status).toBe(400);
  });
});
