/**
 * Measures the drift of an account against the matching of the same pairs, both as a service runs them, in
 * alternating rounds. Goal: at most ten times as long. One of 50 resources drifted. Then compares the push of a state
 * whose attributes are stored with one whose types can't be compared. `undeclared` more resources are live, with
 * properties, and not declared.
 * `bun run load tests/load/drift.ts [pairs] [undeclared]`
 */
import type { Transaction } from "@leeway/shared/database/database";
import { testLog } from "@leeway/shared/testing/testing";

import { computeDrift } from "../../services/inventory/src/drift/compute-drift.ts";
import { rematch } from "../../services/inventory/src/matching/rematch.ts";
import { lockMatching } from "../../services/inventory/src/matching/store/matches.ts";
import { connectInventory, ndjson, newOrg } from "../../services/inventory/test/kit.ts";
import { ACCOUNT, sidesAt } from "./pairs.ts";

const pairs = Number(Bun.argv[2] ?? 100_000);
const undeclared = Number(Bun.argv[3] ?? 0);
const TURNS = 3;
const MAX_RATIO = 10;

const inventory = await connectInventory();
const { database, bus } = inventory;
const platform = { database, bus, log: testLog() };
const org = newOrg(inventory);
const account = await org.account("aws", ACCOUNT);
const all = Array.from({ length: pairs }, (_, index) => sidesAt(index));

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Builds a state. A `prefix` makes its types unknown, and their attributes aren't stored. */
function stateText(prefix: string): string {
  const resources = all.map(({ declared: { address, type, attributes } }) => ({
    mode: "managed",
    type: type.replace("aws_", `aws_${prefix}`),
    name: address.split(".")[1],
    provider: 'provider["registry.terraform.io/hashicorp/aws"]',
    instances: [{ schema_version: 0, attributes }],
  }));
  return JSON.stringify({ version: 4, terraform_version: "1.9.0", serial: 1, lineage: prefix, resources });
}

const stranger = newOrg(inventory);
const without = await stranger.source("all", (await stranger.account("aws", ACCOUNT)).id);
const withoutSeconds = await seconds(() => stranger.pushState(without, stateText("unheard_of_")));
const source = await org.source("all", account.id);
const withSeconds = await seconds(() => org.pushState(source, stateText("")));
const others = Array.from({ length: undeclared }, (_, index) => sidesAt(index, `u${index}`));
const listing = [...all, ...others].map(({ listed: { complete: _complete, ...row } }) => row);
await org.pushListing(account, ndjson(listing));

/** Runs only the matching, whose result doesn't change. */
async function matchIn(tx: Transaction): Promise<void> {
  await lockMatching(tx);
  await rematch(tx, [account.id]);
}

const compute = () => computeDrift(platform, org.id, account.id);
const turns: { match: number; drift: number }[] = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  const matched = await seconds(() => database.transaction(org.id, matchIn, { lane: "bulk" }));
  turns.push({ match: matched, drift: await seconds(compute) });
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const [matching, drift] = [median(turns.map((turn) => turn.match)), median(turns.map((turn) => turn.drift))];
const [row] = await org.posture();
console.log(
  `${pairs} pairs, ${row?.matched_count} matched, ${row?.changed_count} of them drifted, ${row?.undeclared_count} undeclared`,
);
const [first] = turns;
console.log(
  `matching ${matching.toFixed(2)} s, drift ${drift.toFixed(2)} s; the first, which knows no verdict, ${first?.drift.toFixed(2)} s`,
);
console.log(`ratio ${(drift / matching).toFixed(2)}, goal: at most ${MAX_RATIO}`);
console.log(
  `a state with attributes that are kept ${withSeconds.toFixed(2)} s, without ${withoutSeconds.toFixed(2)} s: ${(withSeconds / withoutSeconds).toFixed(2)} times`,
);
if (drift / matching > MAX_RATIO) process.exitCode = 1;
await inventory.stop();
process.exit();
