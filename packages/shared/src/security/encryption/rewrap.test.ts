import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { open, seal, sealedBy } from "./envelope.ts";
import { parseKeyRing } from "./keyring.ts";
import { rewrapColumns, type Progress, type SealedColumn } from "./rewrap.ts";
import { testDatabase, testSchema, type TestDatabase } from "../../testing/testing.ts";

const key = (fill: number): string => Buffer.alloc(32, fill).toString("base64");
const OLD = parseKeyRing(`k1:${key(1)}`);
const BOTH = parseKeyRing(`k2:${key(2)},k1:${key(1)}`);
const NEW = parseKeyRing(`k2:${key(2)}`);

const SAFE: SealedColumn = { table: "safe.boxes", column: "sealed", idColumns: ["id"] };
const KEYED: SealedColumn = { table: "safe.keyed", column: "sealed", idColumns: ["caller", "key"] };

let db: TestDatabase;

beforeAll(async () => {
  const schema = await testSchema("safe", {
    "0001_create_boxes.sql": `
      create table safe.boxes (org_id uuid, id uuid, sealed bytea, primary key (org_id, id));
      create table safe.keyed (org_id uuid, caller text, key text, sealed bytea, primary key (org_id, caller, key));
      call safe.isolate('boxes');
      call safe.isolate('keyed');
      create table safe.master_keys (id text primary key, check_value bytea not null);`,
  });
  db = await testDatabase([schema]);
});

afterAll(() => db.drop());

beforeEach(async () => {
  await db.admin`truncate safe.boxes, safe.keyed, safe.master_keys`;
});

interface Box {
  org_id: string;
  id: string;
  sealed: Uint8Array | null;
}

const placeOf = ({ org_id, id }: Pick<Box, "org_id" | "id">) => ({
  orgId: org_id,
  table: SAFE.table,
  rowId: id,
});

async function fill(count: number, ring = OLD): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const box = { org_id: crypto.randomUUID(), id: crypto.randomUUID() };
    return { ...box, sealed: index % 10 === 9 ? null : seal(ring, placeOf(box), `secret of ${box.id}`) };
  });
  await db.admin`insert into safe.boxes ${db.admin(rows)}`;
}

const boxes = (): Promise<Box[]> => db.admin<Box[]>`select org_id, id, sealed from safe.boxes`;

test("values under an old key are re-encrypted with the current one and keep their content", async () => {
  await fill(500);
  await fill(20, BOTH);
  expect(await rewrapColumns(db.adminUrl, BOTH, [SAFE])).toEqual([
    { table: "safe.boxes", column: "sealed", current: 18, rewrapped: 450, overtaken: 0, failed: [] },
  ]);
  for (const box of await boxes()) {
    if (box.sealed) expect(open(NEW, placeOf(box), box.sealed)).toBe(`secret of ${box.id}`);
  }
  expect(await rewrapColumns(db.adminUrl, BOTH, [SAFE])).toMatchObject([{ current: 468, rewrapped: 0 }]);
});

test("progress and unreadable values are reported during the run", async () => {
  await fill(500);
  const [broken] = await boxes();
  await db.admin`update safe.boxes set sealed = 'no seal' where id = ${broken?.id ?? ""}`;
  const [count] = await db.admin<{ all: number }[]>`select count(sealed)::integer as all from safe.boxes`;
  const reported: Progress[] = [];
  await rewrapColumns(db.adminUrl, BOTH, [SAFE, KEYED], (progress) => reported.push(progress));
  const all = count?.all ?? 0;
  expect(reported).toMatchObject([200, 400, all].map((done) => ({ table: "safe.boxes", done, all })));
  expect(reported.flatMap(({ failed }) => failed)).toEqual([`${broken?.org_id} ${broken?.id}`]);
});

test("rows with several key columns are found, whatever their texts", async () => {
  const orgId = crypto.randomUUID();
  for (const [caller, name] of [
    ["a", "b c"],
    ["a b", "c"],
    ["ä'\"", "\\"],
  ] as const) {
    const place = { orgId, table: KEYED.table, rowId: `${caller} ${name}` };
    await db.admin`insert into safe.keyed values (${orgId}, ${caller}, ${name}, ${seal(OLD, place, name)})`;
  }
  expect(await rewrapColumns(db.adminUrl, BOTH, [KEYED])).toMatchObject([{ rewrapped: 3, failed: [] }]);
});

test("an unreadable value is reported and left unchanged", async () => {
  await fill(3);
  const [broken] = await boxes();
  await db.admin`update safe.boxes set sealed = 'no seal' where id = ${broken?.id ?? ""}`;
  const withoutOld = await rewrapColumns(db.adminUrl, NEW, [SAFE]);
  expect(withoutOld[0]?.failed).toHaveLength(3);
  expect(await rewrapColumns(db.adminUrl, BOTH, [SAFE])).toMatchObject([
    { rewrapped: 2, failed: [`${broken?.org_id} ${broken?.id}`] },
  ]);
});

test("values under a different key with the current name are reported as unreadable", async () => {
  await fill(3);
  const another = parseKeyRing(`k1:${key(9)}`);
  const [outcome] = await rewrapColumns(db.adminUrl, another, [SAFE]);
  expect(outcome).toMatchObject({ current: 0, rewrapped: 0 });
  expect(outcome?.failed).toHaveLength(3);
});

test("concurrent writes by services aren't lost", async () => {
  await fill(400);
  const before = await boxes();
  const written = new Map<string, string>();
  const state = { over: false };
  const writer = async (): Promise<void> => {
    while (!state.over) {
      const box = before[Math.floor(Math.random() * before.length)];
      if (!box) continue;
      const secret = crypto.randomUUID();
      const sealed = seal(Math.random() < 0.5 ? OLD : BOTH, placeOf(box), secret);
      written.set(box.id, secret);
      await db.admin`update safe.boxes set sealed = ${sealed} where id = ${box.id}`;
    }
  };
  const writers = [writer()];
  for (let pass = 0; pass < 5; pass += 1) await rewrapColumns(db.adminUrl, BOTH, [SAFE]);
  state.over = true;
  await Promise.all(writers);
  expect(written.size).toBeGreaterThan(0);
  await rewrapColumns(db.adminUrl, BOTH, [SAFE]);
  for (const box of await boxes()) {
    if (!box.sealed) continue;
    expect(sealedBy(box.sealed)).toBe("k2");
    expect(open(NEW, placeOf(box), box.sealed)).toBe(written.get(box.id) ?? `secret of ${box.id}`);
  }
});
