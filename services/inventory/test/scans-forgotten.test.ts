import { expect, test } from "bun:test";

import { ListScans } from "@leeway/shared/contracts/inventory/scans";

import { keepDrift } from "../src/drift/store/upkeep.ts";
import { ndjson } from "./kit.ts";
import { pushing, queue } from "./pushing.ts";

const service = pushing();

test("finding expired rows reads no others", async () => {
  const read = await service.inventory.test.admin.begin(async (sql) => {
    await sql`set local enable_seqscan = off`; // a test's table is too small for the planner to choose an index
    await sql`select inventory.keep_drift(400, 10), inventory.forget_scans(400, 10)`;
    return sql`select relname, seq_scan::integer from pg_stat_xact_user_tables where seq_scan > 0 order by relname`;
  });
  expect([...read]).toEqual([]);
});

test("scans are kept for 400 days, and an account's last one forever", async () => {
  const { org, account } = await service.start();
  const { test: database, call } = service.inventory;
  const push = (name: string) => org.pushListing(account, ndjson([queue(name)]));
  const [oldest, old, latest] = [await push("a"), await push("b"), await push("c")];
  const age = (id: string, days: number) => database.admin`
    update inventory.scans set created_at = now() - make_interval(days => ${days}) where id = ${id}
  `;
  await age(oldest.id, 401);
  await age(old.id, 399);
  const keep = async (): Promise<string[]> => {
    await keepDrift(service.inventory.database.system);
    return (await call(ListScans, { org_id: org.id, limit: 10 })).data.map(({ id }) => id);
  };
  expect(await keep()).toEqual([latest.id, old.id]);
  await age(old.id, 401);
  await age(latest.id, 401);
  expect(await keep()).toEqual([latest.id]);
});

test("old resolved drift is deleted in parts, whatever its amount", async () => {
  const { org, account } = await service.start();
  const { test: database } = service.inventory;
  await database.admin`
    insert into inventory.drift_fingerprints (
      org_id, fingerprint, cloud_account_id, kind, risk_level, hidden, values_hash, from_number, gone_at
    )
    select ${org.id}, 'dc1_' || n, ${account.id}, 'undeclared', 'none', false, '', 1, now() - interval '401 days'
      from generate_series(1, 6000) n
  `;
  const left = async (): Promise<number> => {
    await keepDrift(service.inventory.database.system);
    const [row] = await database.admin<{ count: number }[]>`
      select count(*)::integer from inventory.drift_fingerprints where org_id = ${org.id}
    `;
    return row?.count ?? 0;
  };
  expect(await left()).toBe(1_000);
  expect(await left()).toBe(0);
});
