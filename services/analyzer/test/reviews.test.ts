import { afterAll, beforeAll, expect, test } from "bun:test";

import type { OrgStatements } from "@leeway/shared/database/database";
import { testDatabase, type TestDatabase } from "@leeway/shared/testing";

import { forgetOrganization, storeJobs } from "../src/jobs/store/jobs.ts";
import { noteReview, reviewsOf } from "../src/reviews/store.ts";
import { SCHEMA } from "../src/schema.ts";

let db: TestDatabase;
let sql: OrgStatements;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  sql = db.open(SCHEMA.service).org(crypto.randomUUID());
});
afterAll(() => db.drop());

test("an organization that is forgotten while a plan of its is analysed leaves no trace of that plan", async () => {
  const jobId = Bun.randomUUIDv7();
  const place = { repository: "acme/infra", number: 12 };
  const review = { ...place, project: "prod", source: "vcs" as const, configId: undefined, jobId };
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  await storeJobs(sql, [{ id: jobId, subject }]);
  await noteReview(sql, review);
  expect(await reviewsOf(sql, place)).toMatchObject([{ jobId }]);
  await forgetOrganization(sql);
  await noteReview(sql, review);
  expect(await reviewsOf(sql, place)).toEqual([]);
});
