import { broadcast } from "@leeway/shared/bus/broadcast";
import { callWithBody } from "@leeway/shared/bus/request";
import {
  ConfigsChanged,
  DeleteConfig,
  GetConfig,
  PurgeWebhooks,
  RotateSecret,
  UpdateConfig,
} from "@leeway/shared/contracts/webhooks/configs";
import { ListDeliveries, ReceiveDelivery, type Receipt } from "@leeway/shared/contracts/webhooks/deliveries";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { openBody } from "../src/deliveries/body.ts";
import { planEvent, RING, signed, startTestWebhooks, type TestWebhooks } from "./kit.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
afterAll(() => webhooks.stop());

const UNAUTHORIZED = { status: "unauthorized" as const };
const count = async (orgId: string): Promise<number> =>
  (await webhooks.test.admin`select 1 from webhooks.deliveries where org_id = ${orgId}`).length;

describe("a signed event", () => {
  test("is stored, answered, and worked off", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    const body = planEvent();
    const receipt = await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    expect(receipt).toEqual({ status: "accepted", delivery_id: expect.any(String) });
    expect(await webhooks.settled(orgId, config.id)).toEqual([
      {
        id: "delivery_id" in receipt ? receipt.delivery_id : "",
        config_id: config.id,
        source: "planner",
        kind: "plan",
        body_sha256: new Bun.CryptoHasher("sha256").update(body).digest("hex"),
        size: body.length,
        received_at: expect.any(String),
        outcome: "processed",
        attempts: 1,
        processed_at: expect.any(String),
        job_id: "delivery_id" in receipt ? receipt.delivery_id : "",
      },
    ]);
    const [row] = await webhooks.test.admin`select event from webhooks.events where org_id = ${orgId}`;
    expect(JSON.parse(row?.["event"])).toMatchObject({ kind: "plan", repository: "platform/network" });
  });

  test("of bytes that are no UTF-8 is verified, and ignored with the reason", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    const body = Uint8Array.from([0xff, 0xfe, 0x00, 0x0a]);
    const receipt = await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    expect(receipt.status).toBe("ignored");
    const [delivery] = await webhooks.settled(orgId, config.id);
    expect(delivery).toMatchObject({ outcome: "ignored", reason: "not_json", attempts: 0, size: 4 });
  });

  test("is kept so that only this organization's row opens it", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    const body = planEvent({ plan: { note: "canary-4711" } });
    await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    const [row] = await webhooks.test.admin<{ id: string; sealed: Uint8Array }[]>`
      select id, sealed from webhooks.bodies where org_id = ${orgId}
    `;
    const { id = "", sealed = new Uint8Array() } = row ?? {};
    expect(Buffer.from(sealed).includes("canary-4711")).toBe(false);
    expect(openBody(RING, orgId, id, sealed).toString()).toBe(body);
    expect(() => openBody(RING, crypto.randomUUID(), id, sealed)).toThrow();
    expect(() => openBody(RING, orgId, crypto.randomUUID(), sealed)).toThrow();
  });

  test("is matched by any enabled config of its source", async () => {
    const orgId = crypto.randomUUID();
    const configs = [];
    for (let n = 0; n < 3; n += 1) configs.push(await webhooks.newConfig(orgId));
    for (const { id, raw_secret } of configs) {
      const body = planEvent();
      await webhooks.receive(orgId, "planner", body, signed(raw_secret, body));
      expect(await webhooks.settled(orgId, id)).toHaveLength(1);
    }
  });
});

/** A text of which one bit differs. */
const flipped = (text: string, at: number): string =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);

