import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { readdir } from "node:fs/promises";
import { join } from "node:path";

import postgres, { type Sql } from "postgres";

import { failureOf, testLog, testSchema, testServers } from "../testing/testing.ts";
import { awaitMigrations } from "./await-migrations.ts";
import { distribute } from "./distribute.ts";
import { checkServer, migrate, openTenantTables, type Schema } from "./migrate.ts";

const REPOSITORY = join(import.meta.dir, "../../../..");

const CREATE_THINGS = `
  create table drawer.things (org_id uuid not null, id int not null, primary key (org_id, id));
  call drawer.isolate('things');`;

let server: Sql;
const databases: string[] = [];

beforeAll(() => {
  server = postgres(testServers().databaseUrl, { max: 1, onnotice: () => undefined });
});

afterAll(async () => {
  for (const name of databases) await server`drop database ${server(name)} with (force)`;
  await server.end();
});

/** Creates an empty database and returns its URL. */
async function empty(): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await server`create database ${server(name)}`;
  databases.push(name);
  return urlOf(name);
}

function urlOf(name: string, user?: string): string {
  const url = new URL(testServers().databaseUrl);
  url.pathname = `/${name}`;
  if (user !== undefined) [url.username, url.password] = [user, "test"];
  return url.href;
}

async function query<T>(url: string, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Returns a random role name without digits, which our identifiers don't allow. */
function randomName(): string {
  return `r${crypto.randomUUID().replaceAll(/[^a-f]/g, "")}`;
}

const drawer = (files: Record<string, string>): Promise<Schema> => testSchema("drawer", files);

/** Returns the names of the applied migrations, in order. */
function applied(url: string): Promise<string[]> {
  return query(url, async (sql) => {
    const rows = await sql<{ name: string }[]>`select name from drawer.migrations order by name`;
    return rows.map(({ name }) => name);
  });
}

/** Returns the server's stored form of a role's password. */
async function passwordOf(role: string): Promise<unknown> {
  const [row] = await server`select rolpassword from pg_authid where rolname = ${role}`;
  return row?.["rolpassword"];
}

describe("migrations", () => {
  test("run once each when five processes start at the same time on an empty database", async () => {
    const url = await empty();
    const schema = await drawer({
      "0001_create_things.sql": CREATE_THINGS,
      "0002_fill_things.sql": `insert into drawer.things values (gen_random_uuid(), 1); select pg_sleep(0.2)`,
    });
    const program = `
      import { migrate } from ${JSON.stringify(join(import.meta.dir, "migrate.ts"))};
      console.log(await migrate(${JSON.stringify(url)}, [${JSON.stringify(schema)}], { drawer: "test" }));`;
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const child = Bun.spawn([process.execPath, "-e", program], { stderr: "pipe" });
        const [out, err] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
        ]);
        return { code: await child.exited, count: out.trim(), err };
      }),
    );
    expect(outcomes.map(({ code, err }) => ({ code, err }))).toEqual(
      Array.from({ length: 5 }, () => ({ code: 0, err: "" })),
    );
    expect(outcomes.map(({ count }) => count).toSorted()).toEqual(["0", "0", "0", "0", "2"]);
    const [row] = await query(url, (sql) => sql`select count(*)::int as things from drawer.things`);
    expect(row).toEqual({ things: 1 });
  });

  test("in several databases of one server may create the same role concurrently", async () => {
    const urls = await Promise.all(Array.from({ length: 4 }, empty));
    const name = randomName();
    const schema = { ...(await testSchema("drawer", {})), service: name };
    const counts = await Promise.all(urls.map((url) => migrate(url, [schema], { [name]: "test" })));
    expect(counts).toEqual([0, 0, 0, 0]);
    for (const url of urls) await query(url, (sql) => sql`drop owned by ${sql(`leeway_${name}`)}`);
    await server`drop role ${server(`leeway_${name}`)}`;
  });

  test("that fail leave nothing behind, and continue once corrected", async () => {
    const url = await empty();
    const first = { "0001_create_things.sql": CREATE_THINGS };
    const broken = await drawer({
      ...first,
      "0002_break.sql": "create table drawer.half (id int); select 1 / 0;",
      "0003_never.sql": "create table drawer.never (id int);",
    });
    expect(await failureOf(migrate(url, [broken]))).toMatchObject({
      message: "drawer/0002_break.sql: division by zero",
    });
    expect(await applied(url)).toEqual(["0001_create_things.sql"]);
    const [half] = await query(url, (sql) => sql`select to_regclass('drawer.half') as it`);
    expect(half).toEqual({ it: null });
    const mended = await drawer({ ...first, "0002_break.sql": "create table drawer.half (id int);" });
    expect(await migrate(url, [mended])).toBe(1);
  });

  test("refuse an old PostgreSQL, naming its version", () => {
    expect(() => checkServer("16.14 (Debian 16.14-1.pgdg12+1)")).toThrow("PostgreSQL 16.14 (Debian");
    for (const version of ["17.0", "18.4", "19beta1"]) checkServer(version);
  });

  test.each<[string, string, string]>([
    ["lacks the right to create roles", "", "permission denied to create role"],
    ["can't manage a role that another user created", "createrole", "permission denied to alter role"],
    ["doesn't own the database", "createrole", "permission denied for database"],
  ])("say which grant is missing for a user who %s", async (reason, right, said) => {
    const [name, role] = [randomName(), randomName()];
    const url = await empty();
    const database = new URL(url).pathname.slice(1);
    await server.unsafe(`create role ${name} login ${right} password 'test'`);
    if (!reason.includes("own")) await server.unsafe(`alter database ${database} owner to ${name}`);
    if (reason.includes("another")) await server.unsafe(`create role leeway_${role}`);
    const schema = { ...(await drawer({})), service: role };
    const failure = await failureOf(migrate(urlOf(database, name), [schema], { [role]: "test" }));
    const advice = `createrole.*grant leeway_${role} to … with admin option`;
    expect(failure).toMatchObject({ message: expect.stringMatching(new RegExp(`^${said}.*${advice}`)) });
    await server.unsafe(`alter database ${database} owner to current_user`);
    await server.unsafe(`drop role if exists leeway_${role}; drop owned by ${name}; drop role ${name}`);
  });

  test("ignore the database's statement timeout", async () => {
    const url = await empty();
    const database = new URL(url).pathname.slice(1);
    await server.unsafe(`alter database ${database} set statement_timeout = '100ms'`);
    const schema = await drawer({ "0001_take_long.sql": "do $$ begin perform pg_sleep(0.3); end $$" });
    expect(await migrate(url, [schema])).toBe(1);
  });

  test("end on the server when their process is killed, and run again next time", async () => {
    const url = await empty();
    const slow = await drawer({ "0001_take_long.sql": "do $$ begin perform pg_sleep(60); end $$" });
    const program = `import { migrate } from "${import.meta.dir}/migrate.ts"; await migrate(Bun.env.URL, [${JSON.stringify(slow)}]);`;
    const child = Bun.spawn([process.execPath, "-e", program], { env: { ...Bun.env, URL: url } });
    const running = () =>
      query(
        url,
        (sql) =>
          sql`select from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()`,
      );
    while ((await running()).length === 0) await Bun.sleep(20);
    child.kill("SIGKILL");
    const quick = await drawer({ "0001_take_long.sql": "create table drawer.done ()" });
    expect(await migrate(url, [quick])).toBe(1);
    expect(await applied(url)).toEqual(["0001_take_long.sql"]);
  }, 20_000);

  test("run in order of their names, which must have the right form", async () => {
    const url = await empty();
    const schema = await drawer({
      "0010_drop_b.sql": "drop table drawer.b",
      "0009_rename_a.sql": "alter table drawer.a rename to b",
      "0001_create_a.sql": "create table drawer.a (id int)",
    });
    expect(await migrate(url, [schema])).toBe(3);
    const wrong = await drawer({ "1_a.sql": "" });
    expect(await failureOf(migrate(url, [wrong]))).toMatchObject({
      message: expect.stringContaining("1_a.sql isn't a valid migration name; use NNNN_verb_what.sql"),
    });
  });

  test.each([
    ["a table", "create table drawer.open (org_id uuid, id int)"],
    ["a view", `${CREATE_THINGS} create view drawer.open as select org_id, id from drawer.things`],
    ["a copy", `${CREATE_THINGS} create materialized view drawer.open as select org_id from drawer.things`],
  ])("that leave %s with tenant data unprotected are refused", async (_, statements) => {
    const url = await empty();
    const schema = await drawer({ "0001_create_open.sql": statements });
    expect(await failureOf(migrate(url, [schema]))).toMatchObject({
      message: expect.stringContaining(
        "0001_create_open.sql: the tenant table drawer.open has no row-level security",
      ),
    });
    expect(await applied(url)).toEqual([]);
  });

  test("may create security_invoker views and partitions", async () => {
    const url = await empty();
    const schema = await drawer({
      "0001_create_things.sql": `
        create table drawer.things (org_id uuid not null, day date not null) partition by range (day);
        create table drawer.things_2026 partition of drawer.things for values from ('2026-01-01') to ('2027-01-01');
        call drawer.isolate('things');
        create view drawer.seen with (security_invoker = true) as select org_id, day from drawer.things;`,
    });
    expect(await migrate(url, [schema])).toBe(1);
  });

  test("give way to statements on a table and try again", async () => {
    const url = await empty();
    const files = { "0001_create_things.sql": CREATE_THINGS };
    await migrate(url, [await drawer(files)]);
    const schema = await drawer({ ...files, "0002_widen.sql": "alter table drawer.things add column a int" });
    const holder = postgres(url, { max: 1 });
    const held = holder.begin(async (tx) => {
      await tx`select 1 from drawer.things`;
      await Bun.sleep(2_000);
    });
    await Bun.sleep(50);
    const migrated = migrate(url, [schema]);
    await Bun.sleep(200);
    // This query queues behind the migration's lock, and runs when the migration releases it to retry.
    await query(url, (sql) => sql`select 1 from drawer.things`);
    expect(await applied(url)).toEqual(["0001_create_things.sql"]);
    await held;
    expect(await migrated).toBe(1);
    await holder.end();
  });
});

