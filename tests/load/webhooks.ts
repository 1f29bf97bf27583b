/**
 * Measures how fast signed events of 2 KB are accepted through the gateway and the bus, in alternating rounds with a
 * bare process. The bare process verifies the same signature and inserts the same row. Also measures how fast their
 * plans are analyzed during and after the load, with and without changes, and acceptance without an analyzer. P1, P2,
 * P9 and P12 of our goals.
 * `bun run load tests/load/webhooks.ts`
 */
import { NEW_QUEUE, newCustomer, sendsEvents } from "./customer.ts";
import { load, median, type Figures } from "./http-load.ts";
import { freePort } from "../../scripts/local/ports.ts";
import { startStack } from "./stack.ts";

const MAX_BYTES = 5 << 20;
const TURN_MS = 4_000;
const TURNS = 3;
const ANALYZING_MS = 5_000;

const stack = await startStack();
const customer = await newCustomer(stack);
const { path, secret } = await customer.newReceiver();

const barePort = await freePort();
const bareProcess = Bun.spawn(
  [
    process.execPath,
    `${import.meta.dir}/bare-webhooks.ts`,
    stack.db.adminUrl,
    customer.id,
    secret,
    String(barePort),
  ],
  { stdout: "inherit", stderr: "inherit" },
);
const OWN = stack.baseUrl + path;
const BARE = `http://127.0.0.1:${barePort}/webhooks`;
while (!(await fetch(BARE).catch(() => undefined))) await Bun.sleep(50);

const send = (url: string, connections: number, ms: number, changes: object[] = []): Promise<Figures> =>
  load({ url, connections, ms, status: 202, asker: sendsEvents(secret, changes) });

/** Runs both in alternating rounds and compares the medians. */
async function compare(connections: number): Promise<void> {
  const bare: Figures[] = [];
  const own: Figures[] = [];
  await send(BARE, connections, TURN_MS / 2);
  await send(OWN, connections, TURN_MS);
  for (let turn = 0; turn < TURNS; turn += 1) {
    bare.push(await send(BARE, connections, TURN_MS));
    own.push(await send(OWN, connections, TURN_MS));
  }
  const [plain, leeway] = [median(bare), median(own)];
  console.log(`${connections} connections: ${inWords("Leeway", leeway)}; ${inWords("bare", plain)}`);
  console.log(`  events a second against bare ${(leeway.rate / plain.rate).toFixed(2)}`);
}
await compare(1);
await compare(64);
console.log("resident megabytes after it:", await stack.megabytes());
await printAnalyzed({ done: 0 });
await compareEventful();
for (const [form, body] of [
  ["announced", new Uint8Array(MAX_BYTES + 1)],
  ["chunked", endless()],
] as const) {
  const started = performance.now();
  const { status } = await fetch(OWN, { method: "POST", body });
  console.log(`an oversize body, ${form}: ${status} after ${(performance.now() - started).toFixed(1)} ms`);
}
await manyLarge();
await stack.halt("analyzer");
console.log("without an analyzer, which processes them later:");
await compare(64);
bareProcess.kill();
await stack.stop();
process.exit(0);

/** Sends plans with a change, which only workers can analyze. */
async function compareEventful(): Promise<void> {
  const before = await countJobs();
  const { rate, p99 } = await send(OWN, 64, 2 * TURN_MS, [NEW_QUEUE]);
  console.log(`of plans with a change: ${rate.toFixed(0)} events/s, p99 ${p99.toFixed(2)} ms`);
  await printAnalyzed(before);
}

/** Prints the number of plans analyzed since, and the rate for the rest without other load. */
async function printAnalyzed(since: { done: number }): Promise<void> {
  const { done, waiting } = await countJobs();
  await Bun.sleep(ANALYZING_MS);
  const rate = ((await countJobs()).done - done) / (ANALYZING_MS / 1000);
  console.log(
    `plans analyzed meanwhile: ${done - since.done}, waiting: ${waiting}, then ${rate.toFixed(0)} a second`,
  );
}

async function countJobs(): Promise<{ done: number; waiting: number }> {
  const [row] = await stack.db.admin<{ done: number; waiting: number }[]>`
    select count(*) filter (where status = 'done')::int as done,
           count(*) filter (where status in ('queued', 'running'))::int as waiting
      from analyzer.jobs
  `;
  return row ?? { done: 0, waiting: 0 };
}

/** Returns a body that never ends. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)) });
}

/** Measures the memory of 64 events of 5 MB at once. */
async function manyLarge(): Promise<void> {
  const peaks = await stack.megabytes();
  const note = (sizes: Record<string, number>): void => {
    for (const [service, size] of Object.entries(sizes)) peaks[service] = Math.max(peaks[service] ?? 0, size);
  };
  const sampling = setInterval(() => void stack.megabytes().then(note), 50);
  const started = performance.now();
  const statuses = await Promise.all(Array.from({ length: 64 }, sendLarge));
  clearInterval(sampling);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counts = Map.groupBy(statuses, String)
    .entries()
    .map(([status, all]) => `${all.length} x ${status}`);
  console.log(
    `64 events of 5 MB at once: ${[...counts].join(", ")} after ${seconds} s; megabytes at most:`,
    peaks,
  );
  await Bun.sleep(5_000);
  console.log("5 s after:", await stack.megabytes());
}

async function sendLarge(): Promise<number> {
  const padding = "x".repeat(MAX_BYTES - 1_000);
  const body = JSON.stringify({
    event: "plan",
    version: 1,
    event_id: Bun.randomUUIDv7(),
    repository: "platform/network",
    project: { name: "prod" },
    status: "success",
    plan: { format_version: "1.2", resource_changes: [{ address: "a.b", type: "a", name: padding }] },
  });
  const signature = new Bun.CryptoHasher("sha256", secret).update(body).digest("hex");
  const headers = { "x-planner-signature": `sha256=${signature}` };
  return (await fetch(OWN, { method: "POST", headers, body })).status;
}

function inWords(name: string, { rate, p50, p99 }: Figures): string {
  return `${name} ${rate.toFixed(0)} events/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
}
