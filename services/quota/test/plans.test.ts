import { afterAll, beforeAll, expect, test } from "bun:test";

import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { healthOf } from "@leeway/shared/contracts/common";
import { GetPlan, PLANS, PurgeQuota, SetPlan } from "@leeway/shared/contracts/quota/plans";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { failureOf } from "@leeway/shared/testing/testing";

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
] as const)("the %s plan has a weekly cap of %d and an hourly cap of %d", async (plan, weekly, hourly) => {
  expect(await call(bus, SetPlan, { ...newOrg(), plan })).toEqual({
    plan,
    weekly_platform_llm_quota: weekly,
    hourly_platform_llm_limit: hourly,
  });
});

test("the README lists every plan of the contract with its caps", async () => {
  const { admin } = quota.db;
  const rows = await admin<Record<string, string>[]>`
    select plan, replace(weekly_cap::text, '-1', 'unlimited') as weekly, replace(hourly_cap::text, '-1', 'unlimited') as hourly
      from quota.plans
  `;
  const readme = await Bun.file(`${import.meta.dir}/../README.md`).text();
  const listed = [...readme.matchAll(/^\| ([a-z]+) \| (\w+) \| (\w+) \|$/gm)].map((row) => row.slice(1));
  expect(listed.map(([plan]) => plan)).toEqual([...PLANS]);
  expect(listed).toEqual(expect.arrayContaining(rows.map((row) => Object.values(row))));
  expect(rows).toHaveLength(PLANS.length);
});

test("an organization without a plan is on the free one", async () => {
  expect(await call(bus, GetPlan, newOrg())).toEqual({
    plan: "free",
    weekly_platform_llm_quota: 5,
    hourly_platform_llm_limit: -1,
  });
});

test("contract caps override the plan's until the plan is set without them", async () => {
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

test("an unknown plan is refused and changes nothing", async () => {
  const org = newOrg();
  const wrong = { ...org, plan: "gold" };
  // @ts-expect-error -- what a client that knows no types could send
  expect(call(bus, SetPlan, wrong)).rejects.toMatchObject({ code: "invalid_parameter" });
  expect(await call(bus, GetPlan, org)).toMatchObject({ plan: "free" });
  const { admin } = quota.db;
  const stored = admin`insert into quota.org_plans (org_id, plan) values (${org.org_id}, ${wrong.plan})`;
  expect(await failureOf(stored)).toMatchObject({ constraint_name: "org_plans_plan" });
});

test("plans of organizations are independent", async () => {
  const [one, other] = [newOrg(), newOrg()];
  await call(bus, SetPlan, { ...one, plan: "team" });
  expect(await call(bus, GetPlan, other)).toMatchObject({ plan: "free" });
});

test("purging an organization deletes its rows and can be repeated", async () => {
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

test("purging an organization may take longer than a short statement", async () => {
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

test("the service is ready while its database is reachable", async () => {
  expect(await call(bus, healthOf("quota"), {})).toEqual({ ready: true, degraded: [] });
});
