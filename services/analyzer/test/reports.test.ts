import { afterEach, beforeEach, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { ExpectPlan } from "@leeway/shared/contracts/inventory/plans";
import { testBus, testLog } from "@leeway/shared/testing";

import { createReports } from "../src/plans/reports.ts";

let bus: BusConnection;
let inventory: BusConnection;
beforeEach(async () => {
  bus = await testBus("analyzer");
  inventory = await testBus("inventory");
});
afterEach(() => Promise.all([bus.nats.drain(), inventory.nats.drain()]));

/** The inventory, as far as it says whether a plan is expected; what it was asked. */
async function answers(expected: boolean): Promise<string[][]> {
  const asked: string[][] = [];
  const endpoint = answer(ExpectPlan, ({ source_names }) => {
    asked.push(source_names);
    return Promise.resolve({ expected });
  });
  serve(inventory, { service: "inventory", endpoints: [endpoint], log: testLog() });
  await inventory.nats.flush(); // the server knows of it
  return asked;
}

const job = (more: object = {}) => ({
  id: Bun.randomUUIDv7(),
  orgId: crypto.randomUUID(),
  result: undefined,
  input: undefined,
  createdAt: new Date("2026-11-21T10:00:00Z"),
  startedAt: new Date("2026-11-21T10:00:00Z"),
  attempts: 1,
  subject: {
    kind: "analyze" as const,
    fail_on: "never" as const,
    narrative: false,
    warnings: [],
    project: { name: "net" },
    ...more,
  },
});

test("a plan of a known source is reported, the same job however often it is asked", async () => {
  const asked = await answers(true);
  const reports = createReports(bus);
  const one = job();
  const first = await reports.of(one);
  expect(first?.subject).toEqual({
    kind: "plan_report",
    analyze_job_id: one.id,
    planned_at: "2026-11-21T10:00:00.000Z",
  });
  expect((await reports.of(one))?.id).toBe(first?.id ?? "");
  expect(asked[0]).toEqual(["net"]);
});

test("one of a project that is no source isn't, and the inventory is asked once for many", async () => {
  const asked = await answers(false);
  const reports = createReports(bus);
  const one = job();
  for (let time = 0; time < 5; time += 1)
    expect(await reports.of({ ...one, id: Bun.randomUUIDv7() })).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test.each([
  ["of a merge request", { change_request: { number: 1 } }],
  ["that is speculative", { speculative: true }],
])("one %s isn't, and nobody is asked", async (_, more) => {
  const asked = await answers(true);
  expect(await createReports(bus).of(job(more))).toBeUndefined();
  expect(asked).toEqual([]);
});

test("while the inventory can't be asked, the report waits for it", async () => {
  expect(await createReports(bus).of(job())).toBeDefined();
});
