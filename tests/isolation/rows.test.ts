import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";

import { openTenantTables } from "@leeway/shared/database/migrate";
import { failureOf, testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";

import { undistributable } from "./distributable.ts";
import { SCHEMAS, startStack, type Stack } from "./stack.ts";
import { fillTenant, tenantTables, type Tenant } from "./tenant.ts";

/** Obstacles to distributing tables by organization. The list may only become shorter. */
const UNDISTRIBUTABLE = [
  // Keys of hashed secrets, which are found before their organization is known.
  "identity: unique index identity.api_key_secrets_pkey lacks org_id",
  "identity: unique index identity.ci_tokens_pkey lacks org_id",
  // They write only rows of the same organization, on the same worker. The last one stays until services of 0.1.0 are gone.
  "inventory: cloud_accounts has trigger doubt_counts",
  "inventory: drift_fingerprints has trigger note_decision",
  "analyzer: reviews has trigger host_review",
];

let stack: Stack;
let db: TestDatabase;
let mine: Tenant;
let theirs: Tenant;
let tables: string[];
/** A connection for each service's role. */
const roles = new Map<string, SQL>();

beforeAll(async () => {
  stack = await startStack();
  db = stack.db;
  mine = await fillTenant(stack, "canary-mine");
  theirs = await fillTenant(stack, "canary-theirs");
  tables = await tenantTables(db);
  for (const { name, service } of SCHEMAS) roles.set(name, new SQL(db.urlOf(service), { max: 1 }));
});
afterAll(async () => {
  await Promise.all([...roles.values()].map((sql) => sql.close()));
  await stack.stop();
});

/** Runs a statement as the role of the table's service, for the organization `orgId`. */
async function as(
  table: string,
  orgId: string | undefined,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const sql = roles.get(table.split(".")[0] ?? "");
  if (!sql) throw new Error(`nobody's table: ${table}`);
  return sql.begin(async (tx) => {
    if (orgId !== undefined) await tx`select set_config('app.org_id', ${orgId}, true)`;
    return tx.unsafe(statement);
  });
}

/** Returns the writable columns of a table. */
async function columnsOf(table: string): Promise<string> {
  const [row] = await db.admin<{ columns: string }[]>`
    select string_agg(quote_ident(attname), ', ' order by attnum) as columns
      from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
  `;
  return row?.columns ?? "";
}

test.each(SCHEMAS.map(({ name }) => name))(
  "the role of %s can't use another service's tables",
  async (name) => {
    const others = tables.filter((table) => !table.startsWith(`${name}.`));
    expect(others.length).toBeGreaterThan(5);
    for (const table of others) {
      const sql = roles.get(name);
      for (const statement of [`select count(*) from ${table}`, `delete from ${table}`]) {
        expect(String(await failureOf(sql!.unsafe(statement)))).toContain("permission denied");
      }
    }
  },
);

test("every tenant table has row-level security", async () => {
  for (const { name } of SCHEMAS) expect(await openTenantTables(db.admin, name)).toEqual([]);
});

test("every table is distributable by organization, or listed as local with a reason", async () => {
  const problems = await Promise.all(SCHEMAS.map((schema) => undistributable(db.admin, schema)));
  expect(problems.flat()).toEqual(UNDISTRIBUTABLE);
});

test("a table, key, reference, trigger, routine or view that can't be distributed is found", async () => {
  const schema = {
    name: "analyzer",
    service: "analyzer",
    migrations: "",
    local: { master_keys: "", gone: "" },
  };
  const broken = db.admin.begin(async (tx) => {
    await tx.unsafe(`
      create table analyzer.a (org_id uuid not null, id uuid primary key, unique (org_id, id));
      create table analyzer.b (id uuid references analyzer.a (id), org_id uuid not null, master text references analyzer.master_keys);
      create table analyzer.c (org_id uuid);
      alter table analyzer.b add foreign key (org_id, id) references analyzer.a (org_id, id) on delete set null;
      create trigger t after insert on analyzer.b for each row execute function analyzer.host_review();
      create function analyzer.f() returns void language sql as $$ delete from analyzer.a where ctid is null $$;
      create function analyzer.g() returns void language plpgsql as $$ begin perform from analyzer.a for update skip locked; end $$;
      create function analyzer.h(a analyzer.a) returns void language sql as $$ select $$;
      create function analyzer.i(i uuid) returns uuid language sql as $$ select id from analyzer.a where id = i $$;
      create view analyzer.v as
        select b.id from analyzer.a left join analyzer.b on b.org_id = a.org_id left join analyzer.c on c.org_id = b.org_id;`);
    throw new Error("found", { cause: await undistributable(tx, schema) });
  });
  expect(await failureOf(broken)).toMatchObject({
    cause: [
      "analyzer: b has neither a primary key nor a replica identity",
      "analyzer: b has trigger t",
      "analyzer: c has neither a primary key nor a replica identity",
      "analyzer: c has no org_id, and isn't listed as local",
      "analyzer: foreign key b_id_fkey of b doesn't connect org_id with org_id",
      "analyzer: foreign key b_master_fkey of b connects a local with a distributed table",
      "analyzer: foreign key b_org_id_id_fkey of b changes org_id",
      "analyzer: gone is listed as local, and doesn't exist",
      "analyzer: reviews has trigger host_review",
      "analyzer: routine f uses ctid",
      "analyzer: routine g locks rows across organizations",
      "analyzer: routine h takes rows of a",
      "analyzer: routine i is SQL with parameters",
      "analyzer: unique index analyzer.a_pkey lacks org_id",
      "analyzer: view v compares org_id with that of several tables",
    ],
  });
});

test("no role can bypass a table's policy through a partition", async () => {
  const open = await db.admin<{ name: string }[]>`
    select c.oid::regclass::text as name
      from pg_class c, pg_roles r
     where c.relispartition
       and c.relkind = 'r'
       and r.rolname = any (${SCHEMAS.map(({ service }) => `leeway_${service}`)})
       and has_table_privilege(r.oid, c.oid, 'select, insert, update, delete, truncate')
  `;
  expect(open).toHaveLength(0);
});

test("in every table a role sees only the rows of the organization that it names", async () => {
  for (const table of tables) {
    const rows = await as(table, mine.id, `select org_id from ${table}`);
    expect(rows.length, table).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row["org_id"])), table).toEqual(new Set([mine.id]));
  }
});

