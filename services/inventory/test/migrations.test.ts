import { afterEach, beforeEach, expect, test } from "bun:test";

import { migrate } from "@leeway/shared/database/migrate";
import { schemaBefore, testDatabase, type TestDatabase } from "@leeway/shared/testing";
import type { Sql } from "postgres";

import { SCHEMA } from "../src/schema.ts";

let db: TestDatabase;
let sql: Sql;

beforeEach(async () => {
  db = await testDatabase([]);
  sql = db.admin;
});
afterEach(() => db.drop());

const ORG = crypto.randomUUID();
const SUBSCRIPTION = "0a1b2c3d-1111-2222-3333-44445555ffff";

async function account(external_id: string, swept_at: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id, swept_at)
    values (${ORG}, ${id}, 'azure', 'azure', ${external_id}, ${swept_at})
  `;
  await sql`
    insert into inventory.scans (org_id, id, account_id, kind, trigger, status, phase, requested_by)
    values (${ORG}, ${Bun.randomUUIDv7()}, ${id}, 'full', 'push', 'succeeded', 'drift', '{}')
  `;
  return id;
}

async function resource(accountId: string, group: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`
    insert into inventory.live_resources (
      org_id, id, cloud_account_id, provider_resource_id, provider_type, normalized_type, content_hash, mapped, keys,
      owner_keys, enrichment_status, match_status, first_seen_at, seen_at
    )
    values (
      ${ORG}, ${id}, ${accountId}, ${`/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}`}, 'group', 'project', 1,
      true, '{}', '{}', 'n/a', 'undeclared', now(), now()
    )
  `;
  return id;
}

test("accounts and resources of Azure that differ in case only become one, with what is about them", async () => {
  await migrate(db.adminUrl, [await schemaBefore(SCHEMA, "0015")]);
  const older = await account(SUBSCRIPTION.toUpperCase(), "2026-01-01");
  const newer = await account(SUBSCRIPTION, "2026-02-01");
  const other = await account("another", "2026-01-01");
  await resource(older, "a");
  const kept = await resource(newer, "a");
  await resource(newer, "A");
  await sql`
    insert into inventory.iac_sources (org_id, id, name, cloud_account_id)
    values (${ORG}, ${Bun.randomUUIDv7()}, 'network', ${older})
  `;
  await migrate(db.adminUrl, [SCHEMA]);
  expect([...(await sql`select id from inventory.cloud_accounts order by id`)]).toEqual([
    { id: newer },
    { id: other },
  ]);
  expect([...(await sql`select id from inventory.live_resources`)]).toEqual([{ id: kept }]);
  expect([...(await sql`select cloud_account_id from inventory.iac_sources`)]).toEqual([
    { cloud_account_id: newer },
  ]);
  const again = account(SUBSCRIPTION.toUpperCase(), "2026-03-01");
  await expect(again).rejects.toMatchObject({ constraint_name: "cloud_accounts_unique" });
});

test("what sources declare is counted, but of an organization that is matched meanwhile", async () => {
  await migrate(db.adminUrl, [await schemaBefore(SCHEMA, "0038")]);
  const [matched, still] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const orgId of [matched, still]) {
    const [accountId, sourceId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
    await sql`
      insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id, swept_at)
      values (${orgId}, ${accountId}, 'aws', 'aws', '111111111111', now())
    `;
    await sql`insert into inventory.iac_sources (org_id, id, name) values (${orgId}, ${sourceId}, 'jobs')`;
    await sql`
      insert into inventory.iac_resources (
        org_id, id, source_id, address, type, canonical_type, cloud, account, keys, inline, listed, tagged, loss
      )
      select ${orgId}, gen_random_uuid(), ${sourceId}, concat('aws_sqs_queue.', account, n), 'aws_sqs_queue', 'aws_sqs_queue',
             'aws', account, '{}', n = 0, n < 4, false, 'other'
        from generate_series(0, 4) n
       cross join unnest(array['111111111111', null]) a (account)
    `;
    await sql`
      insert into inventory.matches (org_id, iac_resource_id, cloud_account_id, live_resource_id, level, contested)
      select org_id, id, ${accountId}, gen_random_uuid(), 2, false
        from inventory.iac_resources
       where org_id = ${orgId}
         and address = 'aws_sqs_queue.1111111111111'
    `;
  }
  await sql.begin(async (tx) => {
    await tx`select set_config('app.org_id', ${matched}, true)`;
    await tx`update inventory.cloud_accounts set missing_count = 2 where org_id = ${matched}`;
  });
  await migrate(db.adminUrl, [SCHEMA]);
  expect([...(await sql`select org_id, is_right from inventory.counted_orgs order by is_right`)]).toEqual([
    { org_id: matched, is_right: false },
    { org_id: still, is_right: true },
  ]);
  const counted = await sql`
    select org_id, account, cloud_account_id is not null as is_there, matched, missing, unobserved
      from inventory.source_counts
     order by account
  `;
  expect([...counted]).toEqual([
    { org_id: still, account: "", is_there: false, matched: 0, missing: 3, unobserved: 1 },
    { org_id: still, account: "111111111111", is_there: true, matched: 1, missing: 2, unobserved: 1 },
  ]);
});

test("a resource group that is declared is no longer missing in an account that has shown none", async () => {
  await migrate(db.adminUrl, [await schemaBefore(SCHEMA, "0046")]);
  await account(SUBSCRIPTION, "2026-01-01");
  const sourceId = Bun.randomUUIDv7();
  await sql`insert into inventory.iac_sources (org_id, id, name) values (${ORG}, ${sourceId}, 'network')`;
  for (const type of ["azurerm_resource_group", "azurerm_virtual_network"]) {
    await sql`
      insert into inventory.iac_resources (
        org_id, id, source_id, address, type, canonical_type, cloud, account, keys, inline, listed, tagged, loss
      )
      values (
        ${ORG}, gen_random_uuid(), ${sourceId}, ${`${type}.a`}, ${type}, ${type}, 'azure', ${SUBSCRIPTION}, '{}', false,
        true, false, 'other'
      )
    `;
  }
  await migrate(db.adminUrl, [SCHEMA]);
  expect([...(await sql`select type, status from inventory.declared_resources order by type`)]).toEqual([
    { type: "azurerm_resource_group", status: "unobserved" },
    { type: "azurerm_virtual_network", status: "missing" },
  ]);
});

/** A source with a state that declares one resource. */
async function source(name: string, [type, address, ...keys]: readonly string[]): Promise<void> {
  const sourceId = Bun.randomUUIDv7();
  await sql`
    insert into inventory.iac_sources (org_id, id, name, content_hash) values (${ORG}, ${sourceId}, ${name}, ${"a"})
  `;
  await sql`
    insert into inventory.iac_resources (
      org_id, id, source_id, address, type, canonical_type, cloud, account, keys, inline, listed, tagged, loss
    )
    values (
      ${ORG}, gen_random_uuid(), ${sourceId}, ${address ?? ""}, ${type ?? ""}, ${type ?? ""}, 'azure', ${SUBSCRIPTION},
      ${keys}, false, true, false, 'other'
    )
  `;
}

test.each([
  [
    "0047",
    {
      pools: ["azurerm_netapp_pool", "azurerm_netapp_pool.a"],
      keys: ["azurerm_virtual_network", 'azurerm_virtual_network.a["${b}"]'],
      networks: ["azurerm_virtual_network", 'azurerm_virtual_network.a["b"]'],
    },
    ["keys", "pools"],
  ],
  [
    "0049",
    {
      old: ["aws_security_group_rule", "aws_security_group_rule.a", "3:aws_security_group_rule|sgrule-1"],
      own: ["aws_security_group_rule", "aws_security_group_rule.a", "3:aws_security_group_rule|sgr-1"],
    },
    ["old"],
  ],
])(
  "states of which more is known since %s, and no others, are taken once more at their next push",
  async (first, declared, again) => {
    await migrate(db.adminUrl, [await schemaBefore(SCHEMA, first)]);
    await account(SUBSCRIPTION, "2026-01-01");
    for (const [name, one] of Object.entries(declared)) await source(name, one);
    await migrate(db.adminUrl, [SCHEMA]);
    const rows = await sql`select name from inventory.iac_sources where content_hash is null order by name`;
    expect(rows.map(({ name }) => String(name))).toEqual(again);
  },
);
