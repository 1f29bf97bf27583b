/**
 * How fast the platform's slots are given out over the bus, on one organization and on a thousand, with and
 * without room, against PostgreSQL alone running the same statement, in turns in the same run: by pgbench
 * where it is on the path, else by as many bare connections. P3 to P5 of our goals. `bun tests/load/quota.ts`
 */
import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import { serviceBusUrl, testDatabase, testLog, testServers } from "@leeway/shared/testing";

import { SCHEMA } from "../../services/quota/src/schema.ts";
import { createBare } from "./bare-quota.ts";
import { median, type Figures } from "./http-load.ts";

const CALLERS = 64;
const TURN_MS = 4_000;
const TURNS = 3;
const MOST = 1_000_000;

const db = await testDatabase([SCHEMA]);
const bus = await connectBus({ url: testServers().natsUrl, name: "load", log: testLog() });
const services: Bun.Subprocess[] = [];
const bare = await createBare(db.urlOf("quota"));

function startService(): void {
  const env = {
    ...process.env,
    DATABASE_URL: db.urlOf("quota"),
    NATS_URL: serviceBusUrl("quota"),
    LEEWAY_MASTER_KEYS: `load:${Buffer.alloc(32, 7).toString("base64")}`,
    HEALTH_PORT: "0",
    LOG_LEVEL: "warn",
  };
  const main = `${import.meta.dir}/../../services/quota/src/main.ts`;
  services.push(Bun.spawn([process.execPath, main], { env, stdout: "inherit", stderr: "inherit" }));
}

/** The organization of a number, as the bare side names it too. */
const orgOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Organizations with numbers from `first` on. */
interface Orgs {
  first: number;
  count: number;
}

async function makeOrgs({ first, count }: Orgs, caps: { weekly: number; hourly: number }): Promise<void> {
  for (let number = first; number < first + count; number += 1) {
    await call(bus, SetPlan, {
      org_id: orgOf(number),
      plan: "enterprise",
      weekly_platform_llm_quota: caps.weekly,
      hourly_platform_llm_limit: caps.hourly,
    });
  }
}

async function reserveFor(ms: number, { first, count }: Orgs): Promise<Figures & { granted: number }> {
  const took: number[] = [];
  let granted = 0;
  const end = performance.now() + ms;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const orgId = orgOf(first + Math.floor(Math.random() * count));
      const started = performance.now();
      const outcome = await call(bus, ReserveSlot, { org_id: orgId, job_id: crypto.randomUUID() });
      took.push(performance.now() - started);
      if (outcome.granted) granted += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { rate: (took.length / ms) * 1000, p50: at(0.5), p99: at(0.99), granted };
}

async function compare(name: string, own: Orgs, theirs: Orgs): Promise<void> {
  const ours: Figures[] = [];
  const bares: number[] = [];
  await reserveFor(TURN_MS / 2, own);
  await bare.reserveFor(TURN_MS / 2, CALLERS, theirs);
  for (let turn = 0; turn < TURNS; turn += 1) {
    ours.push(await reserveFor(TURN_MS, own));
    bares.push(await bare.reserveFor(TURN_MS, CALLERS, theirs));
  }
  const { rate, p50, p99 } = median(ours);
  const plain = bares.toSorted((a, b) => a - b)[TURNS >> 1] ?? 0;
  console.log(
    `${name}: ${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ` +
      `${bare.name} ${plain.toFixed(0)}/s; ratio ${(rate / plain).toFixed(2)}`,
  );
}

/** Grants of several services at once, where they end at the cap: never one more, and all are counted. */
async function exactness(cap: number): Promise<void> {
  const org = { first: 9_001, count: 1 };
  await makeOrgs(org, { weekly: cap + 300, hourly: cap });
  const { granted } = await reserveFor(TURN_MS, org);
  const { weekly_used, hourly_used } = await call(bus, GetUsage, { org_id: orgOf(org.first) });
  console.log(
    `${services.length} services, weekly cap ${cap + 300}, hourly ${cap}: ${granted} granted, ` +
      `counted ${weekly_used} and ${hourly_used}`,
  );
}

async function untilServing(bus: BusConnection): Promise<void> {
  const org_id = orgOf(0);
  while (
    !(await call(bus, GetUsage, { org_id }).then(
      () => true,
      () => false,
    ))
  )
    await Bun.sleep(50);
}

startService();
await untilServing(bus);
const finite = { weekly: MOST, hourly: MOST };
const [hot, hotBare] = [
  { first: 1, count: 1 },
  { first: 2, count: 1 },
];
const many = { first: 1_000, count: 1_000 };
const full = { first: 9_000, count: 1 };
await makeOrgs({ first: 1, count: 2 }, finite);
await makeOrgs(many, finite);
await makeOrgs(full, { weekly: 5, hourly: -1 });
await compare("P3: one organization, both gates finite", hot, hotBare);
await compare("P4: 1,000 organizations, both gates finite", many, many);
await compare("one organization that is full", full, full);
startService();
await Bun.sleep(1_500);
await exactness(700);
await bare.close();
for (const service of services) service.kill();
await Promise.all(services.map(({ exited }) => exited));
await bus.nats.close();
await db.drop();
process.exit(0);
