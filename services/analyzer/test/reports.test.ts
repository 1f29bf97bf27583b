import { afterEach, beforeEach, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { ExpectPlan } from "@leeway/shared/contracts/inventory/plans";
import { testBus, testLog } from "@leeway/shared/testing/testing";

import { createReports } from "../src/plans/reports.ts";

let bus: BusConnection;
let inventory: BusConnection;
beforeEach(async () => {
  bus = await testBus("analyzer");
  inventory = await testBus("inventory");
});
afterEach(() => Promise.all([bus.nats.drain(), inventory.nats.drain()]));

/** Starts a fake inventory that answers whether a plan is expected. Returns the requests it received. */
async function answers(expected: boolean): Promise<string[][]> {
  const asked: string[][] = [];
  const endpoint = answer(ExpectPlan, ({ source_names }) => {
    asked.push(source_names);
    return Promise.resolve({ expected });
  });
  serve(inventory, { service: "inventory", endpoints: [endpoint], log: testLog() });
  await inventory.nats.flush(); // the server has the subscription
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
    project: { name: "net" },
    ...more,
  },
});

test("a plan of a known source is reported, with the same job id each time", async () => {
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

test("a plan of an unknown source isn't reported, and the inventory is asked once for many", async () => {
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
])("a plan %s without a repository isn't reported, and nothing is asked", async (_, more) => {
  const asked = await answers(true);
  expect(await createReports(bus).of(job(more))).toBeUndefined();
  expect(asked).toEqual([]);
});

test("a merge request's plan isn't reported, but binds its source to its repository", async () => {
  const bound: unknown[] = [];
  const endpoint = answer(ExpectPlan, ({ repository }) => {
    bound.push(repository);
    return Promise.resolve({ expected: true });
  });
  serve(inventory, { service: "inventory", endpoints: [endpoint], log: testLog() });
  await inventory.nats.flush();
  const url = "https://gitlab.example.com/acme/net/-/merge_requests/1";
  const proposed = job({ repository: "acme/net", change_request: { number: 1, url } });
  expect(await createReports(bus).of(proposed)).toBeUndefined();
  expect(bound).toEqual([{ path: "acme/net", host: "gitlab.example.com" }]);
});

test("a report is created even when the inventory can't be asked", async () => {
  expect(await createReports(bus).of(job())).toBeDefined();
});
