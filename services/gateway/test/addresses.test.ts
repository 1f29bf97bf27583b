import { afterAll, beforeAll, expect, test } from "bun:test";

import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase, type Database } from "@leeway/shared/database/database";
import { migrate, migrationFiles } from "@leeway/shared/database/migrate";
import { failureOf, testServers } from "@leeway/shared/testing";
import postgres, { type Sql } from "postgres";

import { SCHEMA } from "../src/schema.ts";
import { insertInvitation, listMembers } from "../src/store/members.ts";
import { insertOrganization } from "../src/store/organizations.ts";
import { signIn } from "../src/store/people.ts";

/** In Turkish the capital of `i` is another than `I`. */
const name = `turkish_${crypto.randomUUID().replaceAll("-", "")}`;
const servers = postgres(testServers().databaseUrl, { max: 1 });
const url = Object.assign(new URL(testServers().databaseUrl), { pathname: `/${name}` });
let admin: Sql;
let database: Database;

/** Two who were two as long as addresses were compared in Turkish, and one who is invited twice. */
const BEFORE = {
  org: crypto.randomUUID(),
  members: [
    { email: "ID@example.com", joined: true },
    { email: "id@example.com", joined: true },
    { email: "in@example.com", joined: false },
    { email: "IN@example.com", joined: false },
  ],
};

beforeAll(async () => {
  await servers.unsafe(
    `create database ${name} template template0 encoding 'utf8' locale_provider icu icu_locale 'tr' locale 'C.UTF-8'`,
  );
  await migrate(url.href, [{ ...SCHEMA, migrations: await until("0012") }], { gateway: "test" });
  admin = postgres(url.href, { max: 1 });
  for (const { email, joined } of BEFORE.members) {
    const id = Bun.randomUUIDv7();
    if (joined) await admin`insert into identity.people (id, issuer, subject) values (${id}, '', ${id})`;
    await admin`
      insert into identity.members (org_id, id, email, role, person_id)
      values (${BEFORE.org}, ${id}, ${email}, 'viewer', ${joined ? id : null})
    `;
  }
  await migrate(url.href, [SCHEMA]);
  const own = Object.assign(new URL(url), { username: "leeway_gateway", password: "test" });
  database = openDatabase({ url: own.href, service: "gateway" });
});
afterAll(async () => {
  await database.close();
  await admin.end();
  await servers.unsafe(`drop database ${name} with (force)`);
  await servers.end();
});

/** A folder with the migrations up to the one of this number. */
async function until(last: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "leeway-migrations-"));
  const files = await migrationFiles(SCHEMA.migrations);
  for (const file of files.filter((file) => file.slice(0, last.length) <= last))
    await cp(join(SCHEMA.migrations, file), join(folder, file));
  return folder;
}

function invite(email: string): Promise<string> {
  const orgId = crypto.randomUUID();
  return database.transaction(orgId, async (tx) => {
    await insertOrganization(tx, "Test");
    await insertInvitation(tx, { email, role: "viewer" });
    return orgId;
  });
}

async function organizationsOf(email: string): Promise<string[]> {
  const identity = { issuer: "", subject: email, email, emailVerified: true, name: undefined, expiresAt: 0 };
  return [...(await signIn(database, identity)).roles.keys()];
}

test("an address is the same in capitals, whatever the database's language", async () => {
  const orgId = await invite("INFO@EXAMPLE.COM");
  const again = database.transaction(orgId, (tx) =>
    insertInvitation(tx, { email: "info@example.com", role: "viewer" }),
  );
  expect(await failureOf(again)).toMatchObject({ code: "conflict" });
  expect(await organizationsOf("info@example.com")).toEqual([orgId]);
});

test("an address isn't another's by a letter that only looks like its", async () => {
  const orgId = await invite("kelvin@example.com");
  expect(await organizationsOf("\u212Aelvin@example.com")).toEqual([]);
  expect(await organizationsOf("Kelvin@example.com")).toEqual([orgId]);
});

test("members who were two in the database's language stay so, and who is invited twice is invited once", async () => {
  const members = await listMembers(database.org(BEFORE.org), { after: undefined, limit: 10 });
  expect(members.map(({ email }) => email)).toEqual(["ID@example.com", undefined, "in@example.com"]);
});
