import { afterAll, beforeAll, expect, test } from "bun:test";

import { startInventory, type TestInventory } from "./kit.ts";

const ROWS = 5_000;

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

/** Returns the planner's idea of the number of plan findings. */
async function plannedFor(): Promise<number | undefined> {
  const { admin } = inventory.test;
  await admin`select inventory.analyze_grown()`;
  const [row] = await admin<{ rows: number }[]>`
    select reltuples::integer as rows from pg_class where oid = 'inventory.plan_changes'::regclass
  `;
  return row?.rows;
}

test("a table that was analyzed while a transaction filled it is analyzed again after the commit", async () => {
  await inventory.test.admin.begin(async (tx) => {
    await tx`
      insert into inventory.plan_changes (org_id, source_id, place, kind, address, content)
      select gen_random_uuid(), gen_random_uuid(), n, 'drift', repeat('a', 500), '{}' from generate_series(1, ${ROWS}) n
    `;
    await tx`select pg_stat_force_next_flush()`; // the server does so after transactions of a second
    expect(await plannedFor()).toBe(0);
  });
  expect(await plannedFor()).toBe(ROWS);
});
