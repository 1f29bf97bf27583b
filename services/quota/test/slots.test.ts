import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { withContext } from "@leeway/shared/platform/context";
import { ConsumeSlot, ReleaseSlot, ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import { failureOf } from "@leeway/shared/testing/testing";
import postgres from "postgres";

import { startTestQuota, stored, type TestQuota } from "./kit.ts";

/** A Wednesday. */
const NOW = "2026-10-07T14:20:00.250Z";
const WEEK_END = "2026-10-12T00:00:00Z";
const HOUR_END = "2026-10-07T15:00:00Z";

let quota: TestQuota;

beforeAll(async () => {
  quota = await startTestQuota();
});
afterAll(() => quota.stop());
beforeEach(() => quota.setClock(NOW));

const newJob = (): string => crypto.randomUUID();
const reserve = (orgId: string, jobId = newJob()) =>
  quota.call(ReserveSlot, { org_id: orgId, job_id: jobId });
const consume = (orgId: string, jobId: string) => quota.call(ConsumeSlot, { org_id: orgId, job_id: jobId });
const release = (orgId: string, jobId: string) => quota.call(ReleaseSlot, { org_id: orgId, job_id: jobId });

async function used(orgId: string): Promise<[weekly: number, hourly: number]> {
  const { weekly_used, hourly_used } = await quota.call(GetUsage, { org_id: orgId });
  return [weekly_used, hourly_used];
}

describe("a gate", () => {
  test("grants up to its cap and returns what is left", async () => {
    const org = await quota.newOrg({ weekly: 2, hourly: 3 });
    expect(await reserve(org)).toEqual({
      granted: true,
      source: "platform",
      limits: [
        { gate: "weekly", cap: 2, used: 1, resets_in_seconds: 380_400 },
        { gate: "hourly", cap: 3, used: 1, resets_in_seconds: 2_400 },
      ],
    });
    expect(await reserve(org)).toMatchObject({ granted: true });
    expect(await reserve(org)).toEqual({
      granted: false,
      reason: "weekly_exhausted",
      gate: "weekly",
      cap: 2,
      used: 2,
      week_resets_at: WEEK_END,
      hour_resets_at: HOUR_END,
      retry_after_seconds: 380_400,
    });
    expect(await used(org)).toEqual([2, 2]);
  });

  test("that is exhausted denies, and neither gate counts the denied call", async () => {
    const org = await quota.newOrg({ weekly: 5, hourly: 1 });
    await reserve(org);
    expect(await reserve(org)).toMatchObject({
      reason: "hourly_exhausted",
      cap: 1,
      used: 1,
      retry_after_seconds: 2_400,
    });
    expect(await used(org)).toEqual([1, 1]);
  });

  test("denies as the weekly one if both are exhausted", async () => {
    const org = await quota.newOrg({ weekly: 1, hourly: 1 });
    await reserve(org);
    expect(await reserve(org)).toMatchObject({ reason: "weekly_exhausted" });
  });

  test("without a cap counts nothing", async () => {
    const org = await quota.newOrg({ hourly: 9 });
    expect(await reserve(org)).toMatchObject({ limits: [{ gate: "hourly" }] });
    expect(await used(org)).toEqual([0, 1]);
    const unlimited = await quota.newOrg({});
    expect(await reserve(unlimited)).toEqual({ granted: true, source: "platform", limits: [] });
    expect((await stored(quota.db, unlimited)).usage).toBeUndefined();
  });

  test.each([
    [{ weekly: 0, hourly: 0 }, "weekly"],
    [{ weekly: 0, hourly: 5 }, "weekly"],
    [{ weekly: 5, hourly: 0 }, "hourly"],
    [{ hourly: 0 }, "hourly"],
  ] as const)("with cap 0 denies every call, the weekly one first: %p", async (caps, gate) => {
    const org = await quota.newOrg(caps);
    expect(await reserve(org)).toMatchObject({ reason: "hard_off", gate, cap: 0, used: 0 });
    expect(await stored(quota.db, org)).toEqual({ usage: undefined, slots: [] });
  });

  test("with cap 0 is named before an exhausted one", async () => {
    const org = await quota.newOrg({ weekly: 1 });
    await reserve(org);
    await quota.setPlan(org, { plan: "free", weekly_platform_llm_quota: 1, hourly_platform_llm_limit: 0 });
    expect(await reserve(org)).toMatchObject({ reason: "hard_off", gate: "hourly" });
  });
});

describe("a slot", () => {
  test("belongs to one job, even after repeated and concurrent requests at a full gate", async () => {
    const org = await quota.newOrg({ weekly: 1 });
    const job = newJob();
    const answers = await Promise.all(Array.from({ length: 20 }, () => reserve(org, job)));
    expect(answers.every(({ granted }) => granted)).toBe(true);
    expect(await reserve(org, job.toUpperCase())).toMatchObject({ granted: true, limits: [{ used: 1 }] });
    expect(await used(org)).toEqual([1, 0]);
  });

  test("that was consumed stays counted for its job", async () => {
    const org = await quota.newOrg({ weekly: 1 });
    const job = newJob();
    await reserve(org, job);
    expect(await consume(org, job)).toEqual({ state: "consumed" });
    expect(await consume(org, job)).toEqual({ state: "consumed" });
    expect(await release(org, job)).toEqual({ state: "consumed" });
    expect(await reserve(org, job)).toMatchObject({ granted: true });
    expect(await used(org)).toEqual([1, 0]);
  });

  test("is released once to both gates and can't be consumed afterwards", async () => {
    const org = await quota.newOrg({ weekly: 5, hourly: 5 });
    const job = newJob();
    await reserve(org);
    await reserve(org, job);
    const answers = await Promise.all(Array.from({ length: 20 }, () => release(org, job)));
    expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(["released"]));
    expect(await consume(org, job)).toEqual({ state: "released" });
    expect(await used(org)).toEqual([1, 1]);
  });

  test("that was released is reserved again by its job", async () => {
    const org = await quota.newOrg({ weekly: 1 });
    const job = newJob();
    await reserve(org, job);
    await release(org, job);
    expect(await reserve(org)).toMatchObject({ granted: true });
    expect(await reserve(org, job)).toMatchObject({ granted: false });
    expect(await used(org)).toEqual([1, 0]);
  });

  test("that a job doesn't have can't be consumed or released, by any organization", async () => {
    const org = await quota.newOrg({ weekly: 1 });
    const other = await quota.newOrg({ weekly: 1 });
    const job = newJob();
    await reserve(org, job);
    for (const end of [consume, release]) expect(await end(other, job)).toEqual({});
    expect(await release(org, newJob())).toEqual({});
    expect(await used(org)).toEqual([1, 0]);
    // a slot of its own, although the job id is the same
    expect(await reserve(other, job)).toMatchObject({ granted: true });
  });

  test("isn't kept for a caller that gave up and released it before it was reserved", async () => {
    const org = await quota.newOrg({ weekly: 1 });
    const job = newJob();
    const caller = new AbortController();
    const context = { requestId: "r", signal: caller.signal };
    const refused = await quota.db.admin.begin(async (tx) => {
      await tx`lock table quota.llm_configs`; // the first table that a gate reads
      const asked = failureOf(withContext(context, () => reserve(org, job)));
      await Bun.sleep(100);
      caller.abort();
      expect(await release(org, job)).toEqual({});
      return asked;
    });
    expect(refused).toMatchObject({ code: "unavailable" });
    while ((await stored(quota.db, org)).slots[0]?.state !== "released") await Bun.sleep(10);
    expect(await used(org)).toEqual([0, 0]);
  });

  test("is released to its own bucket, not to the current one", async () => {
    const org = await quota.newOrg({ weekly: 5, hourly: 5 });
    const job = newJob();
    await reserve(org, job);
    await quota.setClock(HOUR_END);
    await reserve(org);
    expect(await used(org)).toEqual([2, 1]);
    await release(org, job);
    expect(await used(org)).toEqual([1, 1]);
    await quota.setClock(WEEK_END);
    expect(await used(org)).toEqual([0, 0]);
  });

  test("is released to its gate even if that has no cap now", async () => {
    const org = await quota.newOrg({ weekly: 5 });
    const job = newJob();
    await reserve(org, job);
    await quota.setPlan(org, { plan: "enterprise" });
    await release(org, job);
    await quota.setPlan(org, { plan: "free" });
    expect(await used(org)).toEqual([0, 0]);
  });

  test("reserved while a gate had no cap isn't counted in it later", async () => {
    const org = await quota.newOrg({});
    const job = newJob();
    await reserve(org, job);
    await quota.setPlan(org, { plan: "free" });
    await reserve(org);
    await release(org, job);
    expect(await used(org)).toEqual([1, 0]);
  });
});

