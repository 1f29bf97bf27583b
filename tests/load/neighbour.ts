/**
 * Measures how a loud organization affects a quiet one. The quiet one sends ten pages, ten webhooks and two small pushes
 * a second. The loud one lists on 32 connections, sends webhooks on 16 and pushes listings of 20,000 resources without a
 * pause. R29 of our performance goals: `bun run load tests/load/neighbour.ts [seconds] [times as many connections] [lists,webhooks,pushes]`
 */
import { listingOf, newCustomer, sendsEvents, walksPages, type Customer } from "./customer.ts";
import { load } from "./http-load.ts";
import type { Pace } from "./paced.ts";
import { startStack } from "./stack.ts";

const seconds = Number(Bun.argv[2] ?? 20);
const times = Number(Bun.argv[3] ?? 1);
const kinds = new Set((Bun.argv[4] ?? "lists,webhooks,pushes").split(","));
const LISTED = 20_000;
const LEAD_MS = 2_000;
const MAX_TIMES = 2;
/** So many that each scan has ended before the next of its account. */
const QUIET_ACCOUNTS = 30;

const stack = await startStack();
const [quiet, loud] = [await newCustomer(stack), await newCustomer(stack)];
const account = await loud.newAccount("aws", "123456789012");
const listing = listingOf(LISTED);
await loud.push(account, listing);
const paces = await pacesOf(quiet);

// Autovacuum does this within a minute.
await stack.db.admin`analyze`;
await Promise.all(paces.map(timesOf)); // what every process does once
const alone = await Promise.all(paces.map(timesOf));
const end = performance.now() + seconds * 1_000 + LEAD_MS;
const noise = makeNoise();
await Bun.sleep(LEAD_MS);
const beside = await Promise.all(paces.map(timesOf));
await noise;

for (const [index, { kind }] of paces.entries()) {
  const [idle, busy] = [alone[index], beside[index]];
  if (!idle || !busy) continue;
  const ratio = busy.p99 / idle.p99;
  console.log(
    `${kind}: alone p50 ${idle.p50.toFixed(1)} ms, p99 ${idle.p99.toFixed(1)} ms; ` +
      `beside the loud one p50 ${busy.p50.toFixed(1)} ms, p99 ${busy.p99.toFixed(1)} ms; ` +
      `ratio of p99 ${ratio.toFixed(1)}, goal: at most ${MAX_TIMES}`,
  );
}
await stack.stop();
process.exit(0);

/** Requests of the quiet organization, which has a thousand resources in its first account. */
async function pacesOf(org: Customer): Promise<Pace[]> {
  await org.push(await org.newAccount("aws", "123456789012"), listingOf(1_000));
  const accounts: { id: string; number: string }[] = [];
  for (let index = 0; index < QUIET_ACCOUNTS; index += 1) {
    const number = String(210987654321 + index);
    accounts.push({ id: await org.newAccount("aws", number), number });
  }
  const { path, secret } = await org.newReceiver();
  const round = { baseUrl: stack.baseUrl, org: { id: org.id, key: org.key }, seconds };
  return [
    { ...round, kind: "lists", everyMs: 100 },
    { ...round, kind: "webhooks", everyMs: 100, path, secret },
    { ...round, kind: "pushes", everyMs: 500, accounts },
  ];
}

/** Runs in a separate process, because this one is busy as the loud client. */
async function timesOf(pace: Pace): Promise<{ p50: number; p99: number }> {
  const client = Bun.spawn([process.execPath, `${import.meta.dir}/paced.ts`, JSON.stringify(pace)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  return JSON.parse(await client.stdout.text());
}

async function makeNoise(): Promise<void> {
  const { path, secret } = await loud.newReceiver();
  const round = { ms: end - performance.now() };
  const url = `${stack.baseUrl}/api/v2/orgs/${loud.id}/resources?limit=100`;
  const list = { url, connections: 32 * times, status: [200, 503], asker: walksPages(loud.key) };
  const event = {
    url: stack.baseUrl + path,
    connections: 16 * times,
    status: [202, 503],
    asker: sendsEvents(secret),
  };
  const [lists, events, pushes] = await Promise.all([
    kinds.has("lists") && load({ ...round, ...list }),
    kinds.has("webhooks") && load({ ...round, ...event }),
    kinds.has("pushes") && keepPushing(),
  ]);
  const done = [
    lists && `${lists.rate.toFixed(0)} pages a second`,
    events && `${events.rate.toFixed(0)} events a second`,
    pushes && `${pushes} pushes of ${LISTED}`,
  ];
  console.log(`the loud one: ${done.filter(Boolean).join(", ")}`);
}

async function keepPushing(): Promise<number> {
  let pushes = 0;
  for (; performance.now() < end; pushes += 1) await loud.push(account, listing);
  return pushes;
}
