/**
 * Measures how long a small push waits beside a large one of the same organization, and how long the large one holds
 * the organization's matching lock. Goal: at most a second.
 * `bun run load tests/load/beside.ts [resources] [rounds]`
 */
import { connectInventory, ndjson, newOrg, tfstate } from "../../services/inventory/test/kit.ts";

const resources = Number(Bun.argv[2] ?? 60_000);
const rounds = Number(Bun.argv[3] ?? 3);
const ACCOUNT = "123456789012";
/** So many that each scan has ended before the next of its account. */
const SMALL_ACCOUNTS = 40;
const SMALL_EVERY_MS = 500;
const LOOK_EVERY_MS = 5;

const inventory = await connectInventory({ LOG_LEVEL: "error" });
const { admin } = inventory.test;

const arnOf = (index: number, account = ACCOUNT): string => `arn:aws:sqs:eu-west-1:${account}:q${index}`;

/** Builds a listing whose rows all differ from those of another edition. */
function listing(edition: number): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: resources }, (_, index) => ({
    provider_resource_id: arnOf(index),
    provider_type: "AWS::SQS::Queue",
    region: "eu-west-1",
    tags: { team: `team-${index % 40}`, edition: String(edition) },
    properties: { QueueName: `q${index}`, DelaySeconds: edition, Description: "-".repeat(200) },
  }));
  return Bun.gzipSync(ndjson(rows));
}

function state(): Uint8Array<ArrayBuffer> {
  const declared = Array.from({ length: resources }, (_, index) => ({
    type: "aws_sqs_queue",
    name: `q${index}`,
    attributes: { arn: arnOf(index), delay_seconds: 1 },
  }));
  return Bun.gzipSync(JSON.stringify(tfstate(declared)));
}

const smallListing = (account: string): string =>
  ndjson([{ provider_resource_id: arnOf(0, account), provider_type: "AWS::SQS::Queue" }]);

interface Effect {
  tookMs: number;
  /** The longest wait of a small push. */
  waitMs: number;
  /** The longest time that one transaction held the lock. */
  heldMs: number;
}

/** Runs `large`, and pushes small listings until it has ended. */
async function effectOf(org: ReturnType<typeof newOrg>, large: () => Promise<unknown>): Promise<Effect> {
  const over = new AbortController();
  const started = performance.now();
  const work = large().finally(() => over.abort());
  const held = longestHold(org.id, over.signal);
  const waits: Promise<number>[] = [];
  for (let next = 0; !over.signal.aborted; next += 1) {
    const small = smalls[next % smalls.length];
    if (small) waits.push(waitOf(() => org.startPush(small, smallListing(small.external_id))));
    await Promise.race([Promise.all([waits.at(-1), Bun.sleep(SMALL_EVERY_MS)]), work]);
  }
  await work;
  const tookMs = performance.now() - started;
  return { tookMs, waitMs: Math.max(...(await Promise.all(waits))), heldMs: await held };
}

async function waitOf(push: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await push();
  return performance.now() - started;
}

async function longestHold(orgId: string, over: AbortSignal): Promise<number> {
  const sinceOf = new Map<number, number>();
  let longest = 0;
  while (!over.aborted) {
    const holders = await admin<{ pid: number }[]>`
      select pid
        from pg_locks
       where locktype = 'advisory'
         and granted
         and (classid::bigint << 32 | objid::bigint) = hashtextextended(${`match ${orgId}`}, 0)
    `;
    const now = performance.now();
    for (const pid of sinceOf.keys()) if (!holders.some((holder) => holder.pid === pid)) sinceOf.delete(pid);
    for (const { pid } of holders) {
      const since = sinceOf.get(pid) ?? now;
      sinceOf.set(pid, since);
      longest = Math.max(longest, now - since);
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
  return longest;
}

/** Waits until everything that a push leaves to be done is done. */
async function settled(): Promise<void> {
  for (;;) {
    const [row] = await admin<{ pending: boolean }[]>`
      select exists (select from inventory.drift_snapshots where status = 'pending')
          or exists (select from inventory.scans where finished_at is null) as pending
    `;
    if (!row?.pending) return;
    await Bun.sleep(50);
  }
}

const [first, second, declared] = [listing(0), listing(1), state()];
let smalls: { id: string; external_id: string }[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  smalls = [];
  for (let index = 0; index < SMALL_ACCOUNTS; index += 1) {
    const external_id = String(210987654321 + index);
    smalls.push({ id: (await org.account("aws", external_id)).id, external_id });
  }
  const source = await org.source("s");
  const cases: [string, () => Promise<unknown>][] = [
    ["nothing", () => Bun.sleep(3_000)],
    ["a first listing", () => org.startPush(account, first)],
    ["an unchanged one", () => org.startPush(account, first)],
    ["one that rewrites all rows", () => org.startPush(account, second)],
    ["a state", () => org.pushState(source, declared)],
    ["a declared listing that rewrites all rows", () => org.startPush(account, first)],
  ];
  for (const [label, large] of cases) {
    await admin`vacuum analyze inventory.live_resources`;
    const { tookMs, waitMs, heldMs } = await effectOf(org, large);
    console.log(
      `round ${round}, beside ${label}: it took ${(tookMs / 1000).toFixed(1)} s; ` +
        `lock held ${(heldMs / 1000).toFixed(2)} s; longest wait of a small push ${(waitMs / 1000).toFixed(2)} s`,
    );
    await settled();
  }
}
await inventory.stop();
process.exit(0);
