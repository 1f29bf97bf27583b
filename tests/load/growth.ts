/**
 * Measures how hot paths grow with what they don't return: the resources of other organizations, each with one account,
 * and of the organization's other accounts. Prints the median of each path and the size of the largest tables.
 * `bun run load tests/load/growth.ts [resources…]`
 */
import { listingOf, newCustomer } from "./customer.ts";
import { printMedians, type Path } from "./medians.ts";
import { startStack } from "./stack.ts";

const sizes = Bun.argv.slice(2).map(Number);
const steps = sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000];
/** Most resources of its own. Ten million fit into an installation, not into one organization. */
const MOST_OWN = 1_000_000;
const ACCOUNT_ROWS = 10_000;
const OWN_ROWS = 1_000;
const DECLARED = 200;

const stack = await startStack();
const { admin } = stack.db;
const customer = await newCustomer(stack);
const ask = async (method: string, path: string, body?: string): Promise<unknown> => {
  const answer = await fetch(`${stack.baseUrl}/api/v2/orgs/${customer.id}/${path}`, {
    method,
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    ...(body !== undefined && { body }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer.json();
};

const account = await customer.newAccount("aws", "123456789012");
await customer.push(account, listingOf(OWN_ROWS));
const source = await newSource();
const rule = {
  name: "orders",
  on: ["undeclared", "missing", "changed"],
  when: 'resource.name == "orders"',
  then: { raise_to: "high" },
  reason: "watched",
};
await ask("POST", "rules", JSON.stringify(rule));
let serial = 0;

const PATHS: readonly Path[] = [
  ["a page of the account's resources", () => ask("GET", `resources?limit=100&account_id=${account}`)],
  ["a page of all resources", () => ask("GET", "resources?limit=100")],
  ["a resource by name", () => ask("GET", "resources?limit=100&q=q999")],
  ["the posture", () => ask("GET", "posture")],
  ["a page of drift", () => ask("GET", "drift-changes?limit=100")],
  ["an unchanged push", () => customer.push(account, listingOf(OWN_ROWS))],
  ["a push with one more", () => customer.push(account, listingOf(OWN_ROWS + 1 + (serial % 2)))],
  ["a changed state", () => pushState()],
];

await measure("nothing else");
for (const [whose, owner, most] of [
  ["of other organizations", () => crypto.randomUUID(), Infinity],
  ["of its own", () => customer.id, MOST_OWN],
] as const) {
  let filled = 0;
  for (const size of new Set(steps.map((step) => Math.min(step, most)))) {
    await fill(owner, filled, size);
    filled = size;
    await measure(`${size} more resources ${whose}`);
  }
}
await stack.stop();
process.exit(0);

async function newSource(): Promise<string> {
  const body = JSON.stringify({ name: "jobs", cloud_account_id: account });
  const created: unknown = await ask("POST", "iac-sources", body);
  return String(Object(created).id);
}

/** Pushes a state with another resource than before. */
function pushState(): Promise<unknown> {
  serial += 1;
  const resources = Array.from({ length: DECLARED }, (_, index) => {
    const name = `q${index + (serial % 2)}`;
    const attributes = { arn: `arn:aws:sqs:eu-west-1:123456789012:${name}`, name };
    return { mode: "managed", type: "aws_sqs_queue", name, provider: "aws", instances: [{ attributes }] };
  });
  const state = { version: 4, terraform_version: "1.9.0", serial, lineage: "l", outputs: {}, resources };
  return ask("PUT", `iac-sources/${source}/state`, JSON.stringify(state));
}

/** Inserts matched resources into accounts of their own, each of the organization that `owner` returns. */
async function fill(owner: () => string, from: number, to: number): Promise<void> {
  const first = Math.ceil(from / ACCOUNT_ROWS);
  const accounts = Array.from({ length: Math.ceil(to / ACCOUNT_ROWS) - first }, (_, index) => first + index);
  for (const number of accounts) {
    const rows = Math.min(ACCOUNT_ROWS, to - number * ACCOUNT_ROWS);
    const [id, accountId, sourceId, name] = [
      owner(),
      crypto.randomUUID(),
      crypto.randomUUID(),
      String(400_000_000_000 + number),
    ];
    await admin`
      insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id, swept_at, live_count, matched_count)
      values (${id}, ${accountId}, 'aws', 'aws', ${name}, now(), ${rows}, ${rows})
    `;
    await admin`
      insert into inventory.iac_sources (org_id, id, name, cloud_account_id) values (${id}, ${sourceId}, ${name}, ${accountId})
    `;
    await admin`
      with pair as materialized (
        select gen_random_uuid() as live, gen_random_uuid() as declared, n from generate_series(1, ${rows}::int) n
      ), live as (
        insert into inventory.live_resources (
          org_id, id, cloud_account_id, provider_resource_id, provider_type, normalized_type, region, name,
          content_hash, mapped, keys, owner_keys, enrichment_status, match_status, match_level, iac_resource_id,
          first_seen_at, seen_at
        )
        select ${id}, live, ${accountId}, ${`arn:aws:sqs:eu-west-1:${name}:x`} || n, 'AWS::SQS::Queue', 'queue',
               'eu-west-1', 'x' || n, n, true, '{}', '{}', 'none', 'matched', 2, declared, now(), now()
          from pair
      ), declared as (
        insert into inventory.iac_resources (
          org_id, id, source_id, address, type, canonical_type, cloud, account, region, keys, inline, listed, tagged, loss
        )
        select ${id}, declared, ${sourceId}, 'aws_sqs_queue.x' || n, 'aws_sqs_queue', 'aws_sqs_queue', 'aws', ${name},
               'eu-west-1', array[${`2:${name}:`} || n], false, true, false, 'serving'
          from pair
      )
      insert into inventory.matches (org_id, iac_resource_id, cloud_account_id, live_resource_id, level, contested)
      select ${id}, declared, ${accountId}, live, 2, false from pair
    `;
    await admin`
      insert into inventory.source_counts (org_id, source_id, cloud, account, cloud_account_id, matched, missing, unobserved)
      values (${id}, ${sourceId}, 'aws', ${name}, ${accountId}, ${rows}, 0, 0)
    `;
  }
  await admin`vacuum analyze`;
}

async function measure(beside: string): Promise<void> {
  await printMedians(`beside ${beside}`, PATHS);
  const tables = await admin<{ name: string; size: string; indexes: string }[]>`
    select relname as name, pg_size_pretty(pg_table_size(oid)) as size, pg_size_pretty(pg_indexes_size(oid)) as indexes
      from pg_class
     where relnamespace = 'inventory'::regnamespace and relkind = 'r'
     order by pg_total_relation_size(oid) desc
     limit 4
  `;
  console.log(
    `  ${tables.map(({ name, size, indexes }) => `${name} ${size}, indexes ${indexes}`).join("; ")}`,
  );
}
