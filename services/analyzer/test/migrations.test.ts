import { afterEach, beforeEach, expect, test } from "bun:test";

import { migrate } from "@leeway/shared/database/migrate";
import { schemaBefore, testDatabase, type TestDatabase } from "@leeway/shared/testing";
import type { Sql } from "postgres";

import { SCHEMA } from "../src/schema.ts";

let db: TestDatabase;
let sql: Sql;

beforeEach(async () => {
  db = await testDatabase([]);
  sql = db.admin;
});
afterEach(() => db.drop());

const ORG = crypto.randomUUID();

async function review(project: string, told: string | null, commentUrl: string | null): Promise<void> {
  const id = Bun.randomUUIDv7();
  if (told !== null) {
    const subject = { kind: "analyze", change_request: { number: 12, url: told } };
    await sql`
      insert into analyzer.jobs (org_id, id, kind, subject) values (${ORG}, ${id}, 'analyze', ${sql.json(subject)})
    `;
  }
  await sql`
    insert into analyzer.reviews (org_id, repository, number, project, source, job_id, comment_url)
    values (${ORG}, 'acme/infra', 12, ${project}, 'vcs', ${id}, ${commentUrl})
  `;
}

test("0013 keeps what is known of merge requests, of the host that their plans or comments tell", async () => {
  await migrate(db.adminUrl, [await schemaBefore(SCHEMA, "0013")]);
  await review(
    "planned",
    "https://GitLab.example.com/acme/infra/-/merge_requests/12",
    "https://b.example.com/1",
  );
  await review("commented", null, "http://b.example.com:8080/acme/infra/-/merge_requests/12#note_1");
  await review("untold", null, null);
  await migrate(db.adminUrl, [SCHEMA]);
  const hosts = await sql`
    select project, host, comment_url is not null as commented from analyzer.hosted_reviews order by project
  `;
  expect([...hosts]).toEqual([
    { project: "commented", host: "b.example.com:8080", commented: true },
    { project: "planned", host: "gitlab.example.com", commented: true },
    { project: "untold", host: "", commented: false },
  ]);
});
