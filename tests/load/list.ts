/**
 * Measures pages of resources through the gateway and the bus, against a single process with only Elysia and
 * postgres.js. Both run the same statement, in alternating rounds. P6, P7 and P9 of our goals.
 * `bun tests/load/list.ts [rows]`
 */
import { walksPages } from "./customer.ts";
import { load, median, type Figures } from "./http-load.ts";
import { freePort } from "../../scripts/local/ports.ts";
import { startStack } from "./stack.ts";

const rows = Number(Bun.argv[2] ?? 1_000_000);
const TURN_MS = 4_000;
/**
 * Time until the runtime has compiled the code. Measured: it then serves a fifth more pages than in the first
 * seconds.
 */
const WARM_UP_MS = 10_000;
const TURNS = 3;
const ACCOUNT = crypto.randomUUID();

const stack = await startStack();
const org = await stack.newOrg();
await fill();

/** Inserts resources with ids in order of creation, as in production. */
async function fill(): Promise<void> {
  const { admin } = stack.db;
  await admin`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id)
    values (${org.id}, ${ACCOUNT}, 'aws', 'aws', '123456789012')
  `;
  await admin`
    insert into inventory.live_resources (
      org_id, id, cloud_account_id, provider_resource_id, provider_type, normalized_type, region, name,
      content_hash, mapped, keys, owner_keys, enrichment_status, match_status, first_seen_at, seen_at
    )
    select ${org.id}, lpad(to_hex(n), 32, '0')::uuid, ${ACCOUNT},
           'arn:aws:ec2:eu-west-1:123456789012:instance/i-' || lpad(to_hex(n), 17, '0'), 'AWS::EC2::Instance',
           'compute_instance', 'eu-west-1', 'web-' || n, n, true, '{}', '{}', 'none', 'undeclared', now(), now()
      from generate_series(1, ${rows}::int) n
  `;
  await admin`vacuum analyze inventory.live_resources`;
}

const barePort = await freePort();
const bareProcess = Bun.spawn(
  [process.execPath, `${import.meta.dir}/bare-list.ts`, stack.db.adminUrl, org.id, String(barePort)],
  { stdout: "inherit", stderr: "inherit" },
);
const BARE = { url: `http://127.0.0.1:${barePort}/resources?limit=100` };
const OWN = { url: `${stack.baseUrl}/api/v2/orgs/${org.id}/resources?limit=100`, key: org.key };
while (!(await fetch(BARE.url).catch(() => undefined))?.ok) await Bun.sleep(50);

const walkPages = ({ key, ...round }: { url: string; key?: string; connections: number; ms: number }) =>
  load({ ...round, status: 200, asker: walksPages(key) });

console.log(`pages of 100 of ${rows} resources`);
for (const connections of [1, 64]) {
  const bare: Figures[] = [];
  const own: Figures[] = [];
  await walkPages({ ...BARE, connections, ms: WARM_UP_MS });
  await walkPages({ ...OWN, connections, ms: WARM_UP_MS });
  for (let turn = 0; turn < TURNS; turn += 1) {
    bare.push(await walkPages({ ...BARE, connections, ms: TURN_MS }));
    own.push(await walkPages({ ...OWN, connections, ms: TURN_MS }));
  }
  const [plain, leeway] = [median(bare), median(own)];
  console.log(`${connections} connections: ${inWords("Leeway", leeway)}; ${inWords("bare", plain)}`);
  console.log(`  pages a second against bare ${(leeway.rate / plain.rate).toFixed(2)}`);
}
console.log("resident megabytes after it:", await stack.megabytes());
bareProcess.kill();
await stack.stop();
process.exit(0);

function inWords(name: string, { rate, p50, p99 }: Figures): string {
  return `${name} ${rate.toFixed(0)} pages/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
}
