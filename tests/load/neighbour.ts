/**
 * What an organization that asks ten times a second feels of another that does all that it can: lists on 32
 * connections, webhooks on 16, listings of 20,000 resources pushed one after the other. R29 of our performance goals.
 * `bun run load tests/load/neighbour.ts [seconds] [times as many connections] [lists,webhooks,pushes]`
 */
import { listingOf, newCustomer, sendsEvents, walksPages, type Customer } from "./customer.ts";
import { load } from "./http-load.ts";
import { startStack } from "./stack.ts";

const seconds = Number(Bun.argv[2] ?? 20);
const times = Number(Bun.argv[3] ?? 1);
const kinds = new Set((Bun.argv[4] ?? "lists,webhooks,pushes").split(","));
const LISTED = 20_000;

const stack = await startStack();
const [quiet, loud] = [await newCustomer(stack), await newCustomer(stack)];
const [account, other] = [
  await loud.newAccount("aws", "123456789012"),
  await quiet.newAccount("aws", "123456789012"),
];
const listing = listingOf(LISTED);
await quiet.push(other, listingOf(1_000));
await loud.push(account, listing);
const pages = ({ id }: Customer): string => `${stack.baseUrl}/api/v2/orgs/${id}/resources?limit=100`;

// As the database does by itself within a minute.
await stack.db.admin`analyze`;
const idle = await pagesOf(quiet);
const end = performance.now() + seconds * 1_000 + 2_000;
const noise = makeNoise();
await Bun.sleep(2_000);
const busy = await pagesOf(quiet);
await noise;

console.log(`the quiet one alone: p50 ${idle.p50.toFixed(1)} ms, p99 ${idle.p99.toFixed(1)} ms`);
console.log(`beside the loud one: p50 ${busy.p50.toFixed(1)} ms, p99 ${busy.p99.toFixed(1)} ms`);
console.log(`ratio of p99 ${(busy.p99 / idle.p99).toFixed(1)}, goal: at most 3, and 100 ms`);
await stack.stop();
process.exit(0);

/** What pages take, in a process of its own: what keeps the loud one's client busy is no part of it. */
async function pagesOf(org: Customer): Promise<{ p50: number; p99: number }> {
  const client = Bun.spawn(
    [process.execPath, `${import.meta.dir}/paced.ts`, pages(org), org.key, String(seconds)],
    { stdout: "pipe", stderr: "inherit" },
  );
  return JSON.parse(await client.stdout.text());
}

async function makeNoise(): Promise<void> {
  const { path, secret } = await loud.newReceiver();
  const round = { ms: end - performance.now() };
  const list = { url: pages(loud), connections: 32 * times, status: 200, asker: walksPages(loud.key) };
  const event = {
    url: stack.baseUrl + path,
    connections: 16 * times,
    status: 202,
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
