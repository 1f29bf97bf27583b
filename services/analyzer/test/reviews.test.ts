import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Database } from "@leeway/shared/database/database";
import { testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";

import { forgetOrganization, forgetUnseen, standingOf, storeJobs } from "../src/jobs/store/jobs.ts";
import { noteReview, reviewsOf } from "../src/reviews/store.ts";
import { SCHEMA } from "../src/schema.ts";

let db: TestDatabase;
let database: Database;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
});
afterAll(() => db.drop());

test("a plan analysed while its organization is purged leaves nothing behind", async () => {
  const orgId = crypto.randomUUID();
  const sql = database.org(orgId);
  const jobId = Bun.randomUUIDv7();
  const place = { host: "", repository: "acme/infra", number: 12 };
  const review = { ...place, project: "prod", codeHost: "gitlab" as const, configId: undefined, jobId };
  const subject = { kind: "drift_narrative" as const, snapshot_id: crypto.randomUUID() };
  await storeJobs(sql, [{ id: jobId, subject }]);
  await noteReview(sql, review);
  expect(await reviewsOf(sql, place)).toMatchObject([{ jobId }]);
  await forgetOrganization(database, orgId);
  await noteReview(sql, review);
  expect(await reviewsOf(sql, place)).toEqual([]);
});

test("purging an organization may take longer than a short statement", async () => {
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

test("rows not seen in a plan for 400 days are deleted in parts, except muted noise", async () => {
  const orgId = crypto.randomUUID();
  const ages = [1, 399, 401, 402, 403];
  await db.admin`
    insert into analyzer.hosted_reviews (org_id, host, repository, number, project, source, job_id, updated_at)
    select ${orgId}, '', 'acme/infra', age, 'prod', 'vcs', gen_random_uuid(), now() - make_interval(days => age)
      from unnest(${ages}::int[]) as age
  `;
  await db.admin`
    insert into analyzer.applied_projects (org_id, project, applied_at)
    select ${orgId}, 'p' || age, now() - make_interval(days => age) from unnest(${ages}::int[]) as age
  `;
  await db.admin`
    insert into analyzer.noise_projects (org_id, fingerprint, project, last_seen_at)
    select ${orgId}, 'f', 'p' || age, now() - make_interval(days => age) from unnest(${ages}::int[]) as age
  `;
  await db.admin`
    insert into analyzer.noise (
      org_id, fingerprint, class, title, resource_type, provider_name, path_pattern, confidence, sample, last_seen_at,
      status, muted_until
    )
    select ${orgId}, name, 'set_order', 'title', 'type', 'provider', 'path', 1, '{}', now() - make_interval(days => age),
           status, now() + make_interval(days => muted)
      from (
             values ('seen', 399, 'active', null), ('unseen', 401, 'active', null), ('muted', 401, 'muted', null),
                    ('muted a while', 401, 'muted', 1), ('not muted any more', 401, 'muted', -1)
           ) as given (name, age, status, muted)
  `;
  const batch = { days: 400, atMost: 2 };
  expect(await forgetUnseen(database.system, batch)).toBe(true);
  expect(await forgetUnseen(database.system, batch)).toBe(false);
  const left = await db.admin`
    select (select array_agg(number order by number) from analyzer.hosted_reviews where org_id = ${orgId}) as reviews,
           (select array_agg(project order by project) from analyzer.applied_projects where org_id = ${orgId}) as applied,
           (select array_agg(project order by project) from analyzer.noise_projects where org_id = ${orgId}) as projects,
           (select array_agg(fingerprint order by fingerprint) from analyzer.noise where org_id = ${orgId}) as noise
  `;
  expect([...left]).toEqual([
    {
      reviews: [1, 399],
      applied: ["p1", "p399"],
      projects: ["p1", "p399"],
      noise: ["muted", "muted a while", "seen"],
    },
  ]);
});
