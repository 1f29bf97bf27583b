import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { migrate } from "@leeway/shared/database/migrate";
import { testSchema, testServers } from "@leeway/shared/testing";
import postgres, { type Sql } from "postgres";

import { SCHEMA } from "../src/schema.ts";

const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
let server: Sql;
let sql: Sql;
let url: string;

beforeAll(async () => {
  const { databaseUrl } = testServers();
  server = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await server`create database ${server(name)}`;
  url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
  sql = postgres(url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await sql.end();
  await server`drop database ${server(name)} with (force)`;
  await server.end();
});

/** Everything up to the migration before `first`. */
async function migrateUpTo(first: string): Promise<void> {
  const files = (await readdir(SCHEMA.migrations)).filter((file) => file < first);
  const texts = files.map(async (file) => [file, await Bun.file(join(SCHEMA.migrations, file)).text()]);
  await migrate(url, [await testSchema("inventory", Object.fromEntries(await Promise.all(texts)))]);
}

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
  await migrateUpTo("0015");
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
  await migrate(url, [SCHEMA]);
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
