import { afterAll, beforeAll, expect, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { healthOf } from "@leeway/shared/contracts/common";
import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import { AppError } from "@leeway/shared/values/errors";
import {
  serviceBusUrl,
  testBus,
  testBusKeys,
  testDatabase,
  type TestDatabase,
} from "@leeway/shared/testing/testing";
import { join } from "node:path";

import { SCHEMA } from "../src/schema.ts";

const PROCESSES = 4;
const CALLS = 400;
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
    LEEWAY_BUS_KEYS: testBusKeys(SCHEMA.service),
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

/** Resolves when a service logs that it is serving. */
async function serving(said: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of said) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('"serving"')) return;
  }
  throw new Error(`the service ended: ${text}`);
}

/** Reserves a slot, as often as a busy service needs: a repeated call for a job reserves no second slot. */
async function reserve(org_id: string, job_id: string = crypto.randomUUID()): Promise<boolean> {
  for (;;) {
    try {
      return (await call(bus, ReserveSlot, { org_id, job_id })).granted;
    } catch (error) {
      if (!(error instanceof AppError && error.code === "unavailable")) throw error;
    }
  }
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
  `of ${CALLS} concurrent calls to ${PROCESSES} processes exactly as many are granted as %p allow`,
  async (caps, expected) => {
    const org_id = crypto.randomUUID();
    await call(bus, SetPlan, {
      org_id,
      plan: "enterprise",
      weekly_platform_llm_quota: caps.weekly,
      hourly_platform_llm_limit: caps.hourly,
    });
    const outcomes = await Promise.all(Array.from({ length: CALLS }, () => reserve(org_id)));
    const usage = await call(bus, GetUsage, { org_id });
    const { weekly_used: weekly, hourly_used: hourly } = usage;
    const granted = outcomes.filter(Boolean).length;
    expect({ granted, weekly, hourly }).toEqual(expected);
  },
  TEST_MS,
);

test(
  "callers that reserve until denied get exactly the available slots",
  async () => {
    const org_id = crypto.randomUUID();
    const caps = { weekly_platform_llm_quota: 250, hourly_platform_llm_limit: 200 };
    await call(bus, SetPlan, { org_id, plan: "enterprise", ...caps });
    const caller = async (): Promise<number> => {
      let granted = 0;
      while (await reserve(org_id)) granted += 1;
      return granted;
    };
    const granted = await Promise.all(Array.from({ length: 64 }, caller));
    expect(granted.reduce((sum, count) => sum + count)).toBe(200);
    expect(await call(bus, GetUsage, { org_id })).toMatchObject({ weekly_used: 200, hourly_used: 200 });
  },
  TEST_MS,
);

test("repeated calls for the same jobs at all processes reserve one slot each", async () => {
  const org_id = crypto.randomUUID();
  const jobs = Array.from({ length: 5 }, () => crypto.randomUUID());
  const outcomes = await Promise.all(
    Array.from({ length: CALLS }, (_, index) => reserve(org_id, jobs[index % jobs.length])),
  );
  expect(outcomes.every(Boolean)).toBe(true);
  expect(await call(bus, GetUsage, { org_id })).toMatchObject({ weekly_used: 5, weekly_cap: 5 });
});
