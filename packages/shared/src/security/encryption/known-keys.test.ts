import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { seal } from "./envelope.ts";
import { parseKeyRing, type KeyRing } from "./keyring.ts";
import { checkMasterKeys } from "./known-keys.ts";
import { rewrapColumns, type SealedColumn } from "./rewrap.ts";
import type { Database } from "../../database/database.ts";
import { failureOf, testDatabase, testSchema, type TestDatabase } from "../../testing/testing.ts";

const key = (fill: number): string => Buffer.alloc(32, fill).toString("base64");
const BOXES: SealedColumn = { table: "safe.boxes", column: "sealed", idColumns: ["id"] };

let db: TestDatabase;
let database: Database;

beforeAll(async () => {
  const schema = await testSchema("safe", {
    "0001_create_boxes.sql": `
      create table safe.boxes (org_id uuid, id uuid, sealed bytea, primary key (org_id, id));
      call safe.isolate('boxes');
      create table safe.master_keys (id text primary key, check_value bytea not null);
      grant select, insert on safe.master_keys to leeway_safe;`,
  });
  db = await testDatabase([schema]);
  database = db.open("safe");
});

afterAll(() => db.drop());

beforeEach(async () => {
  await db.admin`truncate safe.boxes, safe.master_keys`;
});

const check = (raw: string): Promise<void> => checkMasterKeys(database.system, "safe", parseKeyRing(raw));
const rewrap = (raw: string) => rewrapColumns(db.adminUrl, parseKeyRing(raw), [BOXES]);

async function known(): Promise<string[]> {
  const rows = await db.admin<{ id: string }[]>`select id from safe.master_keys order by id`;
  return rows.map(({ id }) => id);
}

async function put(ring: KeyRing): Promise<void> {
  const [orgId, id] = [crypto.randomUUID(), crypto.randomUUID()];
  const sealed = seal(ring, { orgId, table: BOXES.table, rowId: id }, "the secret");
  await db.admin`insert into safe.boxes values (${orgId}, ${id}, ${sealed})`;
}

const refusal = (id: string): string =>
  `the master key ${id} differs from the key that the schema safe knows by this id`;

test("a new key is recorded, and the same one is accepted again", async () => {
  await check(`a:${key(1)}`);
  await check(`a:${key(1)}`);
  expect(await known()).toEqual(["a"]);
});

test.each([
  ["alone", `a:${key(9)}`],
  ["before others", `a:${key(9)},b:${key(2)}`],
  ["after others", `b:${key(2)},a:${key(9)}`],
])("other bytes for a known key name are refused %s, and nothing is recorded", async (_, ring) => {
  await check(`a:${key(1)}`);
  expect(await failureOf(check(ring))).toMatchObject({ message: expect.stringContaining(refusal("a")) });
  expect(await known()).toEqual(["a"]);
});

test("a key can be rotated as documented: after the old one, before it, then alone", async () => {
  await check(`old:${key(1)}`);
  await check(`old:${key(1)},new:${key(2)}`);
  await check(`new:${key(2)},old:${key(1)}`);
  await check(`new:${key(2)}`);
  expect(await failureOf(check(`new:${key(3)}`))).toMatchObject({
    message: expect.stringContaining(refusal("new")),
  });
});

test("of processes with different keys of one new name, only those with one key start", async () => {
  const rings = Array.from({ length: 12 }, (_, index) => `a:${key(1 + (index % 2))}`);
  const outcomes = await Promise.allSettled(rings.map(check));
  const started = rings.filter((_, index) => outcomes[index]?.status === "fulfilled");
  expect(started).toHaveLength(6);
  expect(new Set(started).size).toBe(1);
});

test("the stored check value isn't the key and differs for each key", async () => {
  await check(`a:${key(1)},b:${key(2)}`);
  const rows = await db.admin<{ check_value: Uint8Array }[]>`select check_value from safe.master_keys`;
  const values = rows.map(({ check_value: value }) => Buffer.from(value).toString("base64"));
  expect(values).not.toContain(key(1));
  expect(new Set(values).size).toBe(2);
});

test("a service's role can't change the recorded keys", async () => {
  await check(`a:${key(1)}`);
  const changed = await failureOf(database.system`update safe.master_keys set check_value = ''`);
  const removed = await failureOf(database.system`delete from safe.master_keys`);
  expect([changed, removed].map(String)).toEqual([
    expect.stringContaining("permission denied"),
    expect.stringContaining("permission denied"),
  ]);
});

test("rewrap refuses other bytes for a known name before it writes", async () => {
  const old = parseKeyRing(`old:${key(1)}`);
  await put(old);
  await check(`old:${key(1)},new:${key(2)}`);
  const before = await db.admin`select sealed from safe.boxes`;
  expect(await failureOf(rewrap(`new:${key(3)},old:${key(1)}`))).toMatchObject({
    message: expect.stringContaining(refusal("new")),
  });
  expect([...(await db.admin`select sealed from safe.boxes`)]).toEqual([...before]);
});

test("a removed key's name is refused with other bytes while data uses it", async () => {
  await put(parseKeyRing(`old:${key(1)}`));
  await check(`new:${key(2)},old:${key(1)}`);
  await rewrap(`new:${key(2)}`); // can't open values under the old key
  expect(await failureOf(check(`old:${key(3)}`))).toMatchObject({
    message: expect.stringContaining(refusal("old")),
  });
  await rewrap(`new:${key(2)},old:${key(1)}`);
  expect(await known()).toEqual(["new", "old"]);
  await rewrap(`new:${key(2)}`);
  expect(await known()).toEqual(["new"]);
  await check(`old:${key(3)},new:${key(2)}`);
});

test("a key name isn't in use just because a longer name starts with it", async () => {
  await put(parseKeyRing(`k:${key(1)}`));
  await put(parseKeyRing(`k12:${key(2)}`));
  await check(`k:${key(1)},k1:${key(3)},k12:${key(2)}`);
  await rewrap(`new:${key(4)}`);
  expect(await known()).toEqual(["k", "k12", "new"]);
});