describe("what can't be verified is refused in one way and leaves nothing:", () => {
  const body = planEvent();
  const wrong: [string, (secret: string) => string | undefined][] = [
    ["no signature", () => undefined],
    ["an empty one", () => ""],
    ["one of another secret", () => signed(`whsec_${"0".repeat(64)}`, body)],
    ["one of another body", (secret) => signed(secret, `${body} `)],
    [
      "one under the decoded secret",
      (secret) => signed(Buffer.from(secret.slice(6), "hex").toString("latin1"), body),
    ],
    ["the secret itself", (secret) => secret],
    ["a digest without its name", (secret) => signed(secret, body).slice("sha256=".length)],
    ["a digest of another kind", (secret) => signed(secret, body).replace("sha256", "sha1")],
    ["a digest cut short", (secret) => signed(secret, body).slice(0, -2)],
    ["a digest with more behind it", (secret) => `${signed(secret, body)}00`],
    ["two of them", (secret) => `${signed(secret, body)}, ${signed(secret, body)}`],
  ];
  test.each(wrong)("%s", async (_, credential) => {
    const orgId = crypto.randomUUID();
    const { raw_secret } = await webhooks.newConfig(orgId);
    expect(await webhooks.receive(orgId, "planner", body, credential(raw_secret))).toEqual(UNAUTHORIZED);
    expect(await count(orgId)).toBe(0);
  });

  test("a single bit that differs in body, secret or signature", async () => {
    const orgId = crypto.randomUUID();
    const { raw_secret } = await webhooks.newConfig(orgId);
    const right = signed(raw_secret, body);
    for (const at of [0, 100, body.length - 1]) {
      expect(await webhooks.receive(orgId, "planner", flipped(body, at), right)).toEqual(UNAUTHORIZED);
    }
    for (const at of [6, 40, 69]) {
      const credential = signed(flipped(raw_secret, at), body);
      expect(await webhooks.receive(orgId, "planner", body, credential)).toEqual(UNAUTHORIZED);
    }
    for (const at of [7, 40, 70]) {
      expect(await webhooks.receive(orgId, "planner", body, flipped(right, at))).toEqual(UNAUTHORIZED);
    }
    expect((await webhooks.receive(orgId, "planner", body, right)).status).toBe("accepted");
  });

  test("a planner's secret on the code host's address, and another organization's", async () => {
    const orgId = crypto.randomUUID();
    const { raw_secret } = await webhooks.newConfig(orgId);
    await webhooks.newConfig(crypto.randomUUID());
    expect(await webhooks.receive(orgId, "vcs", body, raw_secret)).toEqual(UNAUTHORIZED);
    const other = crypto.randomUUID();
    expect(await webhooks.receive(other, "planner", body, signed(raw_secret, body))).toEqual(UNAUTHORIZED);
  });

  test("a config that is switched off or gone, from the moment that it is", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    const send = () => {
      const event = planEvent();
      return webhooks.receive(orgId, "planner", event, signed(config.raw_secret, event));
    };
    const one = { org_id: orgId, config_id: config.id };
    expect((await send()).status).toBe("accepted");
    await webhooks.call(UpdateConfig, { ...one, enabled: false });
    expect(await send()).toEqual(UNAUTHORIZED);
    await webhooks.call(UpdateConfig, { ...one, enabled: true });
    expect((await send()).status).toBe("accepted");
    await webhooks.call(DeleteConfig, one);
    expect(await send()).toEqual(UNAUTHORIZED);
  });

  test("a secret that doesn't open any more", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    await webhooks.test.admin`
      update webhooks.secrets set sealed = set_byte(sealed, length(sealed) - 1, 255 - get_byte(sealed, length(sealed) - 1))
       where org_id = ${orgId}
    `;
    broadcast(webhooks.bus, ConfigsChanged, orgId);
    await webhooks.bus.nats.flush();
    const credential = signed(config.raw_secret, body);
    expect(await webhooks.receive(orgId, "planner", body, credential)).toEqual(UNAUTHORIZED);
  });
});

