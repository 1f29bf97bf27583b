import type { ISql } from "postgres";

import type { Schema } from "@leeway/shared/database/migrate";

/** Text from the last `select` or `perform` to the row lock that it takes. */
const LOCKING =
  /\b(?:select|perform)\b(?:(?!\bselect\b|\bperform\b)[^;])*?\bfor (?:no key )?(?:update|share|key share)\b/gi;
const JOINED = /\bjoin\b/i;
const OF_ONE_ORGANIZATION = /\borg_id = /i;
const COMPARED = /\borg_id = (\w+)\.org_id\b/g;
const ROW_ADDRESS = /\bctid\b/i;

/**
 * Lists what keeps a schema's tables from being distributed by `org_id`, by the rules of Citus. Keys and references contain
 * `org_id` in every table that has one. The other rules apply to tables that aren't in `schema.local`. Row addresses (`ctid`) are
 * unique to one shard and row locks are possible only in one, so routines may use them only within one organization. Behind an outer
 * join the planner finds a table's organization only if it is compared with that of the view's first table.
 */
export async function undistributable(sql: ISql, { name, local = {} }: Schema): Promise<string[]> {
  const stay = Object.keys(local);
  const rows = await sql<{ problem: string }[]>`
    with tables as (
      select c.oid, c.relname, c.relkind, a.attnum as org, c.relname = any (${stay}::text[]) as is_local
        from pg_class c
        left join pg_attribute a
          on a.attrelid = c.oid and a.attname = 'org_id' and a.atttypid = 'uuid'::regtype and a.attnotnull and not a.attisdropped
       where c.relnamespace = ${name}::regnamespace
         and c.relkind in ('r', 'p', 'm', 'f')
         and not c.relispartition
         and c.relname <> 'migrations'
    )
    select format('%I has no org_id, and isn''t listed as local', relname) as problem
      from tables
     where not is_local and (org is null or relkind not in ('r', 'p'))
    union all
    select format('%I has neither a primary key nor a replica identity', t.relname)
      from tables t
      join pg_class c using (oid)
     where not t.is_local
       and c.relreplident in ('d', 'n')
       and not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)
    union all
    select format('%I is listed as local, and doesn''t exist', listed.name)
      from unnest(${stay}::text[]) listed (name)
     where not exists (select from tables t where t.relname = listed.name)
    union all
    select format('unique index %s lacks org_id', i.indexrelid::regclass)
      from tables t
      join pg_index i on i.indrelid = t.oid and (i.indisunique or i.indisexclusion)
     where not t.org = any ((i.indkey::smallint[])[0:i.indnkeyatts - 1])
    union all
    select format('foreign key %I of %I %s', k.conname, t.relname, wrong.problem)
      from tables t
      join pg_constraint k on k.conrelid = t.oid and k.contype = 'f' and k.conparentid = 0
      join tables o on o.oid = k.confrelid
     cross join lateral (
       select 'connects a local with a distributed table' where t.is_local <> o.is_local
       union all
       select 'doesn''t connect org_id with org_id'
        where t.org is not null
          and o.org is not null
          and not exists (
            select from unnest(k.conkey, k.confkey) pair (own, other) where pair.own = t.org and pair.other = o.org
          )
       union all
       select 'changes org_id'
        where t.org is not null
          and (
            k.confupdtype in ('c', 'n', 'd')
            or k.confdeltype in ('n', 'd') and (k.confdelsetcols is null or t.org = any (k.confdelsetcols))
          )
     ) wrong (problem)
    union all
    select format('%I has trigger %I', t.relname, g.tgname)
      from tables t
      join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
     where not t.is_local
    union all
    select format('routine %s takes rows of %I', p.proname, t.relname)
      from tables t
      join pg_type y on y.typrelid = t.oid
      join pg_proc p on y.oid = any (p.proargtypes)
     where not t.is_local
  `;
  const problems = [
    ...rows.map(({ problem }) => problem),
    ...(await crossingRoutines(sql, name, stay)),
    ...(await chainingViews(sql, name)),
  ];
  return problems.map((problem) => `${name}: ${problem}`).toSorted();
}

/** Lists routines that compare row addresses, or lock rows, across organizations of a distributed table. */
async function crossingRoutines(sql: ISql, schema: string, local: string[]): Promise<string[]> {
  const routines = await sql<{ name: string; body: string; language: string; parameters: number }[]>`
    select p.proname as name, regexp_replace(p.prosrc, '--[^\\n]*', '', 'g') as body,
           l.lanname as language, p.pronargs::integer as parameters
      from pg_proc p
      join pg_language l on l.oid = p.prolang
     where p.pronamespace = ${schema}::regnamespace
       and exists (
         select
           from pg_class c
          where c.relnamespace = p.pronamespace
            and c.relkind in ('r', 'p')
            and not c.relispartition
            and c.relname <> all (${local}::text[])
            and p.prosrc ~ format('\\m%s\\.%s\\M', ${schema}::text, c.relname)
       )
  `;
  return routines.flatMap(({ name, body, language, parameters }) => [
    ...(parameters > 0 && language === "sql" ? [`routine ${name} is SQL with parameters`] : []),
    ...(ROW_ADDRESS.test(body) ? [`routine ${name} uses ctid`] : []),
    ...(body
      .match(LOCKING)
      ?.some((statement) => !OF_ONE_ORGANIZATION.test(statement) || JOINED.test(statement))
      ? [`routine ${name} locks rows across organizations`]
      : []),
  ]);
}

/** Lists views that compare organizations with those of more than one table. */
async function chainingViews(sql: ISql, schema: string): Promise<string[]> {
  const views = await sql<{ name: string; body: string }[]>`
    select relname as name, pg_get_viewdef(oid) as body
      from pg_class
     where relnamespace = ${schema}::regnamespace
       and relkind = 'v'
  `;
  return views
    .filter(({ body }) => new Set(Array.from(body.matchAll(COMPARED), ([, table]) => table)).size > 1)
    .map(({ name }) => `view ${name} compares org_id with that of several tables`);
}
