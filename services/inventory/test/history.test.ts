import { afterAll, beforeAll, expect, test } from "bun:test";

import { DecideMany } from "@leeway/shared/contracts/inventory/decisions";
import { CreateRule } from "@leeway/shared/contracts/inventory/rules";
import type { Database, Transaction } from "@leeway/shared/database/database";

import { newOrg, ndjson, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACTOR = { type: "system" as const, id: "test" };
/** Rows of each table that the measured work isn't about. */
const HISTORY = 5_000;
/** More than the work itself reads, far fewer than the history. */
const TOLERATED = HISTORY / 10;

/** Rows that transactions have read, by table. */
const reads = new Map<string, number>();

async function countReads(tx: Transaction): Promise<void> {
  const rows = await tx<{ name: string; rows: number }>`
    select regexp_replace(relname, '_(\d{6}|present)$', '') as name,
           sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
      from pg_stat_xact_user_tables
     where schemaname = 'inventory'
     group by 1
  `;
  for (const { name, rows: count } of rows) reads.set(name, (reads.get(name) ?? 0) + count);
}

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({
    watched: (database): Database => ({
      ...database,
      transaction: (orgId, work, options) =>
        database.transaction(
          orgId,
          async (tx) => {
            const result = await work(tx);
            await countReads(tx);
            return result;
          },
          options,
        ),
    }),
  });
});
afterAll(() => inventory.stop());

const queue = (name: string, tags?: object) => ({
  provider_resource_id: `arn:aws:sqs:eu-west-1:123456789012:${name}`,
  provider_type: "AWS::SQS::Queue",
  ...(tags && { tags }),
});

/** Adds an organization's history: scans, changes that are gone, and resources of another account. */
async function addHistory(orgId: string, accountId: string, otherId: string): Promise<void> {
  const { admin } = inventory.test;
  for (const account of [accountId, otherId])
    await admin`
      with old as (select gen_random_uuid() as scan, n from generate_series(1, ${HISTORY}::int) n), scans as (
        insert into inventory.scans (org_id, id, account_id, kind, trigger, status, phase, requested_by, finished_at, settled)
        select ${orgId}, scan, ${account}, 'full', 'push', 'succeeded', 'drift', '{}', now() - interval '9 days', true from old
      ), fingerprints as (
        insert into inventory.drift_fingerprints (
          org_id, fingerprint, cloud_account_id, kind, risk_level, hidden, values_hash, from_number, gone_at
        )
        select ${orgId}, 'dc1_' || md5(${account} || n), ${account}, 'undeclared', 'none', false, '', -n, now() - interval '9 days'
          from old
      )
      insert into inventory.drift_snapshots (org_id, id, cloud_account_id, scan_id, status, number)
      select ${orgId}, ('00000000-0000-7000-8000-' || lpad(to_hex(n + ${account === otherId ? HISTORY : 0}::int), 12, '0'))::uuid, ${account}, scan, 'ready', -n from old
    `;
  await admin`
    insert into inventory.live_resources (
      org_id, id, cloud_account_id, provider_resource_id, provider_type, normalized_type, region, name, content_hash,
      mapped, keys, owner_keys, enrichment_status, match_status, first_seen_at, seen_at
    )
    select ${orgId}, gen_random_uuid(), ${otherId}, 'arn:aws:sqs:eu-west-1:210987654321:x' || n, 'AWS::SQS::Queue', 'queue',
           'eu-west-1', 'x' || n, n, true, '{}', '{}', 'none', 'undeclared', now(), now()
      from generate_series(1, ${HISTORY}::int) n
  `;
  await admin`vacuum analyze`;
}

test("work on an account reads neither its history nor other accounts", async () => {
  const org = newOrg(inventory);
  const account = await org.account("aws", "123456789012");
  const other = await org.account("aws", "210987654321");
  const source = await org.source("main", account.id);
  await inventory.call(CreateRule, {
    org_id: org.id,
    created_by: ACTOR,
    name: "extra",
    on: ["undeclared"],
    when: 'resource.name == "extra"',
    then: { raise_to: "high" },
    reason: "watched",
  });
  let turn = 0;
  const work = async (): Promise<Map<string, number>> => {
    turn += 1;
    reads.clear();
    const declared = {
      type: "aws_sqs_queue",
      name: "a",
      attributes: { arn: queue("a").provider_resource_id, turn },
    };
    await org.pushState(source, tfstate([declared], { serial: turn }));
    const listing = ndjson([queue("a"), queue("extra", { turn: String(turn) }), queue(`new${turn}`)]);
    await org.pushListing(account, listing);
    await inventory.call(DecideMany, {
      org_id: org.id,
      filter: { account_id: account.id },
      status: "acknowledged",
      decided_by: ACTOR,
    });
    return new Map(reads);
  };
  await work();
  const before = await work();
  await addHistory(org.id, account.id, other.id);
  const after = await work();
  const more = [...after].filter(([table, rows]) => rows > (before.get(table) ?? 0) + TOLERATED);
  expect(more).toEqual([]);
});

test("the first push of an organization that no statistics know reads each row a few times", async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `q${index}`);
  const work = async (): Promise<[table: string, rows: number][]> => {
    const org = newOrg(inventory);
    const account = await org.account("aws", "123456789012");
    reads.clear();
    const declared = names.map((name) => ({
      type: "aws_sqs_queue",
      name,
      attributes: { arn: queue(name).provider_resource_id },
    }));
    await org.pushState(await org.source("main", account.id), tfstate(declared));
    await org.pushListing(account, ndjson(names.map((name) => queue(name))));
    return [...reads].filter(([, rows]) => rows > 100 * names.length);
  };
  expect(await work()).toEqual([]);
  await inventory.test.admin`analyze`;
  expect(await work()).toEqual([]);
});
