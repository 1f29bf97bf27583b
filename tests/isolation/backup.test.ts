import { afterAll, beforeAll, expect, test } from "bun:test";

import { migrate } from "@leeway/shared/database/migrate";
import { testDatabase } from "@leeway/shared/testing/testing";
import { join } from "node:path";
import postgres from "postgres";

import { startPostgres, type Server } from "../chaos/servers.ts";
import { SCHEMAS, startStack, type Stack } from "./stack.ts";
import { fillTenant, type Tenant } from "./tenant.ts";

const TEST_MS = 60_000;
const READ = ["posture", "resources", "iac-resources", "scans", "webhooks", "plan-noise"];
/** A value that could be mistaken for the end of a row. */
const ODD = "E'of \\u2028 many\\r\\nlines\\t\\\\.\\n\\\\.'";

let stack: Stack;
let tenant: Tenant;
let backup: Uint8Array;
let machine: Server;

beforeAll(async () => {
  stack = await startStack();
  tenant = await fillTenant(stack, "canary-backup");
  // An old delivery, in a partition that a new database doesn't have.
  await stack.db.admin.unsafe(`
    create table webhooks.deliveries_19700101 partition of webhooks.deliveries
      for values from ('00000000-0000-0000-0000-000000000000') to ('00000000-0000-0000-0000-0000000000ff');
    insert into webhooks.deliveries (org_id, id, config_id, source, body_sha256, size, outcome, reason)
    select id, '00000000-0000-0000-0000-000000000001', id, 'vcs', '', 1, 'failed', ${ODD}
      from gen_random_uuid() id
  `);
  // A change that was resolved in a month without a partition in a new database. Its bounds are timestamps.
  await stack.db.admin.unsafe(`
    create table inventory.drift_changes_197001 partition of inventory.drift_changes
      for values from ('1970-01-01 00:00:00+00') to ('1970-02-01 00:00:00+00');
    insert into inventory.drift_changes (org_id, id, cloud_account_id, fingerprint, kind, risk_level, hidden, content,
                                         content_hash, from_number, until_number, gone_at)
    select id, id, id, 'dc1_', 'missing', 'low', false, '{}', '', 1, 2, '1970-01-02' from gen_random_uuid() id
  `);
  machine = await startPostgres();
}, TEST_MS);

afterAll(async () => {
  await stack.stop();
  await machine.remove();
}, TEST_MS);

