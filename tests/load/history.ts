/**
 * Measures how hot paths grow with the days of history, of an organization and of others. Prints the median of each
 * path, the size of the largest tables, and how long it takes to delete an expired day.
 * `bun run load tests/load/history.ts [days…]`
 */
import { RETENTION, RETENTION_BATCH } from "@leeway/shared/contracts/retention";

import { listingOf, newCustomer, planEvent, signed } from "./customer.ts";
import { printMedians, type Path } from "./medians.ts";
import { startStack } from "./stack.ts";

const sizes = Bun.argv.slice(2).map(Number);
const steps = sizes.length > 0 ? sizes : [1, 30, 399];
/** Accounts, each scanned hourly; changes of each that come and go on a day; deliveries and audit entries of a day. */
const [ACCOUNTS, CHANGES, DELIVERIES, ENTRIES] = [20, 2, 1_000, 500];
/** Other organizations, with an account each that is scanned hourly. */
const OTHERS = 200;
const ROWS = 1_000;
/** An id of version 7 of a time named `at`. */
const ID = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
  || '8' || substr(md5(random()::text), 1, 15))::uuid`;
/** The number of an hour's snapshot: below those of present ones. */
const NUMBER = "(extract(epoch from at - now()) / 3600)::int";

const stack = await startStack();
const { admin } = stack.db;
const customer = await newCustomer(stack);
const get = async (path: string): Promise<unknown> => {
  const headers = { authorization: `Bearer ${customer.key}` };
  const answer = await fetch(`${stack.baseUrl}/api/v2/orgs/${customer.id}/${path}`, { headers });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
};

const account = await customer.newAccount("aws", "123456789012");
await customer.push(account, listingOf(ROWS));
const receiver = await customer.newReceiver();
const { data } = Object(await get("webhooks"));
const config = String(data[0].id);
let pushed = 0;

const PATHS: readonly Path[] = [
  ["a page of the account's scans", () => get(`scans?account_id=${account}`)],
  ["a page of failed scans", () => get("scans?status=failed")],
  ["a page of scans started by hand", () => get("scans?trigger=manual")],
  ["a page of the account's snapshots", () => get(`drift-snapshots?account_id=${account}`)],
  ["a page of drift", () => get("drift-changes?limit=100")],
  ["what changed in a week", () => get(`drift-movement?since=${daysAgo(7)}`)],
  ["the posture", () => get("posture")],
  ["a week's trend", () => get("posture/trend?days=7")],
  ["a page of the audit log", () => get("audit-log")],
  ["a page of deliveries", () => get(`webhooks/${config}/deliveries`)],
  ["a page of failed deliveries", () => get(`webhooks/${config}/deliveries?outcome=failed`)],
  ["a page of jobs", () => get("llm-jobs")],
  ["a webhook", sendEvent],
  ["an unchanged push", () => customer.push(account, listingOf(ROWS))],
  ["a push with one more", () => customer.push(account, listingOf(ROWS + 1 + (pushed++ % 2)))],
];

await createPartitions();
const others = Array.from({ length: OTHERS }, () => crypto.randomUUID());
await addAccounts(customer.id, ACCOUNTS - 1);
for (const other of others) await addAccounts(other, 1);
let filled = 0;
await measure(0);
for (const days of steps) {
  await addHistory(filled, days);
  filled = days;
  await measure(days);
}
await expireDay();
await stack.stop();
process.exit(0);

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
}

async function sendEvent(): Promise<void> {
  const body = planEvent();
  const headers = {
    "content-type": "application/json",
    "x-planner-signature": signed(body, receiver.secret),
  };
  const answer = await fetch(`${stack.baseUrl}${receiver.path}`, { method: "POST", headers, body });
  if (answer.status !== 202) throw new Error(await answer.text());
}

/** Creates the partitions of past days and months, as they would be there if Leeway had run then. */
async function createPartitions(): Promise<void> {
  await admin.unsafe(`
    do $$
    declare
      at timestamptz;
      name text;
    begin
      for at in
        select month
          from generate_series(date_trunc('month', now()) - interval '14 months', now() - interval '1 month', interval '1 month') month
      loop
        execute format(
          'create table if not exists inventory.%I partition of inventory.drift_changes for values from (%L) to (%L)',
          'drift_changes' || to_char(at, '_YYYYMM'), at, at + interval '1 month'
        );
      end loop;
      for at, name in
        select day, parent
          from generate_series(current_date - 30, current_date - 2, interval '1 day') day
         cross join unnest(array['webhooks.deliveries', 'analyzer.jobs']) parent
      loop
        execute format(
          'create table if not exists %s partition of %s for values from (%L) to (%L)',
          name || to_char(at, '_YYYYMMDD'), name, webhooks.first_id(at::date), webhooks.first_id(at::date + 1)
        );
      end loop;
    end $$
  `);
}

async function addAccounts(org: string, accounts: number): Promise<void> {
  await admin`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id)
    select ${org}, gen_random_uuid(), 'aws', 'aws', (400000000000 + n)::text from generate_series(1, ${accounts}::int) n
  `;
}

/** Adds what happened between two numbers of days ago. */
async function addHistory(from: number, to: number): Promise<void> {
  await addScans(timesOf(from, to, "1 hour"));
  await addChanges(timesOf(from, to, "1 day"));
  await addEntries(timesOf(from, to, `${(24 * 60 * 60) / ENTRIES} seconds`));
  const [kept, since] = [
    Math.min(to, RETENTION.deliveries.days - 1),
    Math.min(from, RETENTION.deliveries.days - 1),
  ];
  if (kept > since) await addDeliveries(timesOf(since, kept, `${(24 * 60 * 60) / DELIVERIES} seconds`));
  await admin`vacuum analyze`;
}

/** Returns a relation of times named `at`. */
function timesOf(from: number, to: number, step: string): string {
  const [first, last] = [
    `now() - interval '${to} days'`,
    `now() - interval '${from} days' - interval '1 hour'`,
  ];
  return `generate_series(${first}, ${last}, interval '${step}') at`;
}

async function addScans(times: string): Promise<void> {
  await admin.unsafe(`
    with hours as (
      select org_id, id as account_id, at, ${ID} as id, ${ID} as snapshot
        from inventory.cloud_accounts
       cross join ${times}
    ), scans as (
      insert into inventory.scans (
        org_id, id, account_id, kind, trigger, status, phase, requested_by, created_at, started_at, finished_at,
        drift_snapshot_id, settled
      )
      select org_id, id, account_id, 'full', 'schedule', 'succeeded', 'drift', '{}', at, at, at, snapshot, true from hours
    )
    insert into inventory.drift_snapshots (
      org_id, id, cloud_account_id, scan_id, status, number, created_at, finished_at
    )
    select org_id, snapshot, account_id, id, 'ready', ${NUMBER}, at, at from hours
  `);
}

async function addChanges(times: string): Promise<void> {
  await admin.unsafe(`
    with days as (
      select a.org_id, a.id as account_id, at, ${ID} as id, 'dc1_' || md5(random()::text) as fingerprint,
             ${NUMBER} as number
        from inventory.cloud_accounts a
       cross join generate_series(1, ${CHANGES})
       cross join ${times}
    ), fingerprints as (
      insert into inventory.drift_fingerprints (
        org_id, fingerprint, cloud_account_id, kind, risk_level, hidden, values_hash, first_seen_at, from_number, gone_at
      )
      select org_id, fingerprint, account_id, 'changed', 'high', false, '', at - interval '1 day', number - 24, at from days
    )
    insert into inventory.drift_changes (
      org_id, id, cloud_account_id, fingerprint, kind, risk_level, hidden, content, content_hash, from_number,
      until_number, gone_at
    )
    select org_id, id, account_id, fingerprint, 'changed', 'high', false, '{}', '', number - 24, number, at from days
  `);
}

async function addEntries(times: string): Promise<void> {
  const actor = JSON.stringify({ type: "api_key", id: Bun.randomUUIDv7() });
  await admin.unsafe(`
    insert into identity.audit_log (org_id, id, at, actor, action, target_id, outcome, request_id)
    select '${customer.id}', ${ID}, at, '${actor}', 'cloud_account.push', gen_random_uuid(), 'unknown', md5(random()::text)
      from ${times}
  `);
}

async function addDeliveries(times: string): Promise<void> {
  await admin.unsafe(`
    with arrived as (
      select ${ID} as id, at from ${times}
    ), jobs as (
      insert into analyzer.jobs (org_id, id, kind, status, subject, result, created_at, finished_at)
      select '${customer.id}', id, 'plan_report', 'done', '{}', '{}', at, at from arrived
    )
    insert into webhooks.deliveries (
      org_id, id, config_id, source, kind, body_sha256, size, outcome, received_at, processed_at
    )
    select '${customer.id}', id, '${config}', 'planner', 'plan', sha256(id::text::bytea), 2048, 'processed', at, at
      from arrived
  `);
}

async function measure(days: number): Promise<void> {
  await printMedians(`after ${days} days`, PATHS);
  const tables = await admin<{ name: string; rows: number; size: string; indexes: string }[]>`
    select table_name as name, sum(c.reltuples)::bigint as rows, pg_size_pretty(sum(pg_table_size(c.oid))) as size,
           pg_size_pretty(sum(pg_indexes_size(c.oid))) as indexes
      from unnest(array['scans', 'drift_snapshots', 'drift_changes', 'drift_fingerprints']) table_name
      join pg_class c on c.relnamespace = 'inventory'::regnamespace and c.relkind = 'r'
                     and (c.relname = table_name or c.relname ~ (table_name || '_(\\d{6}|present)$'))
     group by table_name
     order by table_name
  `;
  for (const { name, rows, size, indexes } of tables)
    console.log(`  ${name}: ${rows} rows, ${size}, indexes ${indexes}`);
}

/** Deletes the oldest day as the service does, a batch of each table at a time. */
async function expireDay(): Promise<void> {
  const days = filled - 1;
  const [expired] = await admin<{ rows: number }[]>`
    select count(*)::int as rows from inventory.scans where created_at < now() - make_interval(days => ${days})
  `;
  const batches = Math.ceil((expired?.rows ?? 0) / RETENTION_BATCH);
  const started = performance.now();
  for (let batch = 0; batch < batches; batch += 1)
    await admin`
      select inventory.keep_drift(${days}, ${RETENTION_BATCH}), inventory.forget_scans(${days}, ${RETENTION_BATCH})
    `;
  const elapsed = performance.now() - started;
  console.log(
    `\na day of ${expired?.rows ?? 0} scans and snapshots deleted in ${elapsed.toFixed(0)} ms, kept for ${RETENTION.drift.days} days`,
  );
}
