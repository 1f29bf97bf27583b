import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";

import { openTenantTables } from "@leeway/shared/database/migrate";
import { failureOf, testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";

import { SCHEMAS, startStack, type Stack } from "./stack.ts";
import { fillTenant, tenantTables, type Tenant } from "./tenant.ts";

/** Tables without data of an organization. */
const SHARED = [
  "identity.ci_exchanges",
  "identity.foundings",
  "identity.people",
  "identity.rate_windows",
  "identity.sessions",
  "identity.sign_in_links",
  "inventory.signing_keys",
  "quota.plans",
  "webhooks.confirmations_sent",
  ...SCHEMAS.flatMap(({ name }) => [`${name}.migrations`, `${name}.master_keys`]),
];

/** Keys of hashed secrets, which are found before their organization is known. */
const LOOKUPS = ["identity.api_key_secrets_pkey", "identity.ci_tokens_pkey"];

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

test("every table is an organization's, or listed as one without tenant data", async () => {
  const all = await db.admin<{ name: string }[]>`
    select c.oid::regclass::text as name
      from pg_class c
     where c.relkind in ('r', 'p', 'm', 'f')
       and not c.relispartition
       and c.relnamespace::regnamespace::text = any (${SCHEMAS.map(({ name }) => name)})
  `;
  const known = [...tables, ...SHARED];
  expect(all.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  for (const { name } of SCHEMAS) expect(await openTenantTables(db.admin, name)).toEqual([]);
});

test("keys and references of an organization's rows contain the organization", async () => {
  const keys = await db.admin<{ name: string }[]>`
    select i.indexrelid::regclass::text as name
      from pg_index i
     where i.indisunique
       and i.indrelid::regclass::text = any (${tables})
       and not exists (
         select 1 from pg_attribute a
          where a.attrelid = i.indrelid and a.attnum = any (i.indkey) and a.attname = 'org_id'
       )
  `;
  expect(keys.map(({ name }) => name).toSorted()).toEqual(LOOKUPS);
  const references = await db.admin<{ definition: string }[]>`
    select pg_get_constraintdef(c.oid) as definition
      from pg_constraint c
     where c.contype = 'f'
       and c.conrelid::regclass::text = any (${tables})
       and c.confrelid::regclass::text = any (${tables})
  `;
  expect(references.length).toBeGreaterThan(10);
  for (const { definition } of references)
    expect(definition).toMatch(/^FOREIGN KEY \(org_id, [^)]*\) REFERENCES [\w.]+\(org_id, /);
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
