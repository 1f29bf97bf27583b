import { CreateAccount } from "@leeway/shared/contracts/inventory/accounts";
import { afterAll, beforeAll, expect, test } from "bun:test";

import { claimScan, forgetShards, type Claim } from "../src/scans/pull/store/claims.ts";
import { beginShard, planShards } from "../src/scans/pull/store/shards.ts";
import { insertScan } from "../src/scans/store/scans.ts";
import { startInventory, type TestInventory } from "./kit.ts";

/** Fewer than a million resources have. */
const PAGES = 1_100;
const AT_ONCE = 500;

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({ worker: false });
  // Larger deletes of full pages could exceed the statement timeout on an ordinary disk.
  await inventory.test.admin.unsafe(`
    create function inventory.few() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > ${AT_ONCE} then raise 'too many at once'; end if;
      return null;
    end $$;
    create trigger few after delete on inventory.scan_pages referencing old table as gone
      for each statement execute function inventory.few()
  `);
});
afterAll(() => inventory.stop());

/** Creates a scan with more pages than one statement can delete in time. */
async function largeScan(): Promise<Claim> {
  const org_id = crypto.randomUUID();
  const account = { org_id, provider: "gcp", external_id: "shop-prod" };
  const { id: accountId } = await inventory.call(CreateAccount, account);
  const sql = inventory.database.org(org_id);
  const requestedBy = { type: "system" as const, id: "test" };
  const scanId = await insertScan(sql, { accountId, kind: "full", trigger: "api", requestedBy });
  const claim = await claimScan(sql, { scanId: scanId ?? "", worker: crypto.randomUUID() });
  if (!claim) throw new Error("somebody else has it");
  await planShards(sql, claim, [{ service: "cloudasset" }]);
  await inventory.test.admin`
    insert into inventory.scan_pages (org_id, scan_id, shard, number, lines)
    select ${org_id}, ${claim.scan_id}, 1, number, 'line' from generate_series(1, ${PAGES}) number
  `;
  return { ...claim, org_id };
}

const left = async ({ scan_id }: Claim) => {
  const { admin } = inventory.test;
  const pages = await admin`select from inventory.scan_pages where scan_id = ${scan_id}`;
  const shards = await admin`select from inventory.scan_shards where scan_id = ${scan_id}`;
  return { pages: pages.length, shards: shards.length };
};

test("pages of a finished large scan are deleted in parts", async () => {
  const claim = await largeScan();
  await inventory.test.admin`
    update inventory.scans set status = 'succeeded', finished_at = now() where id = ${claim.scan_id}
  `;
  const { system } = inventory.database;
  await forgetShards(system);
  expect(await left(claim)).toEqual({ pages: PAGES - AT_ONCE, shards: 1 });
  for (let more = 0; more < 3; more += 1) await forgetShards(system);
  expect(await left(claim)).toEqual({ pages: 0, shards: 0 });
});

test("a large shard whose worker died is started again", async () => {
  const claim = await largeScan();
  const sql = inventory.database.org(String(claim["org_id"]));
  expect(await beginShard(sql, claim, 1)).toBe(1);
  expect(await left(claim)).toEqual({ pages: 0, shards: 1 });
});