/** Returns a file with a function that returns `value`. */
function answer(value: number): string {
  return `create or replace function drawer.answer() returns int language sql as 'select ${value}'`;
}

async function answerIn(url: string): Promise<unknown> {
  const [row] = await query(url, (sql) => sql<{ answer: number }[]>`select drawer.answer()`);
  return row?.answer;
}

describe("repeatable files", () => {
  const numbered = { "0001_create_things.sql": CREATE_THINGS };
  test("run once for each of their texts, also for one from before", async () => {
    const url = await empty();
    const [first, second] = await Promise.all(
      [1, 2].map((value) =>
        drawer({ ...numbered, "repeatable/answer.sql": answer(value), "repeatable/other.sql": "select 1" }),
      ),
    );
    const counts: number[] = [];
    for (const schema of [first, first, second, first, first]) {
      if (schema) counts.push(await migrate(url, [schema]));
    }
    expect(counts).toEqual([3, 0, 1, 1, 0]);
    expect(await answerIn(url)).toBe(1);
  });

  test("run again after a migration, which may have dropped what they create", async () => {
    const url = await empty();
    const repeatable = { "repeatable/answer.sql": answer(1) };
    await migrate(url, [await drawer({ ...numbered, ...repeatable })]);
    const dropping = { ...numbered, "0002_drop_answer.sql": "drop function drawer.answer", ...repeatable };
    expect(await migrate(url, [await drawer(dropping)])).toBe(2);
    expect(await answerIn(url)).toBe(1);
  });

  test("change nothing if one of them fails, which the error names", async () => {
    const url = await empty();
    await migrate(url, [await drawer({ ...numbered, "repeatable/answer.sql": answer(1) })]);
    const broken = await drawer({
      ...numbered,
      "repeatable/answer.sql": answer(2),
      "repeatable/broken.sql": "select 1 / 0",
    });
    expect(await failureOf(migrate(url, [broken]))).toMatchObject({
      message: "drawer/repeatable/broken.sql: division by zero",
    });
    expect(await answerIn(url)).toBe(1);
  });

  test("give no role the right to run a function unless they grant it", async () => {
    const url = await empty();
    const other = answer(2).replace("answer", "other");
    const grant = "grant execute on function drawer.other to leeway_drawer";
    await migrate(
      url,
      [await drawer({ ...numbered, "repeatable/answers.sql": `${answer(1)}; ${other}; ${grant}` })],
      { drawer: "test" },
    );
    await query(urlOf(new URL(url).pathname.slice(1), "leeway_drawer"), async (sql) => {
      expect(await failureOf(sql`select drawer.answer()`.execute())).toMatchObject({ code: "42501" });
      expect([...(await sql`select drawer.other()`)]).toEqual([{ other: 2 }]);
    });
  });

  test("keep a service waiting until its own text has been applied, not necessarily last", async () => {
    const url = await empty();
    const log = testLog();
    const older = await drawer({ ...numbered, "repeatable/answer.sql": answer(1) });
    const newer = await drawer({ ...numbered, "repeatable/answer.sql": answer(2) });
    await migrate(url, [older]);
    expect(await failureOf(awaitMigrations(url, newer, { log, patienceMs: 300 }))).toMatchObject({
      message: expect.stringContaining("needs the migration repeatable/answer.sql"),
    });
    await migrate(url, [newer]);
    for (const schema of [older, newer]) await awaitMigrations(url, schema, { log, patienceMs: 300 });
  });
});

