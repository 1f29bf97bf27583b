import type { ISql } from "postgres";

import { SCHEMAS } from "./schemas.ts";

/** A table as it is saved: one that is partitioned as a whole. */
export interface Table {
  /** `schema.table`. */
  name: string;
  /** Those that a row is written with. */
  columns: string[];
  partitions: Partition[];
}

interface Partition {
  name: string;
  /** `FOR VALUES FROM (…) TO (…)`. */
  bounds: string;
}

const OWN = SCHEMAS.map(({ name }) => name);

/** Every table of every service, those that others refer to first. */
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
       and c.relname <> 'migrations'
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

/** The migrations that have run, as `schema/file`, in order. @throws {Error} where none has */
export async function migrationsOf(sql: ISql): Promise<string[]> {
  const ran: string[] = [];
  for (const schema of OWN.toSorted()) {
    const [known] = await sql`select 1 where to_regclass(${`${schema}.migrations`}) is not null`;
    if (!known) throw new Error("the database isn't migrated: run migrations first");
    const rows = await sql<{ name: string }[]>`select name from ${sql(schema)}.migrations order by name`;
    ran.push(...rows.map(({ name }) => `${schema}/${name}`));
  }
  return ran;
}
