/**
 * Measures what a read replica takes from the primary: the processor time of both servers for pages of resources, for
 * reads of one object and for changes, with a replica and without one. `bun tests/load/replica.ts [rows]`
 */
import { startFleet, type Fleet } from "../chaos/fleet.ts";
import { walksPages } from "./customer.ts";
import { secondsOf } from "./cpu-time.ts";
import { load } from "./http-load.ts";

const rows = Number(Bun.argv[2] ?? 100_000);
const WARM_UP_MS = 3_000;
const ROUND_MS = 6_000;
const CONNECTIONS = 8;
const ACCOUNT = crypto.randomUUID();

for (const withStandby of [false, true]) {
  const fleet = await startFleet({ services: ["gateway", "inventory"], withStandby });
  const org = await fleet.newOrg();
  await fill(fleet, org.orgId);
  const path = `/api/v2/orgs/${org.orgId}`;
  const source = await fleet.ask("POST", `${path}/iac-sources`, { as: org.key, body: { name: "code" } });
  const one = `${path}/iac-sources/${source.body.id}`;
  console.log(withStandby ? "with a read replica" : "without a read replica");
  await measure(fleet, "pages of 100 resources", `${path}/resources?limit=100`, walksPages(org.key));
  await measure(fleet, "reads of one source", one, () => () => get(one, org.key));
  await measure(fleet, "changes of a source", one, () => () => change(one, org.key));
  await fleet.stop();
}
process.exit(0);

async function measure(
  { baseUrl, postgres, standby }: Fleet,
  what: string,
  path: string,
  asker: Parameters<typeof load>[0]["asker"],
): Promise<void> {
  const round = { url: `${baseUrl}${path}`, connections: CONNECTIONS, status: 200, asker };
  await load({ ...round, ms: WARM_UP_MS });
  const servers = [postgres, ...(standby ? [standby] : [])];
  const used = () => servers.map((server) => server.pids().reduce((sum, pid) => sum + secondsOf(pid), 0));
  const before = used();
  const { rate, p50, p99 } = await load({ ...round, ms: ROUND_MS });
  const answers = (rate * ROUND_MS) / 1000;
  const costs = used().map((seconds, at) => (((seconds - (before[at] ?? 0)) * 1e6) / answers).toFixed(0));
  const [primary, replica] = costs;
  const rest = replica === undefined ? "" : `, of the replica ${replica} µs`;
  console.log(
    `  ${what}: ${rate.toFixed(0)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms; ` +
      `processor time of the primary ${primary} µs${rest}`,
  );
}

function get(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: load\r\nauthorization: Bearer ${key}\r\n\r\n`;
}

function change(path: string, key: string): string {
  const body = JSON.stringify({ name: crypto.randomUUID() });
  const head = `PATCH ${path} HTTP/1.1\r\nhost: load\r\nauthorization: Bearer ${key}`;
  return `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

async function fill({ admin }: Fleet, orgId: string): Promise<void> {
  await admin`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id)
    values (${orgId}, ${ACCOUNT}, 'aws', 'aws', '123456789012')
  `;
  await admin`
    insert into inventory.live_resources (
      org_id, id, cloud_account_id, provider_resource_id, provider_type, normalized_type, region, name,
      content_hash, mapped, keys, owner_keys, enrichment_status, match_status, first_seen_at, seen_at
    )
    select ${orgId}, lpad(to_hex(n), 32, '0')::uuid, ${ACCOUNT},
           'arn:aws:ec2:eu-west-1:123456789012:instance/i-' || lpad(to_hex(n), 17, '0'), 'AWS::EC2::Instance',
           'compute_instance', 'eu-west-1', 'web-' || n, n, true, '{}', '{}', 'none', 'undeclared', now(), now()
      from generate_series(1, ${rows}::int) n
  `;
  await admin`vacuum analyze inventory.live_resources`;
}
