/**
 * Measures a full scan of an AWS account with listing, matching and storing, against a bare loop over AWS's own
 * client. The loop reads the same pages from the same server in the same run, with the same concurrency.
 * `bun tests/load/scan.ts [resources] [latency of the cloud in ms]`
 */
import { CloudControlClient, ListResourcesCommand } from "@aws-sdk/client-cloudcontrol";
import type { Scan } from "@leeway/shared/contracts/inventory/scans";

import { GLOBAL_SHARDS, REGIONAL_SHARDS, regionOfGlobal, typesOf } from "@leeway/connectors/aws/types";
import { scansOf } from "../../services/inventory/test/aws-cloud.ts";
import { connectInventory } from "../../services/inventory/test/kit.ts";
import { REGIONS } from "./scan-cloud.ts";

const resources = Number(Bun.argv[2] ?? 100_000);
const latencyMs = Number(Bun.argv[3] ?? 100);
const AT_ONCE = 8;
const MIN_RATIO = 0.7;
const LOOK_MS = 100;
const ACCOUNT = "123456789012";

const server = Bun.spawn(
  [process.execPath, `${import.meta.dir}/scan-cloud.ts`, String(resources), String(latencyMs)],
  {
    stdout: "pipe",
    stderr: "inherit",
  },
);
const { value: first } = await server.stdout.getReader().read();
const endpoint = new TextDecoder().decode(first).trim();

/** Every list to read, region by region. */
const lists = [
  ...GLOBAL_SHARDS.map((service) => ({ shard: { service }, region: regionOfGlobal(service, "us-east-1") })),
  ...REGIONAL_SHARDS.flatMap((service) => REGIONS.map((region) => ({ shard: { service, region }, region }))),
].flatMap(({ shard, region }) => typesOf(shard).map(({ type }) => ({ type, region })));

async function drawBare(): Promise<{ pages: number; seconds: number }> {
  const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" };
  const clients = new Map(
    REGIONS.map((region) => [region, new CloudControlClient({ region, endpoint, credentials })]),
  );
  const left = lists.values();
  let pages = 0;
  const draw = async (): Promise<void> => {
    for (const { type, region } of left) {
      let token: string | undefined;
      do {
        const command = new ListResourcesCommand({ TypeName: type, ...(token && { NextToken: token }) });
        const page = await clients
          .get(region)
          ?.send(command)
          .catch(() => undefined);
        if (page) pages += 1;
        token = page?.NextToken;
      } while (token !== undefined);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, draw));
  return { pages, seconds: (performance.now() - started) / 1000 };
}

const inventory = await connectInventory({
  AWS_ENDPOINT_URL: endpoint,
  EGRESS_ALLOW: new URL(endpoint).host,
});
const scans = scansOf(inventory.call, crypto.randomUUID());
const account = await scans.account({ accessKeyId: "AKIAIOSFODNN7EXAMPLE" }, { external_id: ACCOUNT });

const isTakenOver = ({ phase, finished_at }: Scan): boolean => phase === "drift" || finished_at !== undefined;

/**
 * Scans until everything is stored and matched. The drift runs in a separate job, which is awaited but not measured.
 */
async function scan(): Promise<{ seconds: number; seen: number }> {
  const started = performance.now();
  const { id } = await scans.start({ account_id: account.id });
  let scan = await scans.get(id);
  while (!isTakenOver(scan)) {
    await Bun.sleep(LOOK_MS);
    scan = await scans.get(id);
  }
  const seconds = (performance.now() - started) / 1000;
  const { status, errors, stats } = await scans.until(id, ({ finished_at }) => finished_at !== undefined);
  if (status !== "succeeded") throw new Error(`the scan is ${status}: ${JSON.stringify(errors[0])}`);
  return { seconds, seen: stats.seen ?? 0 };
}

console.log(`${resources} resources, pages after ${latencyMs} ms, ${lists.length} lists, ${AT_ONCE} at once`);
let worst = Infinity;
for (const turn of ["first", "unchanged"]) {
  const bare = await drawBare();
  const own = await scan();
  const ratio = bare.seconds / own.seconds;
  worst = Math.min(worst, ratio);
  const pace = (seconds: number): string => `${(bare.pages / seconds).toFixed(0)} pages a second`;
  console.log(
    `${turn}: ${own.seen} resources in ${own.seconds.toFixed(1)} s, ${pace(own.seconds)}; bare ${pace(bare.seconds)}; ratio ${ratio.toFixed(2)}, goal: at least ${MIN_RATIO}`,
  );
}
console.log(`peak memory of the service: ${(await inventory.peakMegabytes()).toFixed(0)} MB`);
await inventory.stop();
server.kill();
process.exit(worst < MIN_RATIO ? 1 : 0);