test("a role that names no organization sees no rows", async () => {
  for (const table of tables) {
    for (const statement of [
      `select from ${table}`,
      `delete from ${table}`,
      `update ${table} set org_id = org_id`,
    ]) {
      const rows = await as(table, undefined, statement).catch((error: unknown) => String(error));
      expect(rows, statement).toMatch(
        /unrecognized configuration parameter|invalid input syntax for type uuid/,
      );
    }
  }
});

test("a role can't change or remove another organization's rows", async () => {
  for (const table of tables) {
    const where = `where org_id = '${theirs.id}'`;
    const changed = await as(table, mine.id, `update ${table} set org_id = org_id ${where} returning 1`);
    const removed = await as(table, mine.id, `delete from ${table} ${where} returning 1`);
    expect([...changed, ...removed], table).toEqual([]);
    const [left] = await db.admin.unsafe(`select count(*)::integer as count from ${table} ${where}`);
    expect(left?.["count"], table).toBeGreaterThan(0);
  }
});

test("a role can't assign a row to another organization, new or moved", async () => {
  for (const table of tables) {
    const columns = await columnsOf(table);
    const [theirRow] = await db.admin.unsafe<{ row: string }[]>(
      `select to_jsonb(t)::text as row from ${table} t where org_id = '${theirs.id}' limit 1`,
    );
    const row = (theirRow?.row ?? "").replaceAll("'", "''");
    const statements = [
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, '${row}')`,
      `update ${table} set org_id = '${theirs.id}'`,
    ];
    for (const statement of statements) {
      expect(await failureOf(as(table, mine.id, statement)), statement).toMatchObject({
        message: expect.stringContaining("violates row-level security policy"),
      });
    }
  }
});

test("a view shows only the rows of the organization that the role names", async () => {
  const views = await db.admin<{ name: string }[]>`
    select oid::regclass::text as name
      from pg_class
     where relkind = 'v' and relnamespace::regnamespace::text = any (${SCHEMAS.map(({ name }) => name)})
  `;
  expect(views.length).toBeGreaterThan(0);
  for (const { name } of views) {
    const rows = await as(name, mine.id, `select org_id from ${name}`);
    expect(new Set(rows.map((row) => row["org_id"])), name).toEqual(new Set([mine.id]));
  }
});

describe("a service's role", () => {
  test.each(SCHEMAS.map(({ service, name }) => [service, name] as const))(
    "%s can't use other services' tables, owns nothing and can't bypass row-level security",
    async (service, own) => {
      const role = `leeway_${service}`;
      const [rights] =
        await db.admin`select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole from pg_roles where rolname = ${role}`;
      expect({ ...rights }).toEqual({
        rolsuper: false,
        rolbypassrls: false,
        rolcreatedb: false,
        rolcreaterole: false,
      });
      const owned = await db.admin`select relname from pg_class where relowner = ${role}::regrole`;
      expect([...owned]).toEqual([]);
      const reached = await db.admin<{ name: string }[]>`
        select distinct table_schema as name
          from information_schema.table_privileges
         where grantee in (${role}, 'PUBLIC') and table_schema not in ('pg_catalog', 'information_schema')
      `;
      expect(reached.map(({ name }) => name)).toEqual([own]);
    },
  );

  test("can run a function across organizations only with its own grant", async () => {
    const open = await db.admin<{ name: string }[]>`
      select p.oid::regprocedure::text as name
        from pg_proc p
       where p.prosecdef
         and p.pronamespace::regnamespace::text = any (${SCHEMAS.map(({ name }) => name)})
         and has_function_privilege('public', p.oid, 'execute')
    `;
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  test("can't trick the owner's functions: they search its temporary schema last", async () => {
    const making = `
      create function pg_temp.reveals(value pg_catalog.uuid) returns boolean language plpgsql
        as $$ begin raise exception 'run by %', current_user; end $$;
      create domain pg_temp.uuid as pg_catalog.uuid check (pg_temp.reveals(value));
      select inventory.lives_known_as('an id')`;
    await as("inventory.live_resources", mine.id, making);

    const others = await db.admin<{ name: string }[]>`
      select p.oid::regprocedure::text as name
        from pg_proc p
       where p.prosecdef
         and p.pronamespace::regnamespace::text = any (${SCHEMAS.map(({ name }) => name)})
         and not ('search_path=pg_catalog, pg_temp' = any (p.proconfig))
    `;
    expect(others.map(({ name }) => name)).toEqual([]);
  });
});

test("a fresh database of each service has no organization's rows", async () => {
  const fresh = await testDatabase(SCHEMAS);
  for (const table of await tenantTables(fresh)) {
    expect([...(await fresh.admin.unsafe(`select from ${table}`))]).toHaveLength(0);
  }
  await fresh.drop();
});
