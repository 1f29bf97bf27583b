/**
 * Measures how fast slots are reserved over the bus, for one organization and for a thousand, below and at the cap.
 * The baseline is PostgreSQL running the same statement, in alternating rounds: with pgbench if installed, otherwise
 * with as many bare connections. P3 to P5 of our goals.
 * `bun tests/load/quota.ts`
 */
import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import {
  allTestBusKeys,
  serviceBusUrl,
  testBusKeys,
  testDatabase,
  testLog,
  testServers,
} from "@leeway/shared/testing/testing";

import { SCHEMA } from "../../services/quota/src/schema.ts";
import { createBare } from "./bare-quota.ts";
import { median, type Figures } from "./http-load.ts";

const CALLERS = 64;
const TURN_MS = 4_000;
const TURNS = 3;
const MAX = 1_000_000;

const db = await testDatabase([SCHEMA]);
const bus = await connectBus({
  url: testServers().natsUrl,
  name: "load",
  keys: allTestBusKeys(),
  log: testLog(),
});
const services: Bun.Subprocess[] = [];
const bare = await createBare(db.urlOf("quota"));

function startService(): void {
  const env = {
    ...process.env,
    DATABASE_URL: db.urlOf("quota"),
    NATS_URL: serviceBusUrl("quota"),
    LEEWAY_MASTER_KEYS: `load:${Buffer.alloc(32, 7).toString("base64")}`,
    LEEWAY_BUS_KEYS: testBusKeys("quota"),
    HEALTH_PORT: "0",
    LOG_LEVEL: "warn",
  };
  const main = `${import.meta.dir}/../../services/quota/src/main.ts`;
  services.push(Bun.spawn([process.execPath, main], { env, stdout: "inherit", stderr: "inherit" }));
}

/** Returns the id of an organization by number, the same as on the bare side. */
const orgOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Range of organizations by number. */
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
      `${bare.name} ${plain.toFixed(0)}/s, slots a second against bare ${(rate / plain).toFixed(2)}`,
  );
}

/**
 * Reserves slots from several services at once up to the cap, and checks that none is granted beyond it and all are
 * counted.
 */
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
const finite = { weekly: MAX, hourly: MAX };
const [hot, hotBare] = [
  { first: 1, count: 1 },
  { first: 2, count: 1 },
];
const many = { first: 1_000, count: 1_000 };
const full = { first: 9_000, count: 1 };
await makeOrgs({ first: 1, count: 2 }, finite);
await makeOrgs(many, finite);
await makeOrgs(full, { weekly: 5, hourly: -1 });
await compare("one organization, both gates finite", hot, hotBare);
await compare("1,000 organizations, both gates finite", many, many);
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
