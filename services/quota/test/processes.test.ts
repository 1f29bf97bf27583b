import { afterAll, beforeAll, expect, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { healthOf } from "@leeway/shared/contracts/common";
import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import { serviceBusUrl, testBus, testDatabase, type TestDatabase } from "@leeway/shared/testing";
import { join } from "node:path";

import { SCHEMA } from "../src/schema.ts";

const PROCESSES = 4;
const CALLS = 1_000;
const TEST_MS = 60_000;

let db: TestDatabase;
let bus: BusConnection;
let processes: Bun.Subprocess<"ignore", "pipe", "inherit">[];

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  bus = await testBus();
  const env = {
    ...process.env,
    DATABASE_URL: db.urlOf(SCHEMA.service),
    NATS_URL: serviceBusUrl(SCHEMA.service),
    LEEWAY_MASTER_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
    HEALTH_PORT: "0",
  };
  const main = join(import.meta.dir, "../src/main.ts");
  processes = Array.from({ length: PROCESSES }, () =>
    Bun.spawn([process.execPath, main], { env, stdout: "pipe", stderr: "inherit" }),
  );
  await Promise.all(processes.map(({ stdout }) => serving(stdout)));
  await call(bus, healthOf("quota"), {});
}, TEST_MS);

afterAll(async () => {
  for (const child of processes) child.kill();
  await Promise.all(processes.map(({ exited }) => exited));
  await bus.nats.close();
  await db.drop();
}, TEST_MS);

/** Resolves when a service says that it serves. */
async function serving(said: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of said) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('"serving"')) return;
  }
  throw new Error(`the service ended: ${text}`);
}

test.each([
  [
    { weekly: 5, hourly: -1 },
    { granted: 5, weekly: 5, hourly: 0 },
  ],
  [
    { weekly: -1, hourly: 20 },
    { granted: 20, weekly: 0, hourly: 20 },
  ],
  [
    { weekly: 50, hourly: 7 },
    { granted: 7, weekly: 7, hourly: 7 },
  ],
  [
    { weekly: 7, hourly: 50 },
    { granted: 7, weekly: 7, hourly: 7 },
  ],
] as const)(
  `of ${CALLS} calls at the same time to ${PROCESSES} processes as many are granted as %p allow`,
  async (caps, expected) => {
    const org_id = crypto.randomUUID();
    await call(bus, SetPlan, {
      org_id,
      plan: "enterprise",
      weekly_platform_llm_quota: caps.weekly,
      hourly_platform_llm_limit: caps.hourly,
    });
    const outcomes = await Promise.all(
      Array.from({ length: CALLS }, () => call(bus, ReserveSlot, { org_id, job_id: crypto.randomUUID() })),
    );
    const usage = await call(bus, GetUsage, { org_id });
    const { weekly_used: weekly, hourly_used: hourly } = usage;
    const granted = outcomes.filter((outcome) => outcome.granted).length;
    expect({ granted, weekly, hourly }).toEqual(expected);
  },
  TEST_MS,
);

test(
  "of callers that ask one time after the other until they are denied, as many are granted as there are slots",
  async () => {
    const org_id = crypto.randomUUID();
    const caps = { weekly_platform_llm_quota: 700, hourly_platform_llm_limit: 600 };
    await call(bus, SetPlan, { org_id, plan: "enterprise", ...caps });
    const caller = async (): Promise<number> => {
      let granted = 0;
      while ((await call(bus, ReserveSlot, { org_id, job_id: crypto.randomUUID() })).granted) granted += 1;
      return granted;
    };
    const granted = await Promise.all(Array.from({ length: 64 }, caller));
    expect(granted.reduce((sum, count) => sum + count)).toBe(600);
    expect(await call(bus, GetUsage, { org_id })).toMatchObject({ weekly_used: 600, hourly_used: 600 });
  },
  TEST_MS,
);

test("of calls for the same few jobs, to all processes at once, each job has one slot", async () => {
  const org_id = crypto.randomUUID();
  const jobs = Array.from({ length: 5 }, () => crypto.randomUUID());
  const outcomes = await Promise.all(
    Array.from({ length: CALLS }, (_, index) =>
      call(bus, ReserveSlot, { org_id, job_id: jobs[index % jobs.length]! }),
    ),
  );
  expect(outcomes.every(({ granted }) => granted)).toBe(true);
  expect(await call(bus, GetUsage, { org_id })).toMatchObject({ weekly_used: 5, weekly_cap: 5 });
});
