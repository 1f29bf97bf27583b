/**
 * Measures how a loud organization affects a quiet one. The quiet one sends ten pages, ten webhooks and two small pushes
 * a second. The loud one lists on 32 connections, sends webhooks on 16 and pushes listings of 20,000 resources without a
 * pause. Compares with the same beside nothing, and beside programs that only use as much processor time as the loud
 * organization's requests. R29 of our performance goals:
 * `bun run load tests/load/neighbour.ts [seconds] [times as many connections] [lists,webhooks,pushes]`
 */
import { cpuSeconds } from "./cpu-time.ts";
import { listingOf, newCustomer, sendsEvents, walksPages, type Customer } from "./customer.ts";
import { load } from "./http-load.ts";
import type { Pace } from "./paced.ts";
import { startStack } from "./stack.ts";

const seconds = Number(Bun.argv[2] ?? 10);
const times = Number(Bun.argv[3] ?? 1);
const kinds = new Set((Bun.argv[4] ?? "lists,webhooks,pushes").split(","));
const ROUNDS = 3;
const LISTED = 20_000;
const LEAD_MS = 2_000;
const MAX_TIMES = 2;
const BURNERS = 8;
/** So many that each scan has ended before the next of its account. */
const QUIET_ACCOUNTS = 30;

/** Response times of the quiet organization by kind of request, and the processor time of everything meanwhile. */
interface Round {
  took: number[][];
  /** Processors in use. */
  processors: number;
}

const stack = await startStack();
const [quiet, loud] = [await newCustomer(stack), await newCustomer(stack)];
const account = await loud.newAccount("aws", "123456789012");
const listing = listingOf(LISTED);
await loud.push(account, listing);
const { path, secret } = await loud.newReceiver();
const paces = await pacesOf(quiet);

// Autovacuum does this within a minute.
await stack.db.admin`analyze`;
await round(); // what every process does once
const rounds: { alone: Round; loud: Round; burnt: Round }[] = [];
for (let count = 0; count < ROUNDS; count += 1) {
  const alone = await round();
  const beside = await besideLoud();
  const added = beside.processors - alone.processors;
  rounds.push({ alone, loud: beside, burnt: await besideBurners(added) });
}

for (const [index, { kind }] of paces.entries()) {
  const [alone, beside, burnt] = (["alone", "loud", "burnt"] as const).map((which) =>
    timesOf(rounds.flatMap((one) => one[which].took[index] ?? [])),
  );
  if (!alone || !beside || !burnt) continue;
  console.log(
    `${kind}: alone ${inWords(alone)}; beside the loud one ${inWords(beside)}; ` +
      `beside as much processor time ${inWords(burnt)}; ` +
      `ratio of p99 ${(beside.p99 / alone.p99).toFixed(1)}, goal: at most ${MAX_TIMES}; ` +
      `to as much processor time ${(beside.p99 / burnt.p99).toFixed(2)}`,
  );
}
const processors = (which: "alone" | "loud" | "burnt"): string =>
  rounds.map((one) => one[which].processors.toFixed(2)).join(", ");
console.log(
  `processors in use: alone ${processors("alone")}; loud ${processors("loud")}; burnt ${processors("burnt")}`,
);
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
  const receiver = await org.newReceiver();
  const shared = { baseUrl: stack.baseUrl, org: { id: org.id, key: org.key }, seconds };
  return [
    { ...shared, kind: "lists", everyMs: 100 },
    { ...shared, kind: "webhooks", everyMs: 100, ...receiver },
    { ...shared, kind: "pushes", everyMs: 500, accounts },
  ];
}

async function round(): Promise<Round> {
  const [before, started] = [cpuSeconds(), performance.now()];
  const took = await Promise.all(paces.map(timesAt));
  return { took, processors: ((cpuSeconds() - before) / (performance.now() - started)) * 1_000 };
}

async function besideLoud(): Promise<Round> {
  const noise = makeNoise(performance.now() + seconds * 1_000 + LEAD_MS);
  await Bun.sleep(LEAD_MS);
  const measured = await round();
  await noise;
  return measured;
}

/** Several programs share the work, as the services and PostgreSQL's connections do. */
async function besideBurners(total: number): Promise<Round> {
  const program = `${import.meta.dir}/burn.ts`;
  const args = [String(total / BURNERS), String(seconds + LEAD_MS / 1_000)];
  const burners = Array.from({ length: BURNERS }, () => Bun.spawn([process.execPath, program, ...args]));
  await Bun.sleep(LEAD_MS);
  const measured = await round();
  await Promise.all(burners.map(({ exited }) => exited));
  return measured;
}

/** Runs in a separate process, because this one is busy as the loud client. */
async function timesAt(pace: Pace): Promise<number[]> {
  const client = Bun.spawn([process.execPath, `${import.meta.dir}/paced.ts`, JSON.stringify(pace)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  return JSON.parse(await client.stdout.text());
}

interface Times {
  p50: number;
  p99: number;
}

function timesOf(took: readonly number[]): Times {
  const sorted = took.toSorted((a, b) => a - b);
  const within = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: within(0.5), p99: within(0.99) };
}

function inWords({ p50, p99 }: Times): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

async function makeNoise(end: number): Promise<void> {
  const ms = end - performance.now();
  const url = `${stack.baseUrl}/api/v2/orgs/${loud.id}/resources?limit=100`;
  const list = { url, connections: 32 * times, status: [200, 503], asker: walksPages(loud.key) };
  const event = {
    url: stack.baseUrl + path,
    connections: 16 * times,
    status: [202, 503],
    asker: sendsEvents(secret),
  };
  const [lists, events, pushes] = await Promise.all([
    kinds.has("lists") && load({ ms, ...list }),
    kinds.has("webhooks") && load({ ms, ...event }),
    kinds.has("pushes") && keepPushing(end),
  ]);
  const done = [
    lists && `${lists.rate.toFixed(0)} pages a second`,
    events && `${events.rate.toFixed(0)} events a second`,
    pushes && `${pushes} pushes of ${LISTED}`,
  ];
  console.log(`the loud one: ${done.filter(Boolean).join(", ")}`);
}

async function keepPushing(end: number): Promise<number> {
  let pushes = 0;
  for (; performance.now() < end; pushes += 1) await loud.push(account, listing);
  return pushes;
}
