import { afterAll, beforeAll, expect, test } from "bun:test";

import { unattendedScans } from "../src/scans/pull/store/claims.ts";
import { newOrg, startInventory, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({ worker: false });
});
afterAll(() => inventory.stop());

test("of thousands of waiting scans some are offered at a time, abandoned ones first", async () => {
  const { admin } = inventory.test;
  const org = newOrg(inventory);
  const { id } = await org.account("aws", "123456789012");
  await admin`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id, name)
    select org_id, gen_random_uuid(), provider, cloud, (100000000000 + n)::text, name
      from inventory.cloud_accounts cross join generate_series(1, 999) n
     where id = ${id}
  `;
  await admin`
    insert into inventory.scans (org_id, id, account_id, kind, trigger, regions, status, phase, requested_by, touched_at)
    select org_id, gen_random_uuid(), id, 'full', 'api', '{}', case when id = ${id} then 'running' else 'queued' end,
           'discover', '{}', now() - case when id = ${id} then interval '11 s' else interval '1 h' end
      from inventory.cloud_accounts
     where org_id = ${org.id}
  `;
  const [lost] = await admin<{ id: string }[]>`select id from inventory.scans where account_id = ${id}`;
  const offered = new Set<string>();
  for (let sweeps = 0; sweeps < 5; sweeps += 1) {
    const some = await unattendedScans(inventory.database.system, 10);
    expect(some).toHaveLength(200);
    if (sweeps === 0) expect(some).toContainEqual({ org_id: org.id, scan_id: lost?.id ?? "" });
    for (const { scan_id } of some) offered.add(scan_id);
  }
  expect(offered.size).toBe(1_000);
  expect(await unattendedScans(inventory.database.system, 10)).toEqual([]);
});
