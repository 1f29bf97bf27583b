import { afterAll, beforeAll, expect, test } from "bun:test";

import { openDatabase, type Database } from "@leeway/shared/database/database";
import { migrate } from "@leeway/shared/database/migrate";
import { failureOf, testServers } from "@leeway/shared/testing/testing";
import postgres from "postgres";

import { SCHEMA } from "../src/schema.ts";
import { insertInvitation } from "../src/auth/store/members.ts";
import { insertOrganization } from "../src/organizations/store.ts";
import { signIn } from "../src/auth/store/people.ts";

/** In Turkish the capital of `i` isn't `I`. */
const name = `turkish_${crypto.randomUUID().replaceAll("-", "")}`;
const servers = postgres(testServers().databaseUrl, { max: 1 });
const url = Object.assign(new URL(testServers().databaseUrl), { pathname: `/${name}` });
let database: Database;

beforeAll(async () => {
  await servers.unsafe(
    `create database ${name} template template0 encoding 'utf8' locale_provider icu icu_locale 'tr' locale 'C.UTF-8'`,
  );
  await migrate(url.href, [SCHEMA], { gateway: "test" });
  const own = Object.assign(new URL(url), { username: "leeway_gateway", password: "test" });
  database = openDatabase({ url: own.href, service: "gateway" });
});
afterAll(async () => {
  await database.close();
  await servers.unsafe(`drop database ${name} with (force)`);
  await servers.end();
});

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

test("addresses are compared without case in every database locale", async () => {
  const orgId = await invite("INFO@EXAMPLE.COM");
  const again = database.transaction(orgId, (tx) =>
    insertInvitation(tx, { email: "info@example.com", role: "viewer" }),
  );
  expect(await failureOf(again)).toMatchObject({ code: "conflict" });
  expect(await organizationsOf("info@example.com")).toEqual([orgId]);
});

test("an address with a look-alike character is a different address", async () => {
  const orgId = await invite("kelvin@example.com");
  expect(await organizationsOf("\u212Aelvin@example.com")).toEqual([]);
  expect(await organizationsOf("Kelvin@example.com")).toEqual([orgId]);
});