describe("concurrent reservations", () => {
  test("are granted in order, exactly as many as there are slots", async () => {
    const org = await quota.newOrg({ weekly: 7, hourly: 5 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => reserve(org)));
    expect(answers.map(({ granted }) => granted)).toEqual(
      Array.from({ length: 50 }, (_, index) => index < 5),
    );
    expect(await used(org)).toEqual([5, 5]);
  });

  test("of many organizations are decided by each one's own gates", async () => {
    const caps = [0, 1, 2, 3, -1];
    const orgs = await Promise.all(caps.map((weekly) => quota.newOrg({ weekly })));
    const asked = orgs
      .flatMap((org) => Array.from({ length: 4 }, () => org))
      .toSorted(() => 0.5 - Math.random());
    const answers = await Promise.all(
      asked.map(async (org) => ({ org, granted: (await reserve(org)).granted })),
    );
    const granted = orgs.map((org) => answers.filter((one) => one.org === org && one.granted).length);
    expect(granted).toEqual([0, 1, 2, 3, 4]);
  });

  test("don't leave another organization's id on the connection", async () => {
    const [one, other] = [await quota.newOrg({ weekly: 5 }), await quota.newOrg({ weekly: 5 })];
    const sql = postgres(quota.db.urlOf("quota"), { max: 1 });
    const rows = await sql.begin(async (tx) => {
      await tx`select quota.reserve(${[one, other]}::uuid[], ${[newJob(), newJob()]}::uuid[], '1 minute')`;
      return tx`select from quota.usage`;
    });
    expect(rows.count).toBe(2);
    const after = await sql.begin(async (tx) => {
      await tx`select set_config('app.org_id', ${one}, true)`;
      return tx`select org_id from quota.usage`;
    });
    expect([...after]).toEqual([{ org_id: one }]);
    await sql.end();
  });
});
