import { afterAll, beforeAll, expect, test } from "bun:test";

import { serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { healthOf } from "@leeway/shared/contracts/common";
import { GetPlan, PurgeQuota, SetPlan } from "@leeway/shared/contracts/quota";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing";

import { handlers } from "../src/handlers.ts";
import { NO_SLOTS } from "../src/model/slots.ts";
import { startModels } from "../src/model/start-models.ts";
import { SCHEMA } from "../src/schema.ts";
import { RING } from "./support/models.ts";

let db: TestDatabase;
let bus: BusConnection;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  bus = await testBus();
  const log = testLog();
  const platform = { database: db.open("quota"), bus, log };
  const settings = { ring: RING, egressAllow: [], platformModel: undefined, slots: NO_SLOTS };
  const endpoints = handlers({ ...platform, ...startModels(platform, settings) });
  serve(bus, { service: "quota", endpoints, log });
});

afterAll(async () => {
  await bus.nats.close();
  await db.drop();
});

const newOrg = () => ({ org_id: crypto.randomUUID() });

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
  await call(bus, PurgeQuota, org);
  await call(bus, PurgeQuota, org);
  expect(await db.admin`select from quota.org_plans where org_id = ${org.org_id}`).toHaveLength(0);
});

test("the service is ready while it reaches its database", async () => {
  expect(await call(bus, healthOf("quota"), {})).toEqual({ ready: true });
});
