import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { ConsumeSlot, ReleaseSlot, ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage, GetUsageHistory } from "@leeway/shared/contracts/quota/usage";

import { forgetReservations, releaseExpired } from "../src/slots/store/slots.ts";
import { startTestQuota, stored, type TestQuota } from "./kit.ts";

let quota: TestQuota;

beforeAll(async () => {
  quota = await startTestQuota();
});
afterAll(() => quota.stop());
beforeEach(() => quota.setClock("2026-10-07T14:20:00Z"));

async function take(orgId: string): Promise<{ org_id: string; job_id: string }> {
  const job = { org_id: orgId, job_id: crypto.randomUUID() };
  await quota.call(ReserveSlot, job);
  return job;
}

const historyOf = async (orgId: string, days: number) =>
  (await quota.call(GetUsageHistory, { org_id: orgId, days })).data;

test("the usage of a new organization is its plan's caps and the next resets", async () => {
  expect(await quota.call(GetUsage, { org_id: crypto.randomUUID() })).toEqual({
    weekly_used: 0,
    weekly_cap: 5,
    week_resets_at: "2026-10-12T00:00:00Z",
    hourly_used: 0,
    hourly_cap: -1,
    hour_resets_at: "2026-10-07T15:00:00Z",
    byok_configured: false,
    platform_model_configured: false,
    plan: "free",
  });
});

test("the history has a row for every day, by outcome of the slots reserved on it", async () => {
  const org = await quota.newOrg({});
  await quota.setClock("2026-10-04T23:59:59.999Z");
  await quota.call(ConsumeSlot, await take(org));
  await quota.setClock("2026-10-06T00:00:00Z");
  await quota.call(ReleaseSlot, await take(org));
  await quota.call(ConsumeSlot, await take(org));
  await take(await quota.newOrg({})); // belongs to another organization
  await quota.setClock("2026-10-07T14:20:00Z");
  await take(org);
  expect(await historyOf(org, 4)).toEqual([
    { date: "2026-10-04", consumed: 1, held: 0, released: 0 },
    { date: "2026-10-05", consumed: 0, held: 0, released: 0 },
    { date: "2026-10-06", consumed: 1, held: 0, released: 1 },
    { date: "2026-10-07", consumed: 0, held: 1, released: 0 },
  ]);
  expect(await historyOf(org, 1)).toEqual([{ date: "2026-10-07", consumed: 0, held: 1, released: 0 }]);
});

test("slots of dead workers are released in every organization, unless their job asks again", async () => {
  const database = quota.db.open("quota");
  const orgs = await Promise.all([1, 2, 3].map((weekly) => quota.newOrg({ weekly, hourly: 9 })));
  const jobs = await Promise.all(orgs.map(take));
  await quota.setClock("2026-10-07T14:34:59Z");
  const [alive] = jobs;
  await quota.call(ReserveSlot, alive!);
  await releaseExpired(database.system, 1_000);
  await quota.setClock("2026-10-07T14:35:00Z");
  await releaseExpired(database.system, 1_000);
  const states = await Promise.all(orgs.map(async (org) => (await stored(quota.db, org)).slots[0]?.state));
  expect(states).toEqual(["held", "released", "released"]);
  const used = await Promise.all(orgs.map(async (org) => quota.call(GetUsage, { org_id: org })));
  expect(used.map(({ weekly_used, hourly_used }) => [weekly_used, hourly_used])).toEqual([
    [1, 1],
    [0, 0],
    [0, 0],
  ]);
});

test("finished slots are deleted after the history's retention, held ones aren't", async () => {
  const database = quota.db.open("quota");
  const org = await quota.newOrg({});
  await quota.setClock("2026-07-09T23:59:59Z");
  for (let slot = 0; slot < 3; slot += 1) await quota.call(ConsumeSlot, await take(org));
  const held = await take(org);
  await quota.setClock("2026-07-10T00:00:00Z");
  const within = await take(org);
  await quota.call(ConsumeSlot, within);
  await quota.setClock("2026-10-07T14:20:00Z");
  const batch = { days: 90, atMost: 2 };
  expect(await forgetReservations(database.system, batch)).toBe(true);
  expect(await forgetReservations(database.system, batch)).toBe(false);
  const left = (await stored(quota.db, org)).slots.map(({ id }) => id);
  expect(left.toSorted()).toEqual([held.job_id, within.job_id].toSorted());
  expect(await historyOf(org, 90)).toContainEqual({
    date: "2026-07-10",
    consumed: 1,
    held: 0,
    released: 0,
  });
});
