import type { DeclaredBeside } from "@leeway/drift/adopt/live";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

/** Properties of one adoption in characters, beyond which they aren't read. */
const MAX_PROPERTIES = 4 << 20;
/** Max number of declarations that new code can refer to. */
const MAX_BESIDE = 20_000;

/** A live resource with what declares or excludes it. */
export interface AdoptableRow extends Row {
  id: string;
  provider: string;
  account: string;
  provider_type: string;
  provider_resource_id: string;
  region: string | null;
  name: string | null;
  exclusion: string | null;
  match_level: number | null;
  address: string | null;
  /** JSON texts. */
  tags: string | null;
  properties: string | null;
  /** Whether its properties aren't read, because those of the resources before it are large. */
  is_beyond: boolean;
}

/** Returns live resources in the order of their ids. */
export function adoptableById(sql: OrgStatements, ids: readonly string[]): Promise<AdoptableRow[]> {
  return sql<AdoptableRow>`
    select id, provider, account, provider_type, provider_resource_id, region, name, exclusion, match_level, address,
           tags, case when size <= ${MAX_PROPERTIES} then properties end as properties,
           size > ${MAX_PROPERTIES} as is_beyond
      from (
        select l.id, a.provider, coalesce(a.named_as, a.external_id) as account, l.provider_type,
               l.provider_resource_id, l.region, l.name, l.match_level, i.address, l.tags, l.properties,
               case when l.match_status = 'excluded' then l.exclusion end as exclusion,
               sum(coalesce(length(l.properties), 0)) over (order by l.id) as size
          from inventory.live_resources l
          join inventory.cloud_accounts a on a.org_id = l.org_id and a.id = l.cloud_account_id
          left join inventory.iac_resources i on i.org_id = l.org_id and i.id = l.iac_resource_id
         where l.org_id = ${sql.orgId}
           and l.id = any (${ids}::uuid[])
      ) found
     order by id
  `;
}

/**
 * Returns the source whose code adopted resources join, with its declarations outside modules: the one with the id, or
 * the organization's only one. Returns undefined if there is none.
 */
export async function joinedSource(
  sql: OrgStatements,
  sourceId: string | undefined,
): Promise<DeclaredBeside[] | undefined> {
  const { part } = sql;
  const rows = await sql<{ type: string | null; address: string | null; keys: string[] | null }>`
    with sources as (
      select id
        from inventory.iac_sources
       where org_id = ${sql.orgId}
         ${sourceId === undefined ? part`` : part`and id = ${sourceId}`}
       limit 2
    )
    select i.type, i.address, i.keys
      from sources s
      left join inventory.iac_resources i
        on i.org_id = ${sql.orgId} and i.source_id = s.id and i.module_address is null and not i.inline
     where (select count(*) from sources) = 1
     order by i.address
     limit ${MAX_BESIDE}
  `;
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ type, address, keys }) =>
    type === null || address === null || keys === null
      ? []
      : // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- matching writes only such keys
        [{ type, address, keys: keys as DeclaredBeside["keys"] }],
  );
}
