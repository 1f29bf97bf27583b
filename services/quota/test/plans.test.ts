import { afterAll, beforeAll, expect, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { healthOf } from "@leeway/shared/contracts/common";
import { GetPlan, PurgeQuota, SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";

import { startTestQuota, type TestQuota } from "./kit.ts";

let quota: TestQuota;
let bus: BusConnection;

beforeAll(async () => {
  quota = await startTestQuota();
  ({ bus } = quota);
});

afterAll(() => quota.stop());

const newOrg = () => ({ org_id: crypto.randomUUID() });

test.each([
  ["free", 5, -1],
  ["team", -1, 20],
  ["enterprise", -1, -1],
] as const)("the %s plan has a weekly cap of %d and an hourly one of %d", async (plan, weekly, hourly) => {
  expect(await call(bus, SetPlan, { ...newOrg(), plan })).toEqual({
    plan,
    weekly_platform_llm_quota: weekly,
    hourly_platform_llm_limit: hourly,
  });
});

test("an organization that nobody gave a plan is on the free one", async () => {
  expect(await call(bus, GetPlan, newOrg())).toEqual({
    plan: "free",
    weekly_platform_llm_quota: 5,
    hourly_platform_llm_limit: -1,
  });
});

test("a contract's caps take the place of the plan's, and go when the plan is set without them", async () => {
  const org = newOrg();
  const capped = {
    plan: "enterprise",
    weekly_platform_llm_quota: 0,
    hourly_platform_llm_limit: 200,
  } as const;
  expect(await call(bus, SetPlan, { ...org, ...capped })).toEqual(capped);
  expect(await call(bus, GetPlan, org)).toEqual(capped);
  await call(bus, SetPlan, { ...org, plan: "team" });
  expect(await call(bus, GetPlan, org)).toEqual({
    plan: "team",
    weekly_platform_llm_quota: -1,
    hourly_platform_llm_limit: 20,
  });
});

test("a plan that doesn't exist is refused and changes nothing", async () => {
  const org = newOrg();
  const wrong = { ...org, plan: "gold" };
  // @ts-expect-error -- what a client that knows no types could send
  expect(call(bus, SetPlan, wrong)).rejects.toMatchObject({ code: "invalid_parameter" });
  expect(await call(bus, GetPlan, org)).toMatchObject({ plan: "free" });
});

test("one organization's plan is none of another's", async () => {
  const [one, other] = [newOrg(), newOrg()];
  await call(bus, SetPlan, { ...one, plan: "team" });
  expect(await call(bus, GetPlan, other)).toMatchObject({ plan: "free" });
});

test("an organization that is purged is forgotten, also when it is purged twice", async () => {
  const org = newOrg();
  await call(bus, SetPlan, { ...org, plan: "team" });
  await call(bus, ReserveSlot, { ...org, job_id: crypto.randomUUID() });
  await call(bus, PurgeQuota, org);
  await call(bus, PurgeQuota, org);
  const { admin } = quota.db;
  for (const table of ["org_plans", "usage", "reservations"]) {
    expect(await admin`select from ${admin(`quota.${table}`)} where org_id = ${org.org_id}`).toHaveLength(0);
  }
});

test("an organization is forgotten though that takes longer than a short statement may", async () => {
  const org = newOrg();
  const { admin } = quota.db;
  await call(bus, ReserveSlot, { ...org, job_id: crypto.randomUUID() });
  const forgetting = await admin.begin(async (slow) => {
    await slow`select from quota.reservations where org_id = ${org.org_id} for update`;
    const work = call(bus, PurgeQuota, org);
    await Promise.race([work, Bun.sleep(3_000)]);
    return { work };
  });
  await forgetting.work;
  expect(await admin`select from quota.reservations where org_id = ${org.org_id}`).toHaveLength(0);
});

test("the service is ready while it reaches its database", async () => {
  expect(await call(bus, healthOf("quota"), {})).toEqual({ ready: true, degraded: [] });
});
