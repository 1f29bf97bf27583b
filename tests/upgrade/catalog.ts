import type { Sql } from "postgres";

/**
 * Returns everything that defines a schema, one line each: relations, columns in order, constraints, indexes, policies,
 * triggers, routines and types, with their rights. Partitions are left out, because they depend on the date, and so are
 * comments and white space in routines.
 */
export async function catalogOf(sql: Sql, schema: string): Promise<string[]> {
  const rights = (acl: string) => sql`
    (
      select string_agg(concat_ws(' ', x.grantee::regrole, x.privilege_type), ', ' order by x.grantee::regrole::text, x.privilege_type)
        from aclexplode(${sql(acl)}) x
    )`;
  const rows = await sql<{ line: string }[]>`
    with relations as (
      select * from pg_class where relnamespace = ${schema}::regnamespace and not relispartition
    )
    select concat_ws(' ', 'schema', n.nspname, ${rights("n.nspacl")}) as line
      from pg_namespace n
     where n.nspname = ${schema}
    union all
    select concat_ws(
             ' ', 'relation', c.relname, c.relkind, c.relpersistence, c.reloptions, c.relrowsecurity, c.relforcerowsecurity,
             pg_get_userbyid(c.relowner), pg_get_partkeydef(c.oid),
             case when c.relkind = 'v' then pg_get_viewdef(c.oid) end, ${rights("c.relacl")}
           )
      from relations c
     where c.relkind <> 'i' and c.relkind <> 'I'
    union all
    select concat_ws(
             ' ', 'column', c.relname, row_number() over (partition by c.oid order by a.attnum), a.attname,
             format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated, a.attstorage, a.attcollation::regcollation,
             a.attacl, pg_get_expr(d.adbin, d.adrelid)
           )
      from relations c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where c.relkind <> 'i' and c.relkind <> 'I'
    union all
    select concat_ws(' ', 'constraint', c.relname, k.conname, k.convalidated, pg_get_constraintdef(k.oid))
      from relations c
      join pg_constraint k on k.conrelid = c.oid
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(c.oid)) from relations c where c.relkind in ('i', 'I')
    union all
    select concat_ws(' ', 'policy', p.tablename, p.policyname, p.permissive, p.roles, p.cmd, p.qual, p.with_check)
      from pg_policies p
     where p.schemaname = ${schema}
    union all
    select concat_ws(' ', 'trigger', t.tgenabled, pg_get_triggerdef(t.oid))
      from pg_trigger t
      join relations c on c.oid = t.tgrelid
     where not t.tgisinternal
    union all
    select concat_ws(' ', 'routine', pg_get_userbyid(p.proowner), 
             regexp_replace(regexp_replace(pg_get_functiondef(p.oid), '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g'),
             ${rights("p.proacl")})
      from pg_proc p
     where p.pronamespace = ${schema}::regnamespace
    union all
    select concat_ws(' ', 'type', t.typname, ${rights("t.typacl")})
      from pg_type t
      join relations c on c.oid = t.typrelid and c.relkind = 'c'
    order by line
  `;
  return rows.map(({ line }) => line);
}