test("an event beyond its source's limit is verified, and not taken", async () => {
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId, { repo_path: "acme/other" });
  const body = planEvent();
  const receive = (credential: string): Promise<Receipt> =>
    callWithBody(
      webhooks.bus,
      ReceiveDelivery,
      { org_id: orgId, source: "planner", credential, over_limit: true },
      Buffer.from(body),
    );
  expect(await receive(signed("whsec_wrong", body))).toEqual(UNAUTHORIZED);
  expect(await receive(signed(config.raw_secret, body))).toEqual({ status: "over_limit" });
  expect(await count(orgId)).toBe(0);
});

describe("a rotated secret", () => {
  test("may be rotated by several at once: each gets one, and the last of them is good", async () => {
    const orgId = crypto.randomUUID();
    const { id } = await webhooks.newConfig(orgId);
    const one = { org_id: orgId, config_id: id };
    const rotated = await Promise.all(Array.from({ length: 8 }, () => webhooks.call(RotateSecret, one)));
    expect(new Set(rotated.map(({ raw_secret }) => raw_secret)).size).toBe(8);
    const { secret_prefix } = await webhooks.call(GetConfig, one);
    expect(rotated.map((config) => config.raw_secret.slice(0, 14))).toContain(secret_prefix);
  });

  test("is good until its overlap is over; the one before it isn't any more", async () => {
    const orgId = crypto.randomUUID();
    const first = await webhooks.newConfig(orgId);
    const one = { org_id: orgId, config_id: first.id };
    const accepted = async (secret: string): Promise<boolean> => {
      const event = planEvent();
      return (await webhooks.receive(orgId, "planner", event, signed(secret, event))).status === "accepted";
    };
    const second = await webhooks.call(RotateSecret, one);
    expect(second.raw_secret).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect(second.secret_prefix).toBe(second.raw_secret.slice(0, 14));
    expect(Date.parse(second.updated_at)).toBeGreaterThan(Date.parse(first.updated_at));
    expect([await accepted(first.raw_secret), await accepted(second.raw_secret)]).toEqual([true, true]);
    const third = await webhooks.call(RotateSecret, { ...one, overlap_hours: 0 });
    const all = [first, second, third].map(({ raw_secret }) => accepted(raw_secret));
    expect(await Promise.all(all)).toEqual([false, false, true]);
  });
});

describe("an event of a repository", () => {
  const cases: [string, string | undefined, string | undefined, Receipt["status"]][] = [
    ["is taken by its own config", "platform/network", "platform/network", "accepted"],
    ["is taken by a config without a repository", undefined, "other/thing", "accepted"],
    ["isn't taken by another's", "platform/network", "platform/network2", "repository_mismatch"],
    ["isn't taken in other letters", "platform/network", "Platform/network", "repository_mismatch"],
    ["isn't taken where it names none", "platform/network", undefined, "repository_mismatch"],
  ];
  test.each(cases)("%s", async (_, repoPath, repository, status) => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(
      orgId,
      repoPath === undefined ? {} : { repo_path: `/${repoPath}/` },
    );
    const body = planEvent({ repository });
    const receipt = await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    expect(receipt.status).toBe(status);
  });

  test("that no config takes is counted where it was verified, until the next good one", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId, { repo_path: "platform/network" });
    const one = { org_id: orgId, config_id: config.id };
    const shown = async (rejects: number) => {
      for (;;) {
        const found = await webhooks.call(GetConfig, one);
        if (found.consecutive_rejects === rejects && found.last_status !== undefined) return found;
        await Bun.sleep(50);
      }
    };
    const send = (repository: string, secret = config.raw_secret) => {
      const body = planEvent({ repository });
      return webhooks.receive(orgId, "planner", body, signed(secret, body));
    };
    await send("other/thing");
    await send("other/thing", "whsec_wrong");
    expect(await shown(2)).toMatchObject({
      last_status: "rejected",
      last_reject: { at: expect.any(String), reason: "credential_wrong" },
    });
    await send("platform/network");
    expect(await shown(0)).toMatchObject({ last_status: "accepted", last_event_at: expect.any(String) });
  });
});

