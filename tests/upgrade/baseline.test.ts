import { afterAll, beforeAll, expect, test } from "bun:test";

import { migrate, type Schema } from "@leeway/shared/database/migrate";
import { readMigrations } from "@leeway/shared/database/migration-files";
import { failureOf, testDatabase, testSchema, type TestDatabase } from "@leeway/shared/testing/testing";
import { pipeline } from "node:stream/promises";

import { migrationsOf, tablesOf, type Table } from "../../scripts/backup-tables.ts";
import { SCHEMAS, startStack, type Stack } from "../isolation/stack.ts";
import { fillTenant } from "../isolation/tenant.ts";
import { catalogOf } from "./catalog.ts";

const TEST_MS = 60_000;
/** Migrations of commit 08db2622, the last ones before the baselines, by service and file. */
const BEFORE: Record<string, Record<string, string>> = JSON.parse(
  new TextDecoder().decode(
    Bun.zstdDecompressSync(await Bun.file(`${import.meta.dir}/before-baselines.json.zst`).bytes()),
  ),
);

/** Returns a schema with its migrations of before the baselines, without the last `missing` ones. */
async function before({ name, service }: Schema, missing = 0): Promise<Schema> {
  const files = BEFORE[service] ?? {};
  const names = Object.keys(files).toSorted();
  const kept = names.slice(0, names.length - missing).map((file) => [file, files[file] ?? ""] as const);
  const schema = await testSchema(name, Object.fromEntries(kept));
  return { ...schema, service };
}

let stack: Stack;
/** A database of before the baselines, with the rows of the stack's two organizations. */
let old: TestDatabase;
/** Its tables and columns. */
let tables: Table[];

beforeAll(async () => {
  stack = await startStack();
  await fillTenant(stack, "canary-one");
  await fillTenant(stack, "canary-two");
  old = await testDatabase(await Promise.all(SCHEMAS.map((schema) => before(schema))));
  await stack.db.admin.begin("isolation level repeatable read", (from) =>
    old.admin.begin(async (to) => {
      await to`set local session_replication_role = replica`; // no triggers: the rows come as they are
      tables = await tablesOf(to);
      for (const { name, columns } of tables) {
        const rows = await from`copy (select ${from(columns)} from ${from(name)}) to stdout`.readable();
        await pipeline(rows, await to`copy ${to(name)} (${to(columns)}) from stdin`.writable());
      }
    }),
  );
}, TEST_MS);

afterAll(async () => {
  await old.drop();
  await stack.stop();
});

/** Returns every row of the older tables as text, sorted. Columns that were added later are left out. */
async function rowsOf({ admin }: TestDatabase): Promise<string[]> {
  const rows: string[] = [];
  for (const { name, columns } of tables) {
    const found = await admin<{ row: string }[]>`
      select to_jsonb(t)::text as row from (select ${admin(columns)} from ${admin(name)}) t
    `;
    rows.push(...found.map(({ row }) => `${name} ${row}`));
  }
  return rows.toSorted();
}

test(
  "a database of before the baselines becomes equal to a new one, and keeps its rows",
  async () => {
    const rows = await rowsOf(old);
    expect(rows.length).toBeGreaterThan(100);
    expect(await migrate(old.adminUrl, SCHEMAS)).toBeGreaterThan(0);
    for (const { name } of SCHEMAS)
      expect(await catalogOf(old.admin, name), name).toEqual(await catalogOf(stack.db.admin, name));
    expect(await rowsOf(old)).toEqual(rows);
    expect(await migrationsOf(old.admin)).toEqual(await migrationsOf(stack.db.admin));
    expect(await migrate(old.adminUrl, SCHEMAS)).toBe(0);
  },
  TEST_MS,
);

test.each(SCHEMAS.map((schema) => [schema.name, schema] as const))(
  "a database with an earlier version of %s is refused, naming the version to upgrade to first",
  async (name, schema) => {
    const earlier = await before(schema, 1);
    const db = await testDatabase([earlier]);
    const catalog = await catalogOf(db.admin, name);
    const { numbered } = await readMigrations(earlier.migrations);
    expect(await failureOf(migrate(db.adminUrl, [schema]))).toMatchObject({
      message: `${name} is at ${numbered.at(-1)?.name}; run the migrations of commit 08db2622 first`,
    });
    expect(await catalogOf(db.admin, name)).toEqual(catalog);
    await db.drop();
  },
);

/** Returns the names of the functions and views that files create. */
function created(files: readonly { statements: string }[]): string[] {
  const found = files.map(({ statements }) =>
    statements.matchAll(/^create (?:or replace )?(?:function|view) ([\w.]+)/gm),
  );
  return found.flatMap((matches) => [...matches].map(([, name = ""]) => name)).toSorted();
}

test("every function has one current text, in a repeatable file or beside the index or policy that uses it", async () => {
  for (const { name, migrations } of SCHEMAS) {
    const { numbered, repeatable } = await readMigrations(migrations);
    const used = await stack.db.admin<{ name: string }[]>`
      select distinct p.oid::regproc::text as name
        from pg_proc p
        join pg_depend d on d.refobjid = p.oid and d.refclassid = 'pg_proc'::regclass
       where p.pronamespace = ${name}::regnamespace
         and d.classid in ('pg_class'::regclass, 'pg_policy'::regclass)
    `;
    expect(created(numbered), name).toEqual(used.map((one) => one.name).toSorted());
    const all = await stack.db.admin<{ name: string }[]>`
      select oid::regproc::text as name from pg_proc where pronamespace = ${name}::regnamespace and prokind = 'f'
      union all
      select oid::regclass::text from pg_class where relnamespace = ${name}::regnamespace and relkind = 'v'
    `;
    expect(created([...numbered, ...repeatable]), name).toEqual(all.map((one) => one.name).toSorted());
  }
});
