import { afterAll, beforeAll, expect, test } from "bun:test";

import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input, Output, RequestContract } from "@leeway/shared/contracts/contract";
import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ConsumeSlot, ReleaseSlot, ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { AppError } from "@leeway/shared/values/errors";
import { allTestBusKeys, testLog } from "@leeway/shared/testing/testing";

import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { until } from "./until.ts";

const ROUNDS = Number(process.env["LEEWAY_CHAOS_ROUNDS"] ?? 4);
const CALLERS = 64;

/** Weekly caps: some fill up during the test, others don't. */
const CAPS = [-1, 0, 1, 5, 20, 1_000, 1_000_000];

let fleet: Fleet;
let bus: BusConnection;
const orgs: { orgId: string; cap: number }[] = [];

/** The last state that a caller received for each job. */
interface Job {
  orgId: string;
  state: "denied" | "held" | "consumed" | "released";
}
const jobs = new Map<string, Job>();
const state = { stopping: false, answers: 0, repeats: 0, over: 0 };

beforeAll(async () => {
  fleet = await startFleet({ services: ["quota"] });
  bus = await connectBus({ url: fleet.nats.url, name: "chaos", keys: allTestBusKeys(), log: testLog() });
  for (const cap of CAPS) {
    const orgId = crypto.randomUUID();
    orgs.push({ orgId, cap });
    await ask(SetPlan, {
      org_id: orgId,
      plan: "enterprise",
      weekly_platform_llm_quota: cap,
      hourly_platform_llm_limit: cap === 1_000_000 ? cap : -1,
    });
  }
}, TEST_MS);

afterAll(async () => {
  await bus.nats.close();
  await fleet.stop();
}, TEST_MS);

/** Retries until there is an answer, as a worker does. */
async function ask<C extends RequestContract>(contract: C, input: Input<C>): Promise<Output<C>> {
  for (;;) {
    try {
      const answer = await call(bus, contract, input);
      state.answers += 1;
      return answer;
    } catch (error) {
      if (!(error instanceof AppError && error.code === "unavailable")) throw error;
      state.repeats += 1;
      await Bun.sleep(20);
    }
  }
}

/** Runs jobs: most end either way, and some workers die with theirs. */
async function caller(): Promise<void> {
  while (!state.stopping) {
    const { orgId } = orgs[Math.floor(Math.random() * orgs.length)]!;
    const jobId = crypto.randomUUID();
    const job = { org_id: orgId, job_id: jobId };
    const { granted } = await ask(ReserveSlot, job);
    const fate = Math.random();
    let ended: Job["state"] = granted ? "held" : "denied";
    if (granted && fate < 0.3) ended = (await ask(ConsumeSlot, job)).state ?? "held";
    else if (granted && fate < 0.8) ended = (await ask(ReleaseSlot, job)).state ?? "held";
    jobs.set(jobId, { orgId, state: ended });
  }
}

/** Returns the organizations whose counter differs from their held and consumed slots, or exceeds the cap. */
async function wrongGates(): Promise<readonly unknown[]> {
  return fleet.admin`
    select u.org_id, u.week_used, u.hour_used, c.week, c.hour
      from quota.usage u
      join quota.org_plans p using (org_id)
     cross join lateral (
       select count(*) filter (where r.week_start = u.week_start) as week,
              count(*) filter (where r.hour_start = u.hour_start) as hour
         from quota.reservations r
        where r.org_id = u.org_id and r.state <> 'released'
     ) c
     where u.week_used <> c.week or u.hour_used <> c.hour
        or (p.weekly_override >= 0 and u.week_used > p.weekly_override)
  `;
}

async function restarted(): Promise<void> {
  fleet.postgres.signal("SIGKILL");
  await Bun.sleep(Math.random() * 300);
  await fleet.postgres.start();
}

/** Checks the counters throughout the load. */
async function watch(): Promise<void> {
  while (!state.stopping) {
    const wrong = await wrongGates().catch(() => []); // the database may be down
    state.over += wrong.length;
    await Bun.sleep(100);
  }
}

test(
  "whatever is killed under load, no slot is lost or doubled, and dead workers' slots are released",
  async () => {
    const working = [...Array.from({ length: CALLERS }, caller), watch()];
    const downMs: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, kill] of [
        ["quota", async () => fleet.kill("quota")],
        ["PostgreSQL", restarted],
      ] as const) {
        const before = state.answers;
        await until(() => state.answers > before + 200, WAIT_MS);
        await kill();
        const after = state.answers;
        const back = await until(() => state.answers > after, WAIT_MS);
        downMs[name] = Math.max(downMs[name] ?? 0, Math.round(back));
      }
    }
    state.stopping = true;
    await Promise.all(working);

    const rows = await fleet.admin<{ id: string; state: string }[]>`select id, state from quota.reservations`;
    const stored = new Map(rows.map((row) => [row.id, row.state]));
    const granted = [...jobs].filter(([, job]) => job.state !== "denied");
    const lost = granted.filter(([id, job]) => stored.get(id) !== job.state);
    const held = granted.filter(([, job]) => job.state === "held").length;
    expect(lost).toEqual([]);
    expect(stored.size).toBe(granted.length); // no other slot was granted
    expect({ now: await wrongGates(), meanwhile: state.over }).toEqual({ now: [], meanwhile: 0 });

    await fleet.admin`update quota.reservations set expires_at = now() where state = 'held'`;
    const sweptMs = await until(async () => {
      const left = await fleet.admin`select from quota.reservations where state = 'held' limit 1`;
      return left.length === 0;
    }, WAIT_MS);
    figure(
      `${state.answers} answers, ${state.repeats} calls repeated, ${granted.length} slots over ${ROUNDS * 2} kills; ` +
        `${lost.length} lost; answering again after at most (ms) ${JSON.stringify(downMs)}; ` +
        `${held} slots of dead workers came back within ${Math.round(sweptMs)} ms`,
    );
    expect(held).toBeGreaterThan(0);
    expect(await wrongGates()).toEqual([]);
  },
  TEST_MS,
);
