import { DeleteConfig } from "@leeway/shared/contracts/webhooks/configs";
import { ReplayDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Row, Rows } from "@leeway/shared/database/database";
import { failureOf } from "@leeway/shared/testing";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { jobIdOf } from "../src/deliveries/job-id.ts";
import { replayDelivery } from "../src/deliveries/replay.ts";
import { readEvent } from "../src/events/read-event.ts";
import { planEvent, signed, startTestWebhooks, type TestWebhooks } from "./kit.ts";

let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await startTestWebhooks();
});
afterAll(() => webhooks.stop());

/** An organization with a config and one delivery, which was worked off. */
async function delivered(body: string = planEvent()) {
  const orgId = crypto.randomUUID();
  const config = await webhooks.newConfig(orgId);
  await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
  const [delivery] = await webhooks.settled(orgId, config.id);
  const one = { org_id: orgId, config_id: config.id, delivery_id: delivery?.id ?? "" };
  return { orgId, config, one, settled: () => webhooks.settled(orgId, config.id) };
}

/** Makes a delivery as if it had been stored a while ago, and the bus had lost it. */
async function lose(orgId: string): Promise<void> {
  await webhooks.test.admin`
    update webhooks.deliveries
       set outcome = 'pending', attempts = 0, processed_at = null, received_at = now() - interval '6 seconds'
     where org_id = ${orgId}
  `;
}

describe("a delivery", () => {
  test("that the bus lost is offered again", async () => {
    const { orgId, settled } = await delivered();
    await lose(orgId);
    expect(await settled()).toMatchObject([{ outcome: "processed", attempts: 1 }]);
  });

  test("whose body can't be decrypted fails at once, with the reason", async () => {
    const { orgId, settled } = await delivered();
    await webhooks.test.admin`
      update webhooks.bodies set sealed = set_byte(sealed, length(sealed) - 1, 255 - get_byte(sealed, length(sealed) - 1))
       where org_id = ${orgId}
    `;
    await lose(orgId);
    expect(await settled()).toMatchObject([{ outcome: "failed", reason: "the body can't be decrypted" }]);
  });

  test("that can't be written down is tried five times, and fails alone", async () => {
    const { orgId, config } = await delivered();
    const { admin } = webhooks.test;
    const [unlucky] = await webhooks.settled(orgId, config.id);
    await admin.unsafe(
      `alter table webhooks.events add constraint no_luck check (id <> '${unlucky?.id}') not valid`,
    );
    await admin`delete from webhooks.events where org_id = ${orgId}`;
    for (let n = 0; n < 3; n += 1) {
      const body = planEvent();
      await webhooks.receive(orgId, "planner", body, signed(config.raw_secret, body));
    }
    await webhooks.settled(orgId, config.id);
    await lose(orgId);
    const outcomes = (await webhooks.settled(orgId, config.id)).map(({ id, outcome, attempts }) => ({
      unlucky: id === unlucky?.id,
      outcome,
      attempts: outcome === "failed" ? attempts : 0,
    }));
    await admin.unsafe("alter table webhooks.events drop constraint no_luck");
    expect(outcomes).toEqual([
      ...Array.from({ length: 3 }, () => ({ unlucky: false, outcome: "processed" as const, attempts: 0 })),
      { unlucky: true, outcome: "failed", attempts: 6 },
    ]);
  });
});

describe("a replay", () => {
  test("works a delivery off once more", async () => {
    const { one, settled, orgId } = await delivered();
    await webhooks.test.admin`update webhooks.events set event = 'old' where org_id = ${orgId}`;
    expect(await webhooks.call(ReplayDelivery, one)).toMatchObject({ outcome: "pending", attempts: 0 });
    expect(await settled()).toMatchObject([{ outcome: "processed", attempts: 1 }]);
    const [row] = await webhooks.test.admin`select event from webhooks.events where org_id = ${orgId}`;
    expect(row?.["event"]).toContain('"kind":"plan"');
  });

  test("leads to a job of its own where another process had worked the delivery off", async () => {
    const body = planEvent();
    const { one, settled } = await delivered(body);
    const { delivery_id: id } = one;
    const reading = readEvent("planner", Buffer.from(body));
    webhooks.dependencies.fresh.keep(id, body.length, reading); // as by whoever took it in
    await webhooks.call(ReplayDelivery, one);
    expect(await settled()).toMatchObject([{ outcome: "processed", job_id: jobIdOf({ id, replays: 1 }) }]);
  });

  test("of one that was ignored says again why", async () => {
    const { one, settled } = await delivered("[]");
    await webhooks.call(ReplayDelivery, one);
    expect(await settled()).toMatchObject([{ outcome: "ignored", reason: "not_json", attempts: 1 }]);
  });

  test("whose body is gone is refused, and changes nothing", async () => {
    const { one, settled, orgId } = await delivered();
    await webhooks.test.admin`delete from webhooks.bodies where org_id = ${orgId}`;
    const failed = await failureOf(webhooks.call(ReplayDelivery, one));
    expect(failed).toMatchObject({
      code: "conflict",
      message: "the delivery's body is kept for seven days only",
    });
    expect(await settled()).toMatchObject([{ outcome: "processed" }]);
  });

  test("of one that is worked off while that is asked for isn't refused", async () => {
    const { one } = await delivered();
    const { admin } = webhooks.test;
    const set = (outcome: string) =>
      admin`update webhooks.deliveries set outcome = ${outcome} where id = ${one.delivery_id}`;
    const statements = webhooks.database.org(one.org_id);
    const use = async <R extends Row>(...statement: Parameters<typeof statements>): Promise<Rows<R>> => {
      const rows = await statements<R>(...statement);
      if (statement[0].join("").includes("update webhooks.deliveries")) await set("processed");
      return rows;
    };
    const org = () => Object.assign(use, { orgId: one.org_id, part: statements.part });
    await set("pending");
    const deps = { ...webhooks.dependencies, database: { ...webhooks.database, org } };
    expect(await replayDelivery(deps, one)).toMatchObject({ outcome: "processed" });
  });

  test("of a config that was deleted finds nothing, as its list does", async () => {
    const { one } = await delivered();
    await webhooks.call(DeleteConfig, { org_id: one.org_id, config_id: one.config_id });
    const failed = await failureOf(webhooks.call(ReplayDelivery, one));
    expect(failed).toMatchObject({ code: "not_found" });
  });

  test("of another config's or another organization's finds nothing", async () => {
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

describe("what is kept", () => {
  test("has room for a week to come, and keeping house twice changes nothing", async () => {
    const before = await days();
    expect(before).toHaveLength(27);
    await keep(30, 7);
    await Promise.all([keep(30, 7), keep(30, 7)]);
    expect(await days()).toEqual(before);
  });

  test("loses the bodies after a week, and deliveries after a month", async () => {
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
