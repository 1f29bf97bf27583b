import { sinceBaseline } from "@leeway/shared/database/baseline";
import { isRepeatable } from "@leeway/shared/database/migration-files";
import type { ISql } from "postgres";

import { SCHEMAS } from "./schemas.ts";

/** A table in a backup. A partitioned table is saved as one. */
export interface Table {
  /** Name as `schema.table`. */
  name: string;
  /** Columns to insert a row with, without generated ones. */
  columns: string[];
  partitions: Partition[];
}

interface Partition {
  name: string;
  /** Bounds, as `FOR VALUES FROM (…) TO (…)`. */
  bounds: string;
}

const OWN = SCHEMAS.map(({ name }) => name);
/** Tables that migrations fill. */
const OF_MIGRATIONS = ["migrations", "plans"];

/** Returns every table of every service, with referenced tables before those that refer to them. */
export async function tablesOf(sql: ISql): Promise<Table[]> {
  const tables = await sql<(Table & { refers_to: string[] })[]>`
    select c.oid::regclass::text as name,
           (
             select array_agg(a.attname::text order by a.attnum)
               from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
           ) as columns,
           (
             select coalesce(jsonb_agg(jsonb_build_object(
                      'name', p.oid::regclass::text, 'bounds', pg_get_expr(p.relpartbound, p.oid)
                    ) order by p.relname), '[]')
               from pg_inherits i join pg_class p on p.oid = i.inhrelid
              where i.inhparent = c.oid
           ) as partitions,
           (
             select coalesce(array_agg(distinct f.confrelid::regclass::text), '{}')
               from pg_constraint f
              where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
           ) as refers_to
      from pg_class c
     where c.relnamespace = any (${OWN}::regnamespace[])
       and c.relkind in ('r', 'p')
       and not c.relispartition
       and c.relname <> all (${OF_MIGRATIONS})
     order by c.oid::regclass::text
  `;
  const ordered = new Map<string, Table>();
  const put = (name: string): void => {
    const table = tables.find((one) => one.name === name);
    if (!table || ordered.has(name)) return;
    for (const other of table.refers_to) put(other);
    ordered.set(name, { name, columns: table.columns, partitions: table.partitions });
  };
  for (const { name } of tables) put(name);
  return [...ordered.values()];
}

/** Returns the applied numbered migrations from the baseline on as `schema/file`, in order. @throws {Error} when a schema isn't migrated */
export async function migrationsOf(sql: ISql): Promise<string[]> {
  const ran: string[] = [];
  for (const schema of OWN.toSorted()) {
    const [known] = await sql`select 1 where to_regclass(${`${schema}.migrations`}) is not null`;
    if (!known) throw new Error("the database isn't migrated: run migrations first");
    const rows = await sql<{ name: string }[]>`select name from ${sql(schema)}.migrations order by name`;
    const names = sinceBaseline(rows.map(({ name }) => name).filter((name) => !isRepeatable(name)));
    ran.push(...names.map((name) => `${schema}/${name}`));
  }
  return ran;
}
