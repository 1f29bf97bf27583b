/**
 * Measures how fast a pushed listing is stored and matched, against a bare program. The program parses the same JSON,
 * then COPYs and merges the same prepared rows into a table with the same columns and indexes. P8 of our performance
 * goals. Both run in alternating rounds, and the median counts. With `array`, the listing is one indented array.
 * `bun tests/load/push.ts [resources] [declared] [rounds] [array]`
 */
import { CLOUDS, cloudOf, formatsOf } from "@leeway/clouds/clouds";
import { readListing } from "@leeway/clouds/listings/read-listing";

import { LISTED_COLUMNS, listedLine } from "@leeway/clouds/reading/listed-line";
import { cpuSeconds } from "./cpu-time.ts";
import { connectInventory, newOrg, tfstate } from "../../services/inventory/test/kit.ts";

const resources = Number(Bun.argv[2] ?? 100_000);
const declared = Number(Bun.argv[3] ?? Math.round(resources * 0.6));
const rounds = Number(Bun.argv[4] ?? 3);
const isArray = Bun.argv[5] === "array";
const ACCOUNT = "123456789012";

const idOf = (index: number): string => `i-${index.toString(16).padStart(17, "0")}`;
const arnOf = (index: number): string => `arn:aws:ec2:eu-west-1:${ACCOUNT}:instance/${idOf(index)}`;

const listing = Array.from({ length: resources }, (_, index) =>
  JSON.stringify({
    provider_resource_id: arnOf(index),
    provider_type: "AWS::EC2::Instance",
    region: "eu-west-1",
    name: `web-${index}`,
    tags: { Name: `web-${index}`, team: `team-${index % 40}` },
  }),
).join("\n");
const state = tfstate(
  Array.from({ length: declared }, (_, index) => ({
    type: "aws_instance",
    name: `web_${index}`,
    attributes: { id: idOf(index), arn: arnOf(index), instance_type: "t3.micro" },
  })),
);

/** Elapsed time, and processor time of all processes, in seconds. */
type Took = [elapsed: number, cpu: number];

async function seconds(work: () => Promise<unknown>): Promise<Took> {
  const [started, used] = [performance.now(), cpuSeconds()];
  await work();
  return [(performance.now() - started) / 1000, cpuSeconds() - used];
}

const inventory = await connectInventory();
const { admin } = inventory.test;

/** Rows that are parsed and copied in one batch. */
const ROWS = 1_000;

/**
 * Prepares the lines that a push of the listing copies, `ROWS` in one string. A million strings would slow every
 * garbage collection during the measurement.
 */
async function linesOf(text: string): Promise<string[]> {
  const aws = cloudOf("aws");
  const copied: string[] = [];
  let lines = "";
  let rows = 0;
  await readListing(new Blob([text]).stream(), {
    formats: formatsOf(aws),
    clouds: CLOUDS,
    take(resource) {
      lines += `${listedLine(resource, aws, { provider: "aws", external_id: ACCOUNT }).line}\n`;
      rows += 1;
      if (rows % ROWS > 0) return;
      copied.push(lines);
      lines = "";
    },
  });
  return [...copied, lines];
}

const KEPT = LISTED_COLUMNS.filter((column) => column !== "live_id" && column !== "canonical_type").join(
  ", ",
);
const ORG = crypto.randomUUID();
const ACCOUNT_ID = crypto.randomUUID();

