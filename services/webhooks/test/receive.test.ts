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

import { openBody } from "../src/deliveries/store/incoming.ts";
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
  test("is stored, acknowledged and processed", async () => {
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
    const event = webhooks.events.get("delivery_id" in receipt ? receipt.delivery_id : "") ?? "";
    expect(JSON.parse(event)).toMatchObject({ kind: "plan", repository: "platform/network" });
  });

  test("that isn't UTF-8 is verified, then ignored with the reason", async () => {
    const orgId = crypto.randomUUID();
    const config = await webhooks.newConfig(orgId);
    const body = Uint8Array.from([0xff, 0xfe, 0x00, 0x0a]);
    const receipt = await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    expect(receipt.status).toBe("ignored");
    const [delivery] = await webhooks.settled(orgId, config.id);
    expect(delivery).toMatchObject({ outcome: "ignored", reason: "not_json", attempts: 0, size: 4 });
  });

  test("is encrypted for its organization and row", async () => {
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

  test("matches any enabled config of its source", async () => {
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

/** Returns a text with one bit flipped. */
const flipped = (text: string, at: number): string =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);

describe("an unverified event is refused the same way and leaves nothing:", () => {
  const body = planEvent();
  const wrong: [string, (secret: string) => string | undefined][] = [
    ["without a signature", () => undefined],
    ["with an empty signature", () => ""],
    ["signed with another secret", () => signed(`whsec_${"0".repeat(64)}`, body)],
    ["with the signature of another body", (secret) => signed(secret, `${body} `)],
    [
      "signed with the decoded secret",
      (secret) => signed(Buffer.from(secret.slice(6), "hex").toString("latin1"), body),
    ],
    ["with the secret itself", (secret) => secret],
    ["with a digest without its name", (secret) => signed(secret, body).slice("sha256=".length)],
    ["with another kind of digest", (secret) => signed(secret, body).replace("sha256", "sha1")],
    ["with a truncated digest", (secret) => signed(secret, body).slice(0, -2)],
    ["with text after the digest", (secret) => `${signed(secret, body)}00`],
    ["with two digests", (secret) => `${signed(secret, body)}, ${signed(secret, body)}`],
  ];
  test.each(wrong)("%s", async (_, credential) => {
    const orgId = crypto.randomUUID();
    const { raw_secret } = await webhooks.newConfig(orgId);
    expect(await webhooks.receive(orgId, "planner", body, credential(raw_secret))).toEqual(UNAUTHORIZED);
    expect(await count(orgId)).toBe(0);
  });

  test("with one bit changed in the body, secret or signature", async () => {
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

  test("with a planner secret on the vcs URL, or another organization's", async () => {
    const orgId = crypto.randomUUID();
    const { raw_secret } = await webhooks.newConfig(orgId);
    await webhooks.newConfig(crypto.randomUUID());
    expect(await webhooks.receive(orgId, "vcs", body, raw_secret)).toEqual(UNAUTHORIZED);
    const other = crypto.randomUUID();
    expect(await webhooks.receive(other, "planner", body, signed(raw_secret, body))).toEqual(UNAUTHORIZED);
  });

  test("for a config that was just disabled or deleted", async () => {
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

  test("for a secret that can't be decrypted", async () => {
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

test("an event over its source's limit is verified but not stored", async () => {
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
  test("may be rotated concurrently: each caller gets one, and the last is current", async () => {
    const orgId = crypto.randomUUID();
    const { id } = await webhooks.newConfig(orgId);
    const one = { org_id: orgId, config_id: id };
    const rotated = await Promise.all(Array.from({ length: 8 }, () => webhooks.call(RotateSecret, one)));
    expect(new Set(rotated.map(({ raw_secret }) => raw_secret)).size).toBe(8);
    const { secret_prefix } = await webhooks.call(GetConfig, one);
    expect(rotated.map((config) => config.raw_secret.slice(0, 14))).toContain(secret_prefix);
  });

  test("works until its overlap ends, and an older one doesn't", async () => {
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

describe("an event", () => {
  const cases: [string, string | undefined, string | undefined, Receipt["status"]][] = [
    ["is accepted by the config of its repository", "platform/network", "platform/network", "accepted"],
    ["is accepted by a config without a repository", undefined, "other/thing", "accepted"],
    [
      "is refused by another repository's config",
      "platform/network",
      "platform/network2",
      "repository_mismatch",
    ],
    [
      "is refused when the case of its repository differs",
      "platform/network",
      "Platform/network",
      "repository_mismatch",
    ],
    ["is refused when it names no repository", "platform/network", undefined, "repository_mismatch"],
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

  test("refused by every config is counted for its config until the next accepted one", async () => {
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

describe("a repeated body", () => {
  test("sent a hundred times at once is one delivery with one id", async () => {
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

  test("is a new event after a day", async () => {
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

  test("is accepted again when its first delivery failed", async () => {
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

  test("is a new event in another organization", async () => {
    const body = planEvent();
    for (const orgId of [crypto.randomUUID(), crypto.randomUUID()]) {
      const { raw_secret } = await webhooks.newConfig(orgId);
      const receipt = await webhooks.receive(orgId, "planner", body, signed(raw_secret, body));
      expect(receipt.status).toBe("accepted");
    }
  });
});

test("a purged organization leaves nothing and verifies nothing", async () => {
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

test("deliveries are listed newest first, page by page, and filtered by outcome", async () => {
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
