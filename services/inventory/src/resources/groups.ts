import type { Output } from "@leeway/shared/contracts/contract";
import type { GroupResources, RESOURCE_GROUPINGS } from "@leeway/shared/contracts/inventory/resources";
import type { OrgStatements, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { conditions, endOf, inStretch, type ResourceFilter } from "./store.ts";

const MAX_GROUPS = 200;
/** Number of resources that are counted, because the dashboard waits for it. */
const MAX_COUNTED = 100_000;

/** Values by which resources are grouped. */
const VALUES = {
  account: ({ part }: Statements) => part`l.cloud_account_id::text`,
  category: ({ part }: Statements) => part`l.normalized_type`,
  type: ({ part }: Statements) => part`l.provider_type`,
  region: ({ part }: Statements) => part`l.region`,
  module: ({ part, orgId }: OrgStatements) => part`(
    select i.module_address
      from inventory.iac_resources i
     where i.org_id = ${orgId}
       and i.id = l.iac_resource_id
  )`,
  // A filter by undeclared resources lists unchecked ones, too.
  match: ({ part }: Statements) => part`
    unnest(case l.match_status when 'unchecked' then array['unchecked', 'undeclared'] else array[l.match_status] end)
  `,
  properties: ({ part }: Statements) => part`l.enrichment_status`,
};

/** Counts the resources that a filter finds by a value, the most frequent first. */
export async function groupResources(
  sql: OrgStatements,
  by: (typeof RESOURCE_GROUPINGS)[number],
  filter: ResourceFilter,
): Promise<Output<typeof GroupResources>> {
  const stretch = { after: undefined, among: MAX_COUNTED };
  const [groups, [end]] = await Promise.all([
    sql<{ key: string | null; count: number }>`
      select ${VALUES[by](sql)} as key, count(*)::integer as count
        from ${inStretch(sql, filter, stretch)} l
        join inventory.cloud_accounts a on a.org_id = l.org_id and a.id = l.cloud_account_id
       where l.org_id = ${sql.orgId}
         ${conditions(sql, filter)}
       group by 1
       order by 2 desc, 1
       limit ${MAX_GROUPS}
    `,
    sql<{ last: string | null }>`select ${endOf(sql, filter, stretch)} as last`,
  ]);
  return {
    data: groups.map(({ key, count }) => ({ ...present({ key }), count })),
    ...(end?.last && { is_partial: true }),
  };
}
