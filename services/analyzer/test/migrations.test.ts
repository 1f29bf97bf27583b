import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { migrate } from "@leeway/shared/database/migrate";
import { testSchema, testServers } from "@leeway/shared/testing";
import postgres, { type Sql } from "postgres";

import { SCHEMA } from "../src/schema.ts";

let name: string;
let server: Sql;
let sql: Sql;
let url: string;

beforeEach(async () => {
  const { databaseUrl } = testServers();
  name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  server = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await server`create database ${server(name)}`;
  url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
  sql = postgres(url, { max: 1, onnotice: () => undefined });
});
afterEach(async () => {
  await sql.end();
  await server`drop database ${server(name)} with (force)`;
  await server.end();
});

/** Everything up to the migration before `first`. */
async function migrateUpTo(first: string): Promise<void> {
  const files = (await readdir(SCHEMA.migrations)).filter((file) => file < first);
  const texts = files.map(async (file) => [file, await Bun.file(join(SCHEMA.migrations, file)).text()]);
  await migrate(url, [await testSchema("analyzer", Object.fromEntries(await Promise.all(texts)))]);
}

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
  await migrateUpTo("0013");
  await review(
    "planned",
    "https://GitLab.example.com/acme/infra/-/merge_requests/12",
    "https://b.example.com/1",
  );
  await review("commented", null, "http://b.example.com:8080/acme/infra/-/merge_requests/12#note_1");
  await review("untold", null, null);
  await migrate(url, [SCHEMA]);
  const hosts = await sql`
    select project, host, comment_url is not null as commented from analyzer.hosted_reviews order by project
  `;
  expect([...hosts]).toEqual([
    { project: "commented", host: "b.example.com:8080", commented: true },
    { project: "planned", host: "gitlab.example.com", commented: true },
    { project: "untold", host: "", commented: false },
  ]);
});
