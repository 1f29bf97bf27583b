import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Input } from "@leeway/shared/contracts/contract";
import { ListResources, type LiveResource } from "@leeway/shared/contracts/inventory/resources";
import type { OrgStatements } from "@leeway/shared/database/database";

import { listPresent } from "../src/drift/store/changes.ts";
import { keyFindings } from "../src/resources/findings.ts";
import { findPage } from "../src/resources/search.ts";
import { findResources, type ResourceFilter } from "../src/resources/store.ts";
import { startInventory, type TestInventory } from "./kit.ts";

const MANY = 12_000;
const RARE = [17, 4_999, 5_000, 5_001, 11_000, 11_999];
const ACCOUNT = crypto.randomUUID();
const SOURCE = crypto.randomUUID();
const org = { id: crypto.randomUUID() };

const arn = (index: number): string => `arn:aws:sqs:eu-west-1:123456789012:q${index}`;
const keyOf = (index: number): string => `2:${arn(index)}`;

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({ worker: false });
  const { admin } = inventory.test;
  await admin`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id)
    values (${org.id}, ${ACCOUNT}, 'aws', 'aws', '123456789012')
  `;
  await admin`
    insert into inventory.live_resources (
      org_id, id, cloud_account_id, provider_resource_id, provider_type, normalized_type, region, name,
      content_hash, mapped, keys, owner_keys, enrichment_status, match_status, first_seen_at, seen_at
    )
    select ${org.id}, lpad(to_hex(n), 32, '0')::uuid, ${ACCOUNT}, 'arn:aws:sqs:eu-west-1:123456789012:q' || n,
           'AWS::SQS::Queue', 'queue', 'eu-west-1', case when n = any (${RARE}::int[]) then 'Räre' else 'common' end,
           n, true, array['2:arn:aws:sqs:eu-west-1:123456789012:q' || n], '{}', 'none', 'undeclared', now(), now()
      from generate_series(0, ${MANY - 1}::int) n
  `;
  await admin`
    insert into inventory.iac_sources (org_id, id, name) values (${org.id}, ${SOURCE}, 'network')
  `;
  await admin`
    insert into inventory.iac_resources (org_id, id, source_id, address, type, cloud, canonical_type, keys, listed, tagged, inline, loss)
    select ${org.id}, lpad(to_hex(n), 32, '0')::uuid, ${SOURCE}, 'aws_sqs_queue.q' || n, 'aws_sqs_queue', 'aws',
           'aws_sqs_queue', array['2:arn:aws:sqs:eu-west-1:123456789012:q' || n], true, false, false, 'other'
      from generate_series(0, ${MANY - 1}::int) n
  `;
  await admin`
    insert into inventory.drift_fingerprints (
      org_id, fingerprint, cloud_account_id, kind, risk_level, hidden, values_hash, from_number
    )
    select ${org.id}, 'dc1_' || n, ${ACCOUNT}, 'undeclared', 'low', false, '', 1
      from generate_series(0, ${MANY - 1}::int) n
  `;
  await admin`
    insert into inventory.drift_changes (
      org_id, id, cloud_account_id, fingerprint, kind, risk_level, hidden, content, content_hash, from_number
    )
    select ${org.id}, lpad(to_hex(n), 32, '0')::uuid, ${ACCOUNT}, 'dc1_' || n, 'undeclared', 'low', false, '{}', '', 1
      from generate_series(0, ${MANY - 1}::int) n
  `;
  await admin`analyze`;
});
afterAll(() => inventory.stop());

/** Returns every resource that the filter finds, page by page. */
async function walk(filter: Partial<Input<typeof ListResources>>): Promise<LiveResource[]> {
  const rows: LiveResource[] = [];
  for (let cursor: string | undefined; ;) {
    const page = { org_id: org.id, limit: 4, ...filter, ...(cursor !== undefined && { cursor }) };
    const { data, next_cursor } = await inventory.call(ListResources, page);
    rows.push(...data);
    if (next_cursor === undefined) return rows;
    cursor = next_cursor;
  }
}

test("rare names or ids are found anywhere, and counted", async () => {
  const rare = RARE.map(arn);
  const found = await walk({ q: "RÄRE" });
  expect(found.map(({ provider_resource_id }) => provider_resource_id)).toEqual(rare);
  const { total_count } = await inventory.call(ListResources, {
    org_id: org.id,
    limit: 1,
    q: "räre",
    total: true,
  });
  expect(total_count).toBe(RARE.length);
  expect(await walk({ q: "räre", account_id: ACCOUNT })).toHaveLength(RARE.length);
  expect(await walk({ q: "räre", account_id: crypto.randomUUID() })).toEqual([]);
  expect(await walk({ q: "q11999" })).toHaveLength(1);
});

