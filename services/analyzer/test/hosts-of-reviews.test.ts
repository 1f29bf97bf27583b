import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";

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

/** Records a plan of a project as the latest on a host. @returns its job */
async function noted(host: string, project = "prod"): Promise<string> {
  const jobId = Bun.randomUUIDv7();
  await storeJobs(sql, [{ id: jobId, subject: { kind: "drift_narrative", snapshot_id: jobId } }]);
  await noteReview(sql, { ...keyOf(host, project), codeHost: "gitlab", configId: undefined, jobId });
  return jobId;
}

test.each([
  ["with a host finds only that host's review", ["a", "b", ""], "a", "a"],
  ["with a host finds none of another host's", ["b"], "a", undefined],
  ["with a host finds a review without a host", ["b", ""], "a", ""],
  ["without a host finds the only review that exists", ["b"], "", "b"],
  ["without a host finds none if several exist", ["a", "b"], "", undefined],
  ["without a host finds a review without a host", ["a", "b", ""], "", ""],
])("a lookup %s", async (_, hosts, askedHost, found) => {
  for (const host of hosts) await noted(host);
  expect((await reviewOf(sql, keyOf(askedHost)))?.host).toBe(found);
});

test("an event finds each project's plan of its host, otherwise one without a host", async () => {
  const [a, , b] = [await noted("a"), await noted("b"), await noted("", "dev")];
  await noted("", "prod");
  await noted("b", "stage");
  expect((await reviewsOf(sql, { ...REQUEST, host: "a" })).map(({ jobId }) => jobId)).toEqual([b, a]);
});

test("an event without a host finds the latest plan of each project", async () => {
  await noted("a");
  const latest = [await noted("b"), await noted("b", "stage")];
  expect((await reviewsOf(sql, { ...REQUEST, host: "" })).map(({ jobId }) => jobId)).toEqual(latest);
});

test("a review without a host gets the host of the first plan that has one", async () => {
  await noted("");
  const note = {
    codeHost: "gitlab",
    url: "https://a/1",
    commit: undefined,
    previousCommit: undefined,
  } as const;
  await noteComment(sql, keyOf(""), note);
  await noteHost(sql, keyOf(""), "a");
  const jobId = await noted("a");
  expect(await reviewsOf(sql, { ...REQUEST, host: "" })).toMatchObject([
    { host: "a", jobId, commentUrl: "https://a/1" },
  ]);
});

test("a review stored by an older service is found under the host in its plan", async () => {
  const id = Bun.randomUUIDv7();
  const url = "https://GitLab.example.com:443/acme/infra/-/merge_requests/12";
  const change_request = { number: REQUEST.number, url };
  const asked = { fail_on: "never" as const, narrative: false };
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
