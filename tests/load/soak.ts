/**
 * Measures whether Leeway is stable at about half of its maximum load: pages and events at a steady pace. Prints
 * memory, open files and p99 every minute. R2 of our performance goals.
 * `bun run load tests/load/soak.ts [minutes] [pages a second] [events a second]`
 */
import { listingOf, newCustomer, planEvent } from "./customer.ts";
import { startStack } from "./stack.ts";

const [minutes = 10, pagesPerSecond = 200, eventsPerSecond = 600] = Bun.argv.slice(2).map(Number);
const MINUTE_MS = 60_000;
const TICK_MS = 20;

const stack = await startStack();
const customer = await newCustomer(stack);
await customer.push(await customer.newAccount("aws", "123456789012"), listingOf(20_000));
await stack.db.admin`analyze`;
const { path, secret } = await customer.newReceiver();

let took: number[] = [];
let failed = 0;

async function timed(answered: Promise<Response>, status: number): Promise<void> {
  const started = performance.now();
  const answer = await answered.catch(() => undefined);
  await answer?.arrayBuffer();
  if (answer?.status !== status) failed += 1;
  took.push(performance.now() - started);
}

function page(): Promise<void> {
  const headers = { authorization: `Bearer ${customer.key}` };
  return timed(fetch(`${stack.baseUrl}/api/v2/orgs/${customer.id}/resources?limit=100`, { headers }), 200);
}

function event(): Promise<void> {
  const body = planEvent();
  const signature = new Bun.CryptoHasher("sha256", secret).update(body).digest("hex");
  const headers = { "x-planner-signature": `sha256=${signature}` };
  return timed(fetch(stack.baseUrl + path, { method: "POST", headers, body }), 202);
}

/** Sends requests at a steady pace, whether or not earlier answers have arrived. */
async function keepAsking(ask: () => Promise<void>, perSecond: number, until: number): Promise<void> {
  const started = performance.now();
  const asked: Promise<void>[] = [];
  for (let sent = 0; performance.now() < until; await Bun.sleep(TICK_MS)) {
    const due = ((performance.now() - started) / 1_000) * perSecond;
    for (; sent < due; sent += 1) asked.push(ask());
  }
  await Promise.all(asked);
}

for (let minute = 1; minute <= minutes; minute += 1) {
  const until = performance.now() + MINUTE_MS;
  await Promise.all([keepAsking(page, pagesPerSecond, until), keepAsking(event, eventsPerSecond, until)]);
  const sorted = took.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  console.log(`minute ${minute}: ${sorted.length} answers, p99 ${p99.toFixed(1)} ms, ${failed} failed`);
  console.log(`  megabytes ${inWords(await stack.megabytes())}; open files ${inWords(await stack.files())}`);
  took = [];
}
const [left] = await stack.db
  .admin`select count(*)::int as count from webhooks.deliveries where outcome = 'pending'`;
console.log(`events that wait to be worked off: ${left?.["count"]}`);
await stack.stop();
process.exit(0);

function inWords(figures: Record<string, number>): string {
  return Object.entries(figures)
    .map(([service, figure]) => `${service} ${figure.toFixed(0)}`)
    .join(", ");
}
