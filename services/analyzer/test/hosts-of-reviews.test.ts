import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { testDatabase, type TestDatabase } from "@leeway/shared/testing";

import { storeJobs } from "../src/jobs/store/jobs.ts";
import { noteComment, noteHost, noteReview, reviewOf, reviewsOf } from "../src/reviews/store.ts";
import { SCHEMA } from "../src/schema.ts";

const REQUEST = { repository: "acme/infra", number: 12 };

let db: TestDatabase;
let database: Database;
let sql: OrgStatements;

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
});
afterAll(() => db.drop());
beforeEach(() => {
  sql = database.org(crypto.randomUUID());
});

const keyOf = (host: string, project = "prod") => ({ ...REQUEST, host, project });

/** Notes a plan of a project, as the latest of a host. @returns its job */
async function noted(host: string, project = "prod"): Promise<string> {
  const jobId = Bun.randomUUIDv7();
  await storeJobs(sql, [{ id: jobId, subject: { kind: "drift_narrative", snapshot_id: jobId } }]);
  await noteReview(sql, { ...keyOf(host, project), source: "vcs", configId: undefined, jobId });
  return jobId;
}

test.each([
  ["one that tells its host finds that host's alone", ["a", "b", ""], "a", "a"],
  ["one that tells its host finds none of another's", ["b"], "a", undefined],
  ["one that tells its host finds what no plan has told the host of", ["b", ""], "a", ""],
  ["one that tells no host finds the only one that there is", ["b"], "", "b"],
  ["one that tells no host finds none where there are several", ["a", "b"], "", undefined],
  ["one that tells no host finds what no plan has told the host of", ["a", "b", ""], "", ""],
])("of plans, %s", async (_, hosts, told, found) => {
  for (const host of hosts) await noted(host);
  expect((await reviewOf(sql, keyOf(told)))?.host).toBe(found);
});

test("an event finds each project's plan of its host, else of no host that is known", async () => {
  const [a, , b] = [await noted("a"), await noted("b"), await noted("", "dev")];
  await noted("", "prod");
  await noted("b", "stage");
  expect((await reviewsOf(sql, { ...REQUEST, host: "a" })).map(({ jobId }) => jobId)).toEqual([b, a]);
});

test("an event that tells no host finds the latest plan of each project", async () => {
  await noted("a");
  const latest = [await noted("b"), await noted("b", "stage")];
  expect((await reviewsOf(sql, { ...REQUEST, host: "" })).map(({ jobId }) => jobId)).toEqual(latest);
});

test("what no plan had told the host of is of the first that a plan tells", async () => {
  await noted("");
  await noteComment(sql, keyOf(""), { source: "vcs", url: "https://a/1" });
  await noteHost(sql, keyOf(""), "a");
  const jobId = await noted("a");
  expect(await reviewsOf(sql, { ...REQUEST, host: "" })).toMatchObject([
    { host: "a", jobId, commentUrl: "https://a/1" },
  ]);
});

test("what a service of before hosts were told apart notes is found, of the host that its plan told", async () => {
  const id = Bun.randomUUIDv7();
  const url = "https://GitLab.example.com:443/acme/infra/-/merge_requests/12";
  const change_request = { number: REQUEST.number, url };
  const asked = { fail_on: "never" as const, narrative: false, warnings: [] };
  await storeJobs(sql, [{ id, subject: { kind: "analyze", ...asked, change_request } }]);
  const upsert = (jobId: string, project: string) => sql`
    insert into analyzer.reviews (org_id, repository, number, project, source, job_id)
    values (${sql.orgId}, ${REQUEST.repository}, ${REQUEST.number}, ${project}, 'vcs', ${jobId})
    on conflict (org_id, repository, number, project) do update
       set job_id = excluded.job_id
  `;
  await upsert(id, "prod");
  await upsert(Bun.randomUUIDv7(), "gone");
  await sql`
    update analyzer.reviews set comment_url = 'http://b:8080/1' where org_id = ${sql.orgId} and project = 'prod'
  `;
  expect(await reviewOf(sql, keyOf("gitlab.example.com"))).toMatchObject({
    host: "gitlab.example.com",
    jobId: id,
    commentUrl: "http://b:8080/1",
  });
  expect(await reviewOf(sql, keyOf("", "gone"))).toMatchObject({ host: "" });

  const later = await noted("gitlab.example.com");
  await upsert(id, "prod");
  expect(await reviewOf(sql, keyOf("gitlab.example.com"))).toMatchObject({ jobId: later });
});