test("common results are returned page by page, each once, and counted", async () => {
  const found = await walk({ q: "COMMON", limit: 500 });
  expect(new Set(found.map(({ id }) => id)).size).toBe(MANY - RARE.length);
  expect(found).toHaveLength(MANY - RARE.length);
  const page = { org_id: org.id, limit: 1, match: "undeclared" as const, total: true };
  expect((await inventory.call(ListResources, page)).total_count).toBe(MANY);
});

const NAMED_RARE: ResourceFilter = {
  accountId: undefined,
  normalizedType: undefined,
  providerType: undefined,
  match: undefined,
  enrichmentStatus: undefined,
  q: "räre",
  seenSince: undefined,
};

test("a page that takes too long ends early, and the next continues from there", async () => {
  const sql = inventory.database.org(org.id);
  const lateAnswer = async (...statement: Parameters<OrgStatements>) => {
    await Bun.sleep(1_100);
    return sql(...statement);
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the database's own, but slow
  const slow = Object.assign(lateAnswer, { part: sql.part, orgId: sql.orgId }) as OrgStatements;
  const pages: string[] = [];
  let after: string | undefined;
  do {
    const page = await findPage(slow, NAMED_RARE, { after, limit: 100 });
    if (page.json !== "") pages.push(page.json);
    after = page.last;
  } while (after !== undefined);
  expect(pages.length).toBeGreaterThan(1);
  const rows: LiveResource[] = JSON.parse(`[${pages.join(",")}]`);
  expect(rows.map(({ provider_resource_id }) => provider_resource_id)).toEqual(RARE.map(arn));
});

/** Counts the rows of a table that a query reads, by sequential scan and by index. */
async function rowsRead(table: string, use: (sql: OrgStatements) => Promise<unknown>) {
  return inventory.database.transaction(org.id, async (tx) => {
    await use(tx);
    const [row] = await tx<{ scanned: number; fetched: number }>`
      select seq_tup_read::integer as scanned, coalesce(idx_tup_fetch, 0)::integer as fetched
        from pg_stat_xact_user_tables
       where relname = ${table}
    `;
    return row;
  });
}

test("finding a resource by its provider's id reads no others", async () => {
  const read = await rowsRead("live_resources", async (sql) => {
    expect(await findResources(sql, { provider: arn(7_000) })).toHaveLength(1);
  });
  expect(read?.scanned).toBe(0);
  expect(read?.fetched).toBeLessThan(10);
});

test("finding a resource's declarations by key reads no others", async () => {
  const [resource] = await findResources(inventory.database.org(org.id), { provider: arn(7_000) });
  if (!resource) throw new Error("it isn't there");
  const read = await rowsRead("iac_resources", async (sql) => {
    expect(await keyFindings(sql, resource)).toMatchObject([{ key: keyOf(7_000) }]);
  });
  expect(read?.scanned).toBe(0);
  expect(read?.fetched).toBeLessThan(10);
});

test("a late page of drift changes reads no more than an early one", async () => {
  const [before, after] = [undefined, `4 ${"0".repeat(8)}-0000-0000-0000-00000000${(11_000).toString(16)}`];
  const filter = { accountId: undefined, disposition: undefined, kind: undefined, riskLevel: undefined };
  for (const place of [before, after]) {
    const read = await rowsRead("drift_changes_present", async (sql) => {
      const rows = await listPresent(sql, { ...filter, noise: "include" }, { after: place, limit: 50 });
      expect(rows).toHaveLength(50);
    });
    expect(read?.scanned).toBe(0);
    expect(read?.fetched).toBeLessThan(200);
  }
});

test("drift changes of one level are read without the others", async () => {
  const filter = { accountId: undefined, disposition: undefined, kind: undefined };
  const read = await rowsRead("drift_changes_present", async (sql) => {
    const window = { after: undefined, limit: 50 };
    expect(await listPresent(sql, { ...filter, riskLevel: "critical", noise: "include" }, window)).toEqual(
      [],
    );
    expect(await listPresent(sql, { ...filter, riskLevel: "low", noise: "include" }, window)).toHaveLength(
      50,
    );
  });
  expect(read?.scanned).toBe(0);
  expect(read?.fetched).toBeLessThan(200);
});

test("another organization finds none of them", async () => {
  const sql = inventory.database.org(crypto.randomUUID());
  expect(await sql`select inventory.lives_known_as(${arn(7_000)})`).toHaveLength(0);
  expect(await sql`select inventory.declared_by(${[keyOf(7_000)]}::text[])`).toHaveLength(0);
  const mine = inventory.database.org(org.id);
  expect(await mine`select inventory.lives_known_as(${arn(7_000)})`).toHaveLength(1);
  expect(await mine`select inventory.declared_by(${[keyOf(7_000)]}::text[])`).toHaveLength(1);
});
