import type { KeyFindings } from "@leeway/clouds/matching/explain";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

import type { ResourceDetail } from "./store.ts";

/** Looks up every key of a live resource among the declared ones, as matching does. Returns them in the keys' order. */
export async function keyFindings(
  sql: OrgStatements,
  { id, cloud_account_id, region, keys }: ResourceDetail,
): Promise<KeyFindings[]> {
  return sql<KeyFindings & Row>`
    with account as (
      select id, cloud, named_as
        from inventory.cloud_accounts
       where org_id = ${sql.orgId}
         and id = ${cloud_account_id}
    ), declared as (
      select k.key, i.source_id, m.live_resource_id, m.contested,
             exists (
               select
                 from inventory.ambiguities u
                where u.org_id = ${sql.orgId} and u.iac_resource_id = i.id and u.cloud_account_id = a.id
             ) as ambiguous,
             i.cloud = a.cloud
               and (i.account = a.named_as or i.account is null and coalesce(i.source_account_id, a.id) = a.id)
               and (i.region is null or ${region}::text is null or i.region = ${region}::text) as fits
        from account a
        join inventory.placed_declarations i
          on i.org_id = ${sql.orgId} and i.id = any (${await declaredBy(sql, keys)}::uuid[])
        left join inventory.matches m
          on m.org_id = i.org_id and m.iac_resource_id = i.id and m.cloud_account_id = a.id
       cross join unnest(i.keys) as k (key)
    ), by_source as (
      select key, source_id,
             count(*) filter (where fits) as fitting,
             count(*) filter (where not fits) as elsewhere,
             count(*) filter (where fits and live_resource_id = ${id}) as mine,
             count(*) filter (where fits and live_resource_id <> ${id}) as taken,
             count(*) filter (where fits and contested) as contested,
             count(*) filter (where fits and ambiguous) as ambiguous
        from declared
       group by key, source_id
    )
    select tried.key, coalesce(max(fitting), 0)::integer as declarations,
           coalesce(sum(elsewhere), 0)::integer as elsewhere, coalesce(sum(mine), 0)::integer as mine,
           coalesce(sum(taken), 0)::integer as taken, coalesce(sum(contested), 0)::integer as contested,
           coalesce(sum(ambiguous), 0)::integer as ambiguous
      from unnest(${keys}::text[]) with ordinality as tried (key, place)
      left join by_source on by_source.key = tried.key
     group by tried.key, tried.place
     order by tried.place
  `;
}

/** Returns the ids of declared resources that have one of the keys. */
async function declaredBy(sql: OrgStatements, keys: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }>`select inventory.declared_by(${[...keys]}::text[]) as id`;
  return rows.map(({ id }) => id);
}

/** Counts the account's live resources with `key`. It reads all resources of the account. */
export async function livesWithKey(sql: OrgStatements, accountId: string, key: string): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::integer as count
      from inventory.live_resources
     where org_id = ${sql.orgId}
       and cloud_account_id = ${accountId}
       and keys @> array[${key}::text]
  `;
  return row?.count ?? 0;
}

/** Returns the ids of all declared resources, of any source, that match this live resource. */
export async function claimants(
  sql: OrgStatements,
  { id, cloud_account_id }: ResourceDetail,
): Promise<string[]> {
  const rows = await sql<{ iac_resource_id: string }>`
    select iac_resource_id
      from inventory.matches
     where org_id = ${sql.orgId}
       and cloud_account_id = ${cloud_account_id}
       and live_resource_id = ${id}
     order by iac_resource_id
  `;
  return rows.map(({ iac_resource_id }) => iac_resource_id);
}

/** Returns the id of the declared live resource that owns a resource. */
export async function declaredOwner(
  sql: OrgStatements,
  { cloud_account_id, iac_resource_id }: ResourceDetail,
): Promise<string | undefined> {
  const [row] = await sql<{ live_resource_id: string }>`
    select live_resource_id
      from inventory.matches
     where org_id = ${sql.orgId}
       and iac_resource_id = ${iac_resource_id}
       and cloud_account_id = ${cloud_account_id}
  `;
  return row?.live_resource_id;
}
