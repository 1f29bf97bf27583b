import { DeleteConfig } from "@leeway/shared/contracts/webhooks/configs";
import { EndDeliveries, NoteDelivery, ReplayDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Database } from "@leeway/shared/database/database";
import { failureOf } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { replayDelivery } from "../src/deliveries/replay.ts";
import { planEvent, signed, startTestWebhooks, type TestWebhooks } from "./kit.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
afterAll(() => webhooks.stop());

/** Creates an organization with a config and one processed delivery. */
async function delivered(body: string = planEvent()) {
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId);
  await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
  const [delivery] = await webhooks.settled(orgId, config.id);
  const one = { org_id: orgId, config_id: config.id, delivery_id: delivery?.id ?? "" };
  return { orgId, config, one, settled: () => webhooks.settled(orgId, config.id) };
}

/** Changes a delivery as if it had been stored a while ago and its message had been lost. */
async function lose(orgId: string): Promise<void> {
  await webhooks.test.admin`
    update webhooks.deliveries
       set outcome = 'pending', attempts = 0, processed_at = null, offered_at = null,
           received_at = now() - interval '6 seconds'
     where org_id = ${orgId}
  `;
}

describe("a delivery", () => {
  test("lost by the bus is published again", async () => {
    const { orgId, settled } = await delivered();
    await lose(orgId);
    expect(await settled()).toMatchObject([{ outcome: "processed", attempts: 1 }]);
  });

  test("whose body can't be decrypted fails at once with the reason", async () => {
    const { orgId, settled } = await delivered();
    await webhooks.test.admin`
      update webhooks.bodies set sealed = set_byte(sealed, length(sealed) - 1, 255 - get_byte(sealed, length(sealed) - 1))
       where org_id = ${orgId}
    `;
    await lose(orgId);
    expect(await settled()).toMatchObject([{ outcome: "failed", reason: "the body can't be decrypted" }]);
  });

  test("whose event an earlier version of the analyzer never took is read again", async () => {
    const { orgId, one, settled } = await delivered();
    const id = one.delivery_id;
    const { admin } = webhooks.test;
    const before = { outcome: "processed", job_id: id, comment_url: "https://git.example.com/7" };
    await admin`
      update webhooks.deliveries
         set comment_url = ${before.comment_url}, received_at = now() - interval '1 minute'
       where id = ${id}
    `;
    await admin`
      insert into webhooks.events (org_id, id, event, offered_at) values
        (${orgId}, ${id}, 'untaken', now() - interval '31 seconds'),
        (${crypto.randomUUID()}, ${Bun.randomUUIDv7()}, 'offered', now())
    `;
    while ((await admin`select from webhooks.events where event = 'untaken'`).length > 0) await Bun.sleep(10);
    expect(await settled()).toMatchObject([{ ...before, attempts: 1 }]);
    expect(await admin`select from webhooks.events`).toHaveLength(1);
  });

  test("that was replayed isn't ended by its earlier run", async () => {
    const { one, orgId, settled } = await delivered();
    const { admin } = webhooks.test;
    await admin`
      update webhooks.deliveries set outcome = 'pending', replays = 1, offered_at = now() where id = ${one.delivery_id}
    `;
    const end = (replays: number) =>
      webhooks.call(EndDeliveries, {
        org_id: orgId,
        deliveries: [{ delivery_id: one.delivery_id, replays, failure: `run ${replays}` }],
      });
    await end(0);
    await end(1);
    expect(await settled()).toMatchObject([{ outcome: "failed", reason: "run 1" }]);
  });

  test("keeps the outcome of a comment that was posted before it ended", async () => {
    const { one, orgId, settled } = await delivered();
    const [org_id, delivery_id] = [orgId, one.delivery_id];
    await webhooks.test.admin`
      update webhooks.deliveries set outcome = 'pending', offered_at = now() where id = ${delivery_id}
    `;
    await webhooks.call(NoteDelivery, { org_id, delivery_id, reason: "comment: not_found" });
    await webhooks.call(EndDeliveries, { org_id, deliveries: [{ delivery_id }] });
    expect(await settled()).toMatchObject([{ outcome: "processed", reason: "comment: not_found" }]);
  });
});

