/**
 * Measures the growth of the table of live resources over rescans that change some rows, against its size after the
 * first scan. Goal: at most twice. R30 of our performance goals.
 * `bun tests/load/rescans.ts [resources] [rescans]`
 */
import { connectInventory, ndjson, newOrg } from "../../services/inventory/test/kit.ts";

const resources = Number(Bun.argv[2] ?? 100_000);
const rescans = Number(Bun.argv[3] ?? 20);
/** In each rescan one of this many rows changes, and another is replaced by a new one. */
const CHANGED_OF = 10;
const MAX_RATIO = 2;

const inventory = await connectInventory();
const { admin } = inventory.test;
const org = newOrg(inventory);
const account = await org.account("aws", "123456789012");

function listing(round: number): string {
  return ndjson(
    Array.from({ length: resources }, (_, index) => {
      const isReplaced = index % CHANGED_OF === 0;
      const isChanged = index % CHANGED_OF === 1;
      const name = isReplaced ? `q${index}-${round}` : `q${index}`;
      return {
        provider_resource_id: `arn:aws:sqs:eu-west-1:123456789012:${name}`,
        provider_type: "AWS::SQS::Queue",
        region: "eu-west-1",
        tags: { team: `team-${index % 40}`, round: isChanged ? String(round) : "0" },
      };
    }),
  );
}

async function megabytes(): Promise<number> {
  const [row] = await admin<{ bytes: string }[]>`
    select pg_total_relation_size('inventory.live_resources') as bytes
  `;
  return Number(row?.bytes) / (1 << 20);
}

await org.pushListing(account, listing(0));
const first = await megabytes();
for (let round = 1; round <= rescans; round += 1) {
  await org.pushListing(account, listing(round));
  await admin`vacuum inventory.live_resources`; // autovacuum, which takes longer than this run
}
const last = await megabytes();
const ratio = last / first;
console.log(
  `${resources} resources: ${first.toFixed(0)} MB after the first scan, ${last.toFixed(0)} MB after ${rescans} more`,
);
console.log(`ratio ${ratio.toFixed(2)}, goal: at most ${MAX_RATIO}`);
await inventory.stop();
process.exit(ratio > MAX_RATIO ? 1 : 0);