describe("the same body again", () => {
  test("a hundred times at once is one delivery, whose id all are told", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    const body = planEvent();
    const credential = signed(config.raw_secret, body);
    const receipts = await Promise.all(
      Array.from({ length: 100 }, () => webhooks.receive(orgId, "planner", body, credential)),
    );
    const statuses = receipts.map(({ status }) => status).toSorted();
    expect(statuses).toEqual(["accepted", ...Array<"duplicate">(99).fill("duplicate")]);
    const ids = new Set(receipts.map((receipt) => "delivery_id" in receipt && receipt.delivery_id));
    expect(ids.size).toBe(1);
    expect(await webhooks.settled(orgId, config.id)).toMatchObject([{ attempts: 1, outcome: "processed" }]);
  });

  test("after a day is another event", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    const body = planEvent();
    const send = () => webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    const first = await send();
    await webhooks.test.admin`
      update webhooks.recent_bodies set received_at = now() - interval '23 hours 59 minutes' where org_id = ${orgId}
    `;
    expect(await send()).toMatchObject({ ...first, status: "duplicate" as const });
    await webhooks.test.admin`
      update webhooks.recent_bodies set received_at = now() - interval '24 hours 1 minute' where org_id = ${orgId}
    `;
    const later = await send();
    expect(later.status).toBe("accepted");
    expect(await send()).toMatchObject({ ...later, status: "duplicate" as const });
    expect(await count(orgId)).toBe(2);
  });

  test("is taken anew where what came of it first has failed", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    const body = planEvent();
    const send = () => webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    await send();
    await webhooks.settled(orgId, config.id);
    await webhooks.test.admin`update webhooks.deliveries set outcome = 'failed' where org_id = ${orgId}`;
    const again = await send();
    expect(again.status).toBe("accepted");
    expect(await webhooks.settled(orgId, config.id)).toMatchObject([
      { id: "delivery_id" in again && again.delivery_id, outcome: "processed" },
      { outcome: "failed" },
    ]);
    expect(await send()).toMatchObject({ ...again, status: "duplicate" as const });
  });

  test("in another organization is another event", async () => {
    const body = planEvent();
    for (const orgId of [crypto.randomUUID(), crypto.randomUUID()]) {
      const { raw_secret } = await webhooks.newConfig(orgId);
      const receipt = await webhooks.receive(orgId, "planner", body, signed(raw_secret, body));
      expect(receipt.status).toBe("accepted");
    }
  });
});

test("an organization that is gone leaves nothing and verifies nothing", async () => {
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId);
  const body = planEvent();
  const credential = signed(config.raw_secret, body);
  await webhooks.receive(orgId, "planner", body, credential);
  await webhooks.settled(orgId, config.id);
  await webhooks.call(PurgeWebhooks, { org_id: orgId });
  for (const table of ["configs", "secrets", "deliveries", "bodies", "events", "recent_bodies"]) {
    const { admin } = webhooks.test;
    expect(await admin`select from ${admin(`webhooks.${table}`)} where org_id = ${orgId}`).toHaveLength(0);
  }
  expect(await webhooks.receive(orgId, "planner", body, credential)).toEqual(UNAUTHORIZED);
});

test("deliveries come newest first, page by page, by their outcome", async () => {
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId);
  const sent: string[] = [];
  for (const body of [planEvent(), "[]", planEvent()]) {
    const receipt = await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    sent.unshift("delivery_id" in receipt ? receipt.delivery_id : "");
  }
  await webhooks.settled(orgId, config.id);
  const all = { org_id: orgId, config_id: config.id };
  const first = await webhooks.call(ListDeliveries, { ...all, limit: 2 });
  const { next_cursor: cursor = "" } = first;
  const second = await webhooks.call(ListDeliveries, { ...all, limit: 2, cursor });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(sent);
  const ignored = await webhooks.call(ListDeliveries, { ...all, limit: 2, outcome: "ignored" });
  expect(ignored.data.map(({ id }) => id)).toEqual([sent[1] ?? ""]);
});