/** Runs an operator's script. */
async function run(
  script: string,
  databaseUrl: string,
  stdin: Uint8Array = new Uint8Array(),
): Promise<{ code: number; out: Uint8Array; err: string }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `../../scripts/${script}.ts`)], {
    env: { PATH: process.env["PATH"], DATABASE_URL: databaseUrl },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

/** Returns the lines of a backup, sorted, without the first, which has the time. */
function contentOf(zipped: Uint8Array): string[] {
  const lines = Buffer.from(Bun.gunzipSync(Buffer.from(zipped)))
    .toString("utf8")
    .split("\n");
  return lines.slice(1).toSorted();
}

/** Returns a copy with different bytes in the middle. */
function damaged(zipped: Uint8Array): Uint8Array {
  const copy = zipped.slice();
  copy.fill(0xff, copy.length >> 1, (copy.length >> 1) + 50);
  return copy;
}

async function read({ ask }: Stack): Promise<unknown[]> {
  const path = `/api/v2/orgs/${tenant.id}`;
  const answers = await Promise.all(READ.map((below) => ask("GET", `${path}/${below}`, { as: tenant.key })));
  return answers.map(({ status, body }) => ({ status, body }));
}

test(
  "a backup runs while the services work and contains no secret",
  async () => {
    const { code, out, err } = await run("backup", stack.db.adminUrl);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    backup = out;
    const text = contentOf(backup).join("\n");
    expect(text).toContain("canary-backup");
    expect(text).not.toContain("canary-backup-model-key");
    expect(text).not.toContain(tenant.key);
  },
  TEST_MS,
);

test(
  "restored on an empty machine it is identical and serves the same posture",
  async () => {
    const before = await read(stack);
    const db = await testDatabase(SCHEMAS, { databaseUrl: machine.url });
    const { code, out, err } = await run("restore", db.adminUrl, backup);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(Buffer.from(out).toString()).toMatch(/^[1-9]\d+ rows of 20/);
    expect(contentOf((await run("backup", db.adminUrl)).out)).toEqual(contentOf(backup));
    const there = await startStack({ db });
    expect(await read(there)).toEqual(before);
    await there.stop();
  },
  TEST_MS,
);

test(
  "a backup is independent of its database's settings for times and bytes",
  async () => {
    const db = await testDatabase(SCHEMAS, { databaseUrl: machine.url });
    expect(await run("restore", db.adminUrl, backup)).toMatchObject({ code: 0, err: "" });
    const name = new URL(db.adminUrl).pathname.slice(1);
    const settings = {
      datestyle: "SQL, DMY",
      timezone: "Asia/Tokyo",
      bytea_output: "escape",
      extra_float_digits: "0",
    };
    for (const [setting, value] of Object.entries(settings))
      await db.admin.unsafe(`alter database ${name} set ${setting} = '${value}'`);
    expect(contentOf((await run("backup", db.adminUrl)).out)).toEqual(contentOf(backup));
    await db.drop();
  },
  TEST_MS,
);

test(
  "backup and restore ignore the database's statement timeout",
  async () => {
    const db = await testDatabase(SCHEMAS);
    const name = new URL(db.adminUrl).pathname.slice(1);
    await db.admin.unsafe(`alter database ${name} set statement_timeout = '1ms'`);
    expect(await run("restore", db.adminUrl, backup)).toMatchObject({ code: 0, err: "" });
    expect(contentOf((await run("backup", db.adminUrl)).out)).toEqual(contentOf(backup));
    await db.drop();
  },
  TEST_MS,
);

test(
  "an owner without superuser rights can restore it, and row-level security is on again",
  async () => {
    const admin = postgres(machine.url, { max: 1 });
    await admin`create role plain_owner login createrole password 'test'`;
    await admin`create database plain owner plain_owner`;
    await admin.end();
    const url = Object.assign(new URL(machine.url), {
      username: "plain_owner",
      password: "test",
      pathname: "/plain",
    }).href;
    await migrate(url, SCHEMAS);
    const sql = postgres(url, { max: 1 });
    const forced = () =>
      sql`select oid::regclass::text as name from pg_class where relforcerowsecurity order by name`;
    const before = await forced();
    expect(before.length).toBeGreaterThan(0);
    expect(await run("restore", url, backup)).toMatchObject({ code: 0, err: "" });
    expect(contentOf((await run("backup", url)).out)).toEqual(contentOf(backup));
    expect(await forced()).toEqual(before);
    await sql.end();
  },
  TEST_MS,
);

test(
  "a restore contains no sessions and sign-in links, because people may have signed out or used them since",
  async () => {
    await stack.db.admin`
      insert into identity.sign_in_links (token_hash, person_id, expires_at)
      select '\\x00', id, now() + interval '12 hours' from identity.people limit 1
    `;
    await stack.db.admin`
      insert into identity.sessions (token_hash, person_id, expires_at)
      select '\\x00', id, now() + interval '12 hours' from identity.people limit 1
    `;
    const taken = await run("backup", stack.db.adminUrl);
    const db = await testDatabase(SCHEMAS);
    expect(await run("restore", db.adminUrl, taken.out)).toMatchObject({ code: 0, err: "" });
    expect(await stack.db.admin`select from identity.sessions`).toHaveLength(1);
    expect(await db.admin`select from identity.sessions`).toHaveLength(0);
    expect(await db.admin`select from identity.sign_in_links`).toHaveLength(0);
    expect(await db.admin`select from identity.people`).not.toHaveLength(0);
    await db.drop();
  },
  TEST_MS,
);

test(
  "a backup that can't be restored changes nothing, and the error says why",
  async () => {
    const db = await testDatabase(SCHEMAS);
    const head = { leeway_backup: 1, taken_at: "", migrations: [] };
    const other = Bun.gzipSync(`${JSON.stringify(head)}\n`);
    const cuts = [0, 5, 20, 200, backup.length >> 1, backup.length - 100, backup.length - 1];
    const refusals: [Uint8Array, string][] = [
      [other, "the backup is of another release: restore it with that one, and upgrade then"],
      [Bun.gzipSync("{}\n"), "this is no backup of Leeway"],
      [Bun.gzipSync("no JSON\n"), "this is no backup of Leeway"],
      [Buffer.from("no gzip at all"), "this is no backup of Leeway"],
      [damaged(backup), "the backup is damaged"],
      ...cuts.map((end): [Uint8Array, string] => [backup.subarray(0, end), "the backup breaks off"]),
    ];
    for (const [given, reason] of refusals)
      expect(await run("restore", db.adminUrl, given)).toMatchObject({ code: 1, err: `${reason}\n` });
    await db.admin`insert into identity.people (id, issuer, subject) values (${crypto.randomUUID()}, 'i', 's')`;
    const { err } = await run("restore", db.adminUrl, backup);
    expect(err).toContain("identity.people isn't empty");
    expect(await db.admin`select from inventory.cloud_accounts`).toHaveLength(0);
    await db.drop();
  },
  TEST_MS,
);

test.each(["backup", "restore"])(
  "a %s of a database without migrations says so",
  async (script) => {
    const db = await testDatabase([]);
    const { code, err } = await run(script, db.adminUrl, backup);
    expect({ code, err }).toEqual({ code: 1, err: "the database isn't migrated: run migrations first\n" });
    await db.drop();
  },
  TEST_MS,
);
