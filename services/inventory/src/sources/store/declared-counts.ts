import type { OrgStatements } from "@leeway/shared/database/database";

/**
 * Counts of sources' declarations (source_id, cloud_account_id, matched, missing, unobserved), in several rows for
 * each source and account. The stored counts are from the last matching of the organization. If an older service did
 * that, which doesn't store counts, they are computed here. An account that was connected since then is found by its
 * name.
 */
export const declaredCounts = (sql: OrgStatements) => sql.part`
  select k.source_id, coalesce(k.cloud_account_id, n.id) as cloud_account_id, k.matched, k.missing, k.unobserved
    from inventory.source_counts k
    left join inventory.cloud_accounts n on n.org_id = k.org_id and n.cloud = k.cloud and n.named_as = k.account
   where k.org_id = ${sql.orgId}
     and ${areRight(sql)}
  union all
  select d.source_id, d.cloud_account_id, (d.status = 'matched')::integer, (d.status = 'missing')::integer,
         (d.status = 'unobserved')::integer
    from inventory.declared_resources d
   where d.org_id = ${sql.orgId}
     and not ${areRight(sql)}
`;

const areRight = (sql: OrgStatements) => sql.part`
  exists (select 1 from inventory.counted_orgs o where o.org_id = ${sql.orgId} and o.is_right)
`;