describe("a service's role", () => {
  let asDrawer: Sql;

  beforeAll(async () => {
    const url = await empty();
    const other = await testSchema("attic", { "0001_create_secrets.sql": "create table attic.secrets ()" });
    await migrate(url, [await drawer({ "0001_create_things.sql": CREATE_THINGS }), other], {
      drawer: "test",
      attic: "test",
    });
    asDrawer = postgres(urlOf(new URL(url).pathname.slice(1), "leeway_drawer"), { max: 1 });
  });

  afterAll(() => asDrawer.end());

  test.each([
    ["read another schema", "select 1 from attic.secrets"],
    ["read another schema's migrations", "select 1 from attic.migrations"],
    ["create a table in its own schema", "create table drawer.mine (id int)"],
    ["create a table in the public schema", "create table public.mine (id int)"],
    ["create a schema", "create schema mine"],
    ["create a function", "create function drawer.f() returns int language sql as 'select 1'"],
    ["disable row-level security", "alter table drawer.things disable row level security"],
    ["add a policy", "create policy mine on drawer.things using (true)"],
    ["drop a table", "drop table drawer.things"],
    ["truncate a table", "truncate drawer.things"],
    ["isolate", "call drawer.isolate('things')"],
    ["write to the list of migrations", "insert into drawer.migrations values ('x')"],
    ["become another role", "set role leeway_attic"],
    ["read passwords", "select rolpassword from pg_authid"],
    ["read files", "select pg_read_file('/etc/passwd')"],
  ])("can't %s", async (_, statement) => {
    expect(await failureOf(asDrawer.unsafe(statement))).toMatchObject({ code: "42501" });
  });

  test("can't avoid row-level security", async () => {
    const [role] = await asDrawer`
      select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
        from pg_roles where rolname = current_user`;
    expect(Object.values(role ?? {})).toEqual([false, false, false, false, false]);
    await asDrawer`set row_security = off`;
    expect(await failureOf(asDrawer`select 1 from drawer.things`.execute())).toMatchObject({ code: "42501" });
  });

  test("owns nothing", async () => {
    const owned = await server`
      select 1 from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = 'leeway_drawer'`;
    expect(owned).toHaveLength(0);
  });

  test("has its password stored as a SCRAM verifier with a new salt each time", async () => {
    const before = await passwordOf("leeway_drawer");
    expect(before).toMatch(/^SCRAM-SHA-256\$4096:[\w+/]{22}==\$[\w+/]{43}=:[\w+/]{43}=$/);
    await migrate(await empty(), [await drawer({})], { drawer: "test" });
    expect(await passwordOf("leeway_drawer")).not.toBe(before);
  });
});

