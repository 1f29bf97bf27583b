import type { OrgStatements, Row } from "@leeway/shared/database/database";

import { OWNER_LEVEL } from "../matching/store/owner-level.ts";

interface DeclaredCount extends Row {
  type: string;
  count: number;
}

/** Live resources with the same type in their cloud and in their declaration. */
interface LiveCount extends Row {
  provider: string;
  provider_type: string;
  /** Null if they aren't declared, or only another resource that creates them is. */
  declared_type: string | null;
  count: number;
  undeclared_count: number;
}

/** Counts the resources that states declare, by type. */
export function countDeclared(sql: OrgStatements): Promise<DeclaredCount[]> {
  return sql<DeclaredCount>`
    select type, count(*)::integer as count
      from inventory.iac_resources
     where org_id = ${sql.orgId}
       and not inline
     group by type
  `;
}

/** Counts live resources by type. */
export function countLive(sql: OrgStatements): Promise<LiveCount[]> {
  return sql<LiveCount>`
    select a.provider, l.provider_type, i.type as declared_type, count(*)::integer as count,
           count(*) filter (where l.match_status in ('undeclared', 'unchecked'))::integer as undeclared_count
      from inventory.live_resources l
      join inventory.cloud_accounts a on a.org_id = l.org_id and a.id = l.cloud_account_id
      left join inventory.iac_resources i
        on i.org_id = l.org_id and i.id = l.iac_resource_id and l.match_level < ${OWNER_LEVEL}
     where l.org_id = ${sql.orgId}
       and l.match_status <> 'excluded'
     group by a.provider, l.provider_type, i.type
  `;
}

/** Returns the declared type of a live resource; undefined if its declaration is another resource's. */
export async function declaredType(
  sql: OrgStatements,
  { iac_resource_id, match_level }: { iac_resource_id: string | null; match_level: number | null },
): Promise<string | undefined> {
  if (iac_resource_id === null || match_level === OWNER_LEVEL) return undefined;
  const [row] = await sql<{ type: string }>`
    select type
      from inventory.iac_resources
     where org_id = ${sql.orgId}
       and id = ${iac_resource_id}
  `;
  return row?.type;
}
