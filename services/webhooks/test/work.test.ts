import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { OrgStatements } from "@leeway/shared/database/database";
import { testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";

import { storeIncoming } from "../src/deliveries/store/incoming.ts";
import { attemptDeliveries, endDeliveries, forgetRecentBodies } from "../src/deliveries/store/work.ts";
import { SCHEMA } from "../src/schema.ts";

const configId = crypto.randomUUID();

let db: TestDatabase;
let sql: OrgStatements;
beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
});
beforeEach(() => {
  sql = db.open(SCHEMA.service).org(crypto.randomUUID());
});
afterAll(() => db.drop());

/** Stores a pending delivery and returns its id. */
async function accepted(): Promise<string> {
  const id = Bun.randomUUIDv7();
  const incoming = { configId, source: "planner", kind: "plan", size: 1, ended: undefined } as const;
  const sha256 = Buffer.from(id.replaceAll("-", ""), "hex");
  await storeIncoming(sql, [{ ...incoming, id, sha256, sealed: Buffer.from("x") }], 72);
  return id;
}

test("each reading of a pending delivery counts as an attempt, and an ended one isn't read", async () => {
  const [one, other] = [await accepted(), await accepted()];
  const attempts = async () =>
    Object.fromEntries(
      (await attemptDeliveries(sql, [one, other])).map(({ id, attempts }) => [id, attempts]),
    );
  expect(await attempts()).toEqual({ [one]: 1, [other]: 1 });
  await endDeliveries(sql, [{ id: one, outcome: "processed" }]);
  expect(await attempts()).toEqual({ [other]: 2 });
});

test("old body hashes are deleted in parts, without newer ones", async () => {
  const old = [await accepted(), await accepted(), await accepted()];
  const late = await accepted();
  await db.admin`
    update webhooks.recent_bodies set received_at = now() - interval '73 hours' where delivery_id = any (${old})
  `;
  const { system } = db.open(SCHEMA.service);
  const part = { dedupeHours: 72, atMost: 2 };
  const forgotten = [await forgetRecentBodies(system, part), await forgetRecentBodies(system, part)];
  expect(forgotten).toEqual([true, false]);
  const left = await db.admin`select delivery_id from webhooks.recent_bodies where org_id = ${sql.orgId}`;
  expect(left.map(({ delivery_id }) => delivery_id)).toEqual([late]);
});