test("a migration's statements run one by one, whatever their texts contain", async () => {
  const url = await empty();
  const schema = await drawer({
    "0001_create_things.sql": `
      -- One; two
      create table drawer.texts (text text); /* three; */
      insert into drawer.texts values ('a;''b'), ($$c;'d$$), ($x$e;$$f$x$);
      create function drawer.g() returns text language sql as $$ select 'h;'; $$;
      insert into drawer.texts select drawer.g() -- i;`,
  });
  await migrate(url, [schema]);
  const rows = await query(url, (sql) => sql`select text from drawer.texts`);
  expect(rows.map((row) => row["text"])).toEqual(["a;'b", "c;'d", "e;$$f", "h;"]);
});

test("distributing the tables of a server without Citus fails, and says what is missing", async () => {
  const url = await empty();
  const schema = await drawer({ "0001_create_things.sql": CREATE_THINGS });
  await migrate(url, [schema]);
  expect(String(await failureOf(distribute(url, [schema])))).toContain("has no extension citus: install it");
});

describe("a starting service", () => {
  const log = testLog();

  test("waits for its migrations", async () => {
    const url = await empty();
    const schema = await drawer({ "0001_create_things.sql": CREATE_THINGS });
    const waited = awaitMigrations(url, schema, { log });
    await Bun.sleep(100);
    await migrate(url, [schema]);
    expect(await waited).toBe(false);
  });

  test("logs at intervals which migration is missing", async () => {
    const schema = await drawer({ "0001_create_things.sql": CREATE_THINGS });
    const said: unknown[] = [];
    const warn = (what: object, message: string) => void said.push({ ...what, message });
    await failureOf(
      awaitMigrations(await empty(), schema, { log: { warn }, patienceMs: 700, logEveryMs: 300 }),
    );
    expect(said.length).toBeGreaterThan(1);
    expect(said.length).toBeLessThan(4);
    expect(said[0]).toEqual({ migration: "0001_create_things.sql", message: "waiting for migrations" });
  });

  test("logs another reason for the failure at once", async () => {
    const said: unknown[] = [];
    const warn = (what: object) => void said.push(what);
    const schema = await drawer({ "0001_create_things.sql": CREATE_THINGS });
    const url = `${await empty()}?sslrootcert=authority.pem`;
    await failureOf(awaitMigrations(url, schema, { log: { warn }, patienceMs: 700 }));
    const message = 'unrecognized configuration parameter "sslrootcert"';
    expect(said[0]).toMatchObject({ migration: "0001_create_things.sql", error: { message } });
  });

  test("reports the missing migration, or why it can't be determined", async () => {
    const url = await empty();
    const schema = await drawer({ "0001_create_things.sql": CREATE_THINGS });
    expect(await failureOf(awaitMigrations(url, schema, { log, patienceMs: 300 }))).toMatchObject({
      message: expect.stringContaining(
        'schema drawer needs the migration 0001_create_things.sql; run migrations (relation "drawer.migrations" does not exist)',
      ),
    });
    await migrate(url, [schema]);
    const newer = await drawer({ "0001_create_things.sql": CREATE_THINGS, "0002_more.sql": "" });
    expect(await failureOf(awaitMigrations(url, newer, { log, patienceMs: 300 }))).toMatchObject({
      message: expect.stringContaining("needs the migration 0002_more.sql"),
    });
  });
});

test("every tenant table of every service is protected", async () => {
  const services = await readdir(join(REPOSITORY, "services"));
  const schemas: Schema[] = [];
  for (const service of services) {
    const file = join(REPOSITORY, "services", service, "src/schema.ts");
    if (!(await Bun.file(file).exists())) continue;
    const module: { SCHEMA: Schema } = await import(file);
    schemas.push(module.SCHEMA);
  }
  expect(schemas.length).toBeGreaterThan(0);
  const url = await empty();
  await migrate(url, schemas);
  await query(url, async (sql) => {
    for (const { name } of schemas) expect(await openTenantTables(sql, name)).toEqual([]);
    // Proves that the check finds an open table.
    const name = schemas[0]?.name ?? "";
    await sql.unsafe(`create table ${name}.left_open (org_id uuid)`);
    expect(await openTenantTables(sql, name)).toEqual([`${name}.left_open`]);
  });
});
