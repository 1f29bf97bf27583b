/**
 * Measures a page of sources with stored counts against a page whose counts must be computed, as after matching by an
 * older service. Also measures a push that stores the counts.
 * `bun run load tests/load/sources.ts [declared]`
 */
import { isObject, text } from "@leeway/shared/values/json";

import { newCustomer } from "./customer.ts";
import { startStack } from "./stack.ts";

const declared = Number(Bun.argv[2] ?? 1_000_000);
const SOURCES = 20;
const ACCOUNTS = 5;
/** Matched resources in every ten declared. */
const MATCHED = 6;
const TURNS = 5;

const stack = await startStack();
const { id: orgId, key } = await newCustomer(stack);
const ask = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${stack.baseUrl}/api/v2/orgs/${orgId}/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

await fill();
console.log(`${SOURCES} sources that declare ${declared} resources`);
console.log(`counted anew: ${await timed()}`);
console.log(`a push to another source, which counts all: ${await pushSmall()}`);
console.log(`as counted then: ${await timed()}`);
await stack.stop();
process.exit(0);

async function fill(): Promise<void> {
  const { admin } = stack.db;
  await admin`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id, swept_at)
    select ${orgId}, lpad(n::text, 32, '0')::uuid, 'aws', 'aws', lpad(n::text, 12, '1'), now()
      from generate_series(0, ${ACCOUNTS - 1}::int) n
  `;
  await admin`
    insert into inventory.iac_sources (org_id, id, name)
    select ${orgId}, lpad(n::text, 32, '0')::uuid, 'source ' || n
      from generate_series(0, ${SOURCES - 1}::int) n
  `;
  await admin`
    insert into inventory.iac_resources (
      org_id, id, source_id, address, type, canonical_type, cloud, account, region, keys, inline, listed, tagged, loss
    )
    select ${orgId}, lpad(to_hex(n), 32, '0')::uuid, lpad((n % ${SOURCES}::int)::text, 32, '0')::uuid,
           'aws_sqs_queue.q' || n, 'aws_sqs_queue', 'aws_sqs_queue', 'aws', lpad((n % ${ACCOUNTS}::int)::text, 12, '1'),
           'eu-west-1', array['2:q' || n], false, true, false, 'serving'
      from generate_series(1, ${declared}::int) n
  `;
  await admin`
    insert into inventory.matches (org_id, iac_resource_id, cloud_account_id, live_resource_id, level, contested)
    select ${orgId}, lpad(to_hex(n), 32, '0')::uuid, lpad((n % ${ACCOUNTS}::int)::text, 32, '0')::uuid,
           gen_random_uuid(), 2, false
      from generate_series(1, ${declared}::int) n
     where n / ${SOURCES}::int % 10 < ${MATCHED}::int
  `;
  await admin`vacuum analyze`;
}

/** Returns the status of the page and its median time. */
async function timed(): Promise<string> {
  const took: number[] = [];
  let status = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const started = performance.now();
    const answer = await ask("GET", "iac-sources?limit=100");
    await answer.arrayBuffer();
    ({ status } = answer);
    took.push(performance.now() - started);
  }
  const middle = took.toSorted((a, b) => a - b)[TURNS >> 1] ?? Number.NaN;
  return `${status} after ${middle.toFixed(1)} ms`;
}

async function pushSmall(): Promise<string> {
  const made: unknown = await (await ask("POST", "iac-sources", { name: "small" })).json();
  const id = isObject(made) ? text(made, "id") : undefined;
  const state = {
    version: 4,
    terraform_version: "1.9.0",
    serial: 1,
    lineage: orgId,
    outputs: {},
    resources: [],
  };
  const started = performance.now();
  const answer = await ask("PUT", `iac-sources/${id}/state`, state);
  await answer.arrayBuffer();
  return `${answer.status} after ${(performance.now() - started).toFixed(0)} ms`;
}