async function bare(text: string, lines: string[]): Promise<void> {
  const rows = text.split("\n");
  await admin.begin(async (tx) => {
    await tx`
      create temp table bare_incoming (
        live_id uuid, content_hash bigint, provider_resource_id text, provider_type text, normalized_type text,
        canonical_type text, region text, name text, mapped boolean, keys text[], owner_keys text[], exclusion text,
        cloud_created_at text, enrichment_status text, tags text, properties text, redactions text, shards text[]
      ) on commit drop
    `;
    const copy = await tx`copy bare_incoming (${tx(LISTED_COLUMNS)}) from stdin`.writable();
    for (const [index, copied] of lines.entries()) {
      for (const row of rows.slice(index * ROWS, (index + 1) * ROWS)) JSON.parse(row);
      if (!copy.write(copied)) await new Promise((resolve) => copy.once("drain", resolve));
    }
    const done = new Promise((resolve) => copy.once("finish", resolve));
    copy.end();
    await done;
    await tx.unsafe(`
      insert into bare (
        org_id, cloud_account_id, match_status, first_seen_at, seen_at, id, ${KEPT}
      )
      select '${ORG}', '${ACCOUNT_ID}', 'undeclared', now(), now(), live_id, ${KEPT}
        from bare_incoming
      on conflict (org_id, (inventory.identity(provider_resource_id)), provider_type, cloud_account_id, edition) do update
         set content_hash = excluded.content_hash, normalized_type = excluded.normalized_type, name = excluded.name,
             region = excluded.region, mapped = excluded.mapped, keys = excluded.keys, owner_keys = excluded.owner_keys,
             tags = excluded.tags, properties = excluded.properties, redactions = excluded.redactions
       where bare.content_hash <> excluded.content_hash
    `);
  });
}

const changed = listing.replaceAll('"team":"', '"team":"x');
const lines = await linesOf(listing);
const changedLines = await linesOf(changed);

/** One row in a hundred has another tag. */
const partly = listing
  .split("\n")
  .map((row, index) => (index % 100 === 0 ? row.replace('"team":"', '"team":"y') : row))
  .join("\n");
const partlyLines = await linesOf(partly);

/** Returns the seconds for the first listing, an unchanged one, one with few rows changed and one with every row rewritten. */
async function bareRound(): Promise<Took[]> {
  await admin`create table bare (like inventory.live_resources including all)`;
  const took = [
    await seconds(() => bare(listing, lines)),
    await seconds(() => bare(listing, lines)),
    await seconds(() => bare(partly, partlyLines)),
    await seconds(() => bare(changed, changedLines)),
  ];
  await admin`drop table bare`;
  return took;
}

/** Returns the same for the service, then the seconds for the state. */
async function ownRound(): Promise<Took[]> {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  const source = await org.source("all");
  const stateSeconds = await seconds(() => org.pushState(source, state));
  /**
   * Returns the seconds until a listing is stored and matched. Its drift runs in a separate job, which is awaited but
   * not measured.
   */
  const push = async (lines: string): Promise<Took> => {
    let id = "";
    const text = isArray ? JSON.stringify(JSON.parse(`[${lines.replaceAll("\n", ",")}]`), null, 2) : lines;
    await Bun.sleep(500); // background work of the last step ends
    const took = await seconds(async () => {
      ({ id } = await org.startPush(account, text));
    });
    while ((await org.scan(id)).finished_at === undefined) await Bun.sleep(10);
    return took;
  };
  const took = [await push(listing), await push(listing), await push(partly), await push(changed)];
  const [row] = await org.posture();
  if (row?.matched_count !== declared) throw new Error(`${row?.matched_count} matched`);
  return [...took, stateSeconds];
}

const bareSeconds: Took[][] = [];
const ownSeconds: Took[][] = [];
for (let round = 0; round < rounds; round += 1) {
  bareSeconds.push(await bareRound());
  ownSeconds.push(await ownRound());
}
const memory = await inventory.peakMegabytes();

const LABELS = ["first", "unchanged", "1 % changed", "every row rewritten"];
const middle = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const all = (values: number[]): string => values.map((value) => value.toFixed(2)).join(", ");
const column = (rows: Took[][], index: number, unit: 0 | 1): number[] =>
  rows.map((took) => took[index]?.[unit] ?? Number.NaN);
console.log(`${resources} resources, ${declared} declared, ${rounds} rounds`);
for (const [index, label] of LABELS.entries()) {
  for (const [unit, name] of (["elapsed", "processor time"] as const).entries()) {
    const own = column(ownSeconds, index, unit === 0 ? 0 : 1);
    const plain = column(bareSeconds, index, unit === 0 ? 0 : 1);
    const ratio = middle(plain) / middle(own);
    console.log(
      `${label}, ${name}: ${all(own)} s, bare parse, COPY and merge ${all(plain)} s, rows a second against bare ${ratio.toFixed(2)}`,
    );
  }
}
console.log(`the state before it: ${all(column(ownSeconds, 4, 0))} s`);
console.log(`peak memory of the service: ${memory.toFixed(0)} MB`);
await inventory.stop();
process.exit(0);
