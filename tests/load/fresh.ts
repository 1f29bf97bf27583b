/**
 * Measures reads right after the first large push, when the planner's statistics still show small tables, against the
 * same reads after `analyze`.
 * `bun run load tests/load/fresh.ts [resources]`
 */
import { isObject, members, text } from "@leeway/shared/values/json";

import { listingOf, newCustomer } from "./customer.ts";
import { startStack } from "./stack.ts";

const resources = Number(Bun.argv[2] ?? 100_000);
const TURNS = 5;

const stack = await startStack();
const [small, large] = [await newCustomer(stack), await newCustomer(stack)];
await small.push(await small.newAccount("aws", "123456789012"), listingOf(200));
await stack.db.admin`analyze`;
const account = await large.newAccount("aws", "123456789012");
await large.push(account, listingOf(resources));

const headers = { authorization: `Bearer ${large.key}` };
const get = (path: string): Promise<Response> =>
  fetch(`${stack.baseUrl}/api/v2/orgs/${large.id}/${path}`, { headers });
const snapshots: unknown = await (await get("drift-snapshots?limit=1")).json();
const [snapshot] = members(isObject(snapshots) ? snapshots : undefined, "data");
const READS = [
  "resources?limit=100",
  `resources?limit=100&account_id=${account}&match=undeclared`,
  "resources?limit=100&q=q99",
  "resources?limit=100&q=nowhere",
  `resources/${encodeURIComponent("arn:aws:sqs:eu-west-1:123456789012:q99")}`,
  "drift-changes?limit=100",
  "drift-changes?limit=100&disposition=open",
  `drift-snapshots/${text(snapshot, "id")}/changes?limit=100`,
  "posture",
  "scans?limit=100",
];

/** Returns the median time of each read, in ms. */
async function timed(): Promise<number[]> {
  const all: number[] = [];
  for (const path of READS) {
    const took: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const started = performance.now();
      const answer = await get(path);
      await answer.arrayBuffer();
      took.push(answer.ok ? performance.now() - started : Number.POSITIVE_INFINITY);
    }
    all.push(took.toSorted((a, b) => a - b)[TURNS >> 1] ?? Number.NaN);
  }
  return all;
}

const fresh = await timed();
await stack.db.admin`analyze`;
const known = await timed();
READS.forEach((path, index) => {
  const [before = Number.NaN, after = Number.NaN] = [fresh[index], known[index]];
  const name = path.replaceAll(/[\da-f-]{36}/g, "…");
  console.log(
    `${name}: ${before.toFixed(1)} ms, once known ${after.toFixed(1)} ms, ratio ${(before / after).toFixed(1)}`,
  );
});
await stack.stop();
process.exit(0);
