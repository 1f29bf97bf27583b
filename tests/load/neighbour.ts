/**
 * What an organization that asks ten times a second feels of another that does all that it can: lists on 32
 * connections, webhooks on 16, listings of 20,000 resources pushed one after the other. R29 of our performance goals.
 * `bun run load tests/load/neighbour.ts [seconds]`
 */
import { isObject, text } from "@leeway/shared/json";

import { startStack, type LoadStack } from "./stack.ts";

const seconds = Number(Bun.argv[2] ?? 20);
const PACE_MS = 100;
const LISTED = 20_000;

interface Org {
  id: string;
  key: string;
  accountId: string;
}

const counts = { pages: 0, events: 0, pushes: 0 };
const stack = await startStack();
const [quiet, loud] = [await fill(stack), await fill(stack)];
const path = ({ id }: Org, below: string): string => `${stack.baseUrl}/api/v2/orgs/${id}/${below}`;
const listing = ndjson(LISTED);
await push(quiet, ndjson(1_000));
await push(loud, listing);

// As the database does by itself within a minute.
await stack.db.admin`analyze`;
const idle = await pagesOf(quiet);
const end = performance.now() + seconds * 1_000 + 2_000;
const noise = makeNoise();
await Bun.sleep(2_000);
const busy = await pagesOf(quiet);
await noise;

console.log(
  `the loud one: ${counts.pages} pages, ${counts.events} events, ${counts.pushes} pushes of ${LISTED}`,
);
console.log(`the quiet one alone: p50 ${idle.p50.toFixed(1)} ms, p99 ${idle.p99.toFixed(1)} ms`);
console.log(`beside the loud one: p50 ${busy.p50.toFixed(1)} ms, p99 ${busy.p99.toFixed(1)} ms`);
console.log(`ratio of p99 ${(busy.p99 / idle.p99).toFixed(1)}, goal: at most 3, and 100 ms`);
await stack.stop();
process.exit(0);

async function fill({ baseUrl, newOrg }: LoadStack): Promise<Org> {
  const org = await newOrg();
  const made = await fetch(`${baseUrl}/api/v2/orgs/${org.id}/cloud-accounts`, {
    method: "POST",
    headers: { authorization: `Bearer ${org.key}`, "content-type": "application/json" },
    body: JSON.stringify({ provider: "aws", external_id: "123456789012" }),
  });
  const account: unknown = await made.json();
  return { ...org, accountId: (isObject(account) && text(account, "id")) || "" };
}

function ndjson(rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({
      provider_resource_id: `arn:aws:sqs:eu-west-1:123456789012:q${index}`,
      provider_type: "AWS::SQS::Queue",
    }),
  );
  return lines.join("\n");
}

/** Pushes a listing, and waits until it is taken in. */
async function push(org: Org, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${org.key}`, "content-type": "application/x-ndjson" };
  const answer = await fetch(path(org, `cloud-accounts/${org.accountId}/listing`), {
    method: "PUT",
    headers,
    body,
  });
  const scan: unknown = await answer.json();
  const id = isObject(scan) ? text(scan, "id") : undefined;
  if (!id) throw new Error(`not taken: ${answer.status}`);
  for (let status: string | undefined; status !== "succeeded"; await Bun.sleep(50)) {
    const shown: unknown = await (await fetch(path(org, `scans/${id}`), { headers })).json();
    status = isObject(shown) ? text(shown, "status") : undefined;
  }
  counts.pushes += 1;
}

/** A page every tenth of a second, whether the one before has come or not. */
async function pagesOf(org: Org): Promise<{ p50: number; p99: number }> {
  const headers = { authorization: `Bearer ${org.key}` };
  const ask = async (): Promise<number> => {
    const started = performance.now();
    const answer = await fetch(path(org, "resources?limit=100"), { headers });
    await answer.bytes();
    if (!answer.ok) throw new Error(`${answer.status}`);
    return performance.now() - started;
  };
  const asked: Promise<number>[] = [];
  for (let turn = 0; turn < (seconds * 1_000) / PACE_MS; turn += 1) {
    asked.push(ask());
    await Bun.sleep(PACE_MS);
  }
  const took = (await Promise.all(asked)).toSorted((a, b) => a - b);
  const within = (share: number): number => took[Math.floor(took.length * share)] ?? Number.NaN;
  return { p50: within(0.5), p99: within(0.99) };
}

async function untilEnd(work: () => Promise<void>): Promise<void> {
  while (performance.now() < end) await work();
}

async function makeNoise(): Promise<void> {
  const { secret, url } = await newWebhook(loud);
  const headers = { authorization: `Bearer ${loud.key}` };
  const list = async (): Promise<void> => {
    const answer = await fetch(path(loud, "resources?limit=100"), { headers });
    await answer.bytes();
    counts.pages += 1;
  };
  const send = async (): Promise<void> => {
    const event = {
      event: "plan",
      version: 1,
      event_id: crypto.randomUUID(),
      repository: "a/b",
      status: "failure",
    };
    const body = JSON.stringify(event);
    const signature = new Bun.CryptoHasher("sha256", secret).update(body).digest("hex");
    const answer = await fetch(url, {
      method: "POST",
      headers: { "x-planner-signature": `sha256=${signature}` },
      body,
    });
    await answer.bytes();
    counts.events += 1;
  };
  await Promise.all([
    ...Array.from({ length: 32 }, () => untilEnd(list)),
    ...Array.from({ length: 16 }, () => untilEnd(send)),
    untilEnd(() => push(loud, listing)),
  ]);
}

async function newWebhook(org: Org): Promise<{ secret: string; url: string }> {
  const made = await fetch(path(org, "webhooks"), {
    method: "POST",
    headers: { authorization: `Bearer ${org.key}`, "content-type": "application/json" },
    body: JSON.stringify({ source: "planner" }),
  });
  const config: unknown = await made.json();
  const secret = (isObject(config) && text(config, "raw_secret")) || "";
  return { secret, url: `${stack.baseUrl}/webhooks/planner/${org.id}` };
}
