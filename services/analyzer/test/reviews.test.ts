import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Database } from "@leeway/shared/database/database";
import { testDatabase, type TestDatabase } from "@leeway/shared/testing";

import { forgetOrganization, standingOf, storeJobs } from "../src/jobs/store/jobs.ts";
import { noteReview, reviewsOf } from "../src/reviews/store.ts";
import { SCHEMA } from "../src/schema.ts";

let db: TestDatabase;
let database: Database;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
});
afterAll(() => db.drop());

test("an organization that is forgotten while a plan of its is analysed leaves no trace of that plan", async () => {
  const orgId = crypto.randomUUID();
  const sql = database.org(orgId);
  const jobId = Bun.randomUUIDv7();
  const place = { repository: "acme/infra", number: 12 };
  const review = { ...place, project: "prod", source: "vcs" as const, configId: undefined, jobId };
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  await storeJobs(sql, [{ id: jobId, subject }]);
  await noteReview(sql, review);
  expect(await reviewsOf(sql, place)).toMatchObject([{ jobId }]);
  await forgetOrganization(database, orgId);
  await noteReview(sql, review);
  expect(await reviewsOf(sql, place)).toEqual([]);
});

test("an organization is forgotten though that takes longer than a short statement may", async () => {
  const orgId = crypto.randomUUID();
  const sql = database.org(orgId);
  const id = Bun.randomUUIDv7();
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  await storeJobs(sql, [{ id, subject }]);
  const forgetting = await db.admin.begin(async (slow) => {
    await slow`select from analyzer.jobs where org_id = ${orgId} for update`;
    const work = forgetOrganization(database, orgId);
    await Promise.race([work, Bun.sleep(3_000)]);
    return { work };
  });
  await forgetting.work;
  expect(await standingOf(sql, id)).toBeUndefined();
});
