import type { Sql, TransactionSql } from "postgres";

import { underLock, type Schema } from "./migrate.ts";

/**
 * Distributes the tables of migrated schemas over the workers of a Citus cluster, by `org_id` and co-located, but for those
 * that a schema lists as local. Tables that are distributed already stay as they are, so it may run after each migration. It
 * locks each table against writes while its rows move.
 * @returns the number of tables that this call distributed
 * @throws {Error} if the server has no Citus, or the cluster no workers
 */
export async function distribute(adminUrl: string, schemas: readonly Schema[]): Promise<number> {
  return underLock(adminUrl, async (sql) => {
    await createExtension(sql);
    let count = 0;
    for (const schema of schemas) {
      const tables = await tablesToDistribute(sql, schema);
      if (tables.length > 0) await sendOrganization(sql, schema);
      for (const table of tables) await sql.begin((tx) => distributeTable(tx, table));
      await sendRoutines(sql, schema);
      count += tables.length;
    }
    return count;
  });
}

/** Lets Citus send a transaction's organization to the workers. Services find out by it that their tables are distributed. */
async function sendOrganization(sql: Sql, { service }: Schema): Promise<void> {
  await sql.unsafe(`
    do $$ begin
      execute format(
        'alter role leeway_${service} in database %I set citus.propagate_set_commands = local', current_database()
      );
    end $$`);
}

async function distributeTable(tx: TransactionSql, table: string): Promise<void> {
  // Triggers write only rows of the same organization, which are on the same worker.
  await tx`set local citus.enable_unsafe_triggers = on`;
  // Citus refuses policies with subqueries, and foreign keys that set columns to null.
  await tx.unsafe(`alter policy tenant on ${table} using (org_id = current_setting('app.org_id')::uuid)`);
  const keys = await tx<{ name: string; definition: string }[]>`
    select quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint
     where conrelid = ${table}::regclass
       and contype = 'f'
       and confdeltype = 'n'
  `;
  for (const { name, definition } of keys) {
    const plain = definition.replace(/ ON DELETE SET NULL(?: \([^)]*\))?/, "");
    await tx.unsafe(`alter table ${table} drop constraint ${name}, add constraint ${name} ${plain}`);
  }
  await tx`
    select create_distributed_table(${table}::regclass, 'org_id', colocate_with => coalesce(
      (select table_name::text from citus_tables where distribution_column = 'org_id' order by table_name limit 1), 'none'
    ))
  `;
}

/** Creates functions on the workers, where statements call them. Citus does so by itself for those created after the extension. */
async function sendRoutines(sql: Sql, { name }: Schema): Promise<void> {
  await sql`
    select create_distributed_function(p.oid::regprocedure)
      from pg_proc p
     where p.pronamespace = ${name}::regnamespace
       and p.prokind = 'f'
       and exists (
         select from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid where c.relnamespace = p.pronamespace
       )
       and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
  `;
  await sql`revoke all on all routines in schema ${sql(name)} from public`; // there, too
}

async function createExtension(sql: Sql): Promise<void> {
  const [available] = await sql`select from pg_available_extensions where name = 'citus'`;
  if (!available)
    throw new Error(
      "this PostgreSQL has no extension citus: install it on the coordinator and on all workers, and add it to shared_preload_libraries",
    );
  await sql`create extension if not exists citus`;
  // Later migrations create triggers again.
  await sql.unsafe(`
    do $$ begin
      execute format('alter database %I set citus.enable_unsafe_triggers = on', current_database());
    end $$`);
  const [worker] = await sql`select from citus_get_active_worker_nodes()`;
  if (!worker) throw new Error("the Citus cluster has no workers: add them with citus_add_node");
}

/** Returns a schema's tables to distribute, referenced tables first. */
async function tablesToDistribute(sql: Sql, { name, local = {} }: Schema): Promise<string[]> {
  const rows = await sql<{ table: string }[]>`
    with recursive tables as (
      select c.oid
        from pg_class c
       where c.relnamespace = ${name}::regnamespace
         and c.relkind in ('r', 'p')
         and not c.relispartition
         and c.relname <> all (${["migrations", ...Object.keys(local)]})
    ), depths as (
      select oid, 0 as depth from tables
      union
      select k.conrelid, d.depth + 1
        from depths d
        join pg_constraint k on k.confrelid = d.oid and k.contype = 'f' and k.conrelid <> k.confrelid
    )
    select d.oid::regclass::text as table
      from depths d
      join tables using (oid)
     where d.oid not in (select logicalrelid from pg_dist_partition)
     group by d.oid
     order by max(d.depth), 1
  `;
  return rows.map(({ table }) => table);
}