describe("a replay", () => {
  test("processes a delivery again", async () => {
    const { one, settled } = await delivered();
    expect(await webhooks.call(ReplayDelivery, one)).toMatchObject({ outcome: "pending", attempts: 0 });
    expect(await settled()).toMatchObject([{ outcome: "processed", attempts: 1 }]);
  });

  test("of an ignored delivery is ignored again with the reason", async () => {
    const { one, settled } = await delivered("[]");
    await webhooks.call(ReplayDelivery, one);
    expect(await settled()).toMatchObject([{ outcome: "ignored", reason: "not_json", attempts: 1 }]);
  });

  test("of a delivery whose body was deleted is refused and changes nothing", async () => {
    const { one, settled, orgId } = await delivered();
    await webhooks.test.admin`delete from webhooks.bodies where org_id = ${orgId}`;
    const failed = await failureOf(webhooks.call(ReplayDelivery, one));
    expect(failed).toMatchObject({
      code: "conflict",
      message: "the delivery's body has been deleted; bodies are kept for 7 days",
    });
    expect(await settled()).toMatchObject([{ outcome: "processed" }]);
  });

  test("of a delivery that is being processed is accepted", async () => {
    const { one } = await delivered();
    const { admin } = webhooks.test;
    const set = (outcome: string) =>
      admin`update webhooks.deliveries set outcome = ${outcome} where id = ${one.delivery_id}`;
    const transaction: Database["transaction"] = async (...given) => {
      const outcome = await webhooks.database.transaction(...given);
      await set("processed");
      return outcome;
    };
    await set("pending");
    const deps = { ...webhooks.dependencies, database: { ...webhooks.database, transaction } };
    expect(await replayDelivery(deps, one)).toMatchObject({ outcome: "processed" });
  });

  test("of a deleted config finds nothing, like its list", async () => {
    const { one } = await delivered();
    await webhooks.call(DeleteConfig, { org_id: one.org_id, config_id: one.config_id });
    const failed = await failureOf(webhooks.call(ReplayDelivery, one));
    expect(failed).toMatchObject({ code: "not_found" });
  });

  test("of another config or organization finds nothing", async () => {
    const { one, orgId } = await delivered();
    const other = await webhooks.newConfig(orgId);
    for (const wrong of [{ config_id: other.id }, { org_id: crypto.randomUUID() }]) {
      const failed = await failureOf(webhooks.call(ReplayDelivery, { ...one, ...wrong }));
      expect(failed).toMatchObject({ code: "not_found" });
    }
  });
});

const days = async (): Promise<string[]> => {
  const rows = await webhooks.test.admin`
    select relname from pg_class
     where relnamespace = 'webhooks'::regnamespace and relkind = 'r' and relname ~ '_[0-9]{8}$' order by relname
  `;
  return rows.map(({ relname }) => relname);
};
const keep = (deliveryDays: number, bodyDays: number) =>
  webhooks.database.system`select webhooks.keep_partitions(${deliveryDays}, ${bodyDays})`;

const ago = (day: number): string =>
  new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");

describe("stored deliveries", () => {
  test("have partitions for the next week, and cleaning up twice changes nothing", async () => {
    const before = await days();
    expect(before).toHaveLength(27);
    await keep(30, 7);
    await Promise.all([keep(30, 7), keep(30, 7)]);
    expect(await days()).toEqual(before);
  });

  test("lose their bodies after a week and are deleted after a month", async () => {
    const { admin } = webhooks.test;
    for (const day of [7, 8, 30, 31]) {
      for (const table of ["deliveries", "bodies", "events"]) {
        await admin.unsafe(
          `create table webhooks.${table}_${ago(day)} partition of webhooks.${table}
             for values from (webhooks.first_id(current_date - ${day})) to (webhooks.first_id(current_date - ${day - 1}))`,
        );
      }
    }
    await keep(30, 7);
    const left = await days();
    const has = (table: string, day: number): boolean => left.includes(`${table}_${ago(day)}`);
    expect([has("bodies", 7), has("bodies", 8)]).toEqual([true, false]);
    expect([has("deliveries", 30), has("deliveries", 31)]).toEqual([true, false]);
  });
});
