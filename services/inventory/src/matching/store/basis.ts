import type { Transaction } from "@leeway/shared/database/database";

/**
 * Returns everything that decides an account's matches, as text to compare with a later one. The row of a source
 * changes with each state and each change of its account. The account has a new snapshot after each change of its
 * resources or matches. Declarations without an account count by whether another account has them.
 */
export async function matchingBasis(tx: Transaction, accountId: string): Promise<string | undefined> {
  const [row] = await tx<{ basis: string }>`
    select concat_ws(
             ' ', a.named_as,
             (
               select string_agg(s.id || ':' || s.xmin, ' ' order by s.id)
                 from inventory.iac_sources s
                where s.org_id = ${tx.orgId}
             ),
             (
               select string_agg(d.rule_id, ' ' order by d.rule_id)
                 from inventory.disabled_exclusions d
                where d.org_id = ${tx.orgId}
             ),
             (
               select p.id
                 from inventory.drift_snapshots p
                where p.org_id = ${tx.orgId}
                  and p.cloud_account_id = a.id
                order by p.id desc
                limit 1
             ),
             (
               select count(*) || ':' || coalesce(sum(hashtextextended(m.iac_resource_id::text, 0)), 0)
                 from inventory.matches m
                 join inventory.placed_declarations i on i.org_id = m.org_id and i.id = m.iac_resource_id
                where m.org_id = ${tx.orgId}
                  and m.cloud_account_id <> a.id
                  and i.org_id = ${tx.orgId}
                  and i.cloud = a.cloud
                  and i.account is null
                  and i.source_account_id is null
             )
           ) as basis
      from inventory.cloud_accounts a
     where a.org_id = ${tx.orgId}
       and a.id = ${accountId}
  `;
  return row?.basis;
}
