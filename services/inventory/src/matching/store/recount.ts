import type { Transaction } from "@leeway/shared/database/database";

/** Counts what accounts have now that they were matched, and what is missing in any account. */
export async function recount(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await countLive(tx, accountIds);
  await countMissing(tx);
}

async function countLive(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await tx`
    update inventory.cloud_accounts a
       set live_count = coalesce(c.live, 0), matched_count = coalesce(c.matched, 0),
           undeclared_count = coalesce(c.live - c.matched, 0), unchecked_count = coalesce(c.unchecked, 0),
           excluded_count = coalesce(c.excluded, 0)
      from unnest(${[...accountIds]}::uuid[]) as touched (id)
      left join (
        select cloud_account_id,
               count(*) filter (where match_status <> 'excluded') as live,
               count(*) filter (where match_status = 'matched') as matched,
               count(*) filter (where match_status = 'unchecked') as unchecked,
               count(*) filter (where match_status = 'excluded') as excluded
          from inventory.live_resources
         where org_id = ${tx.orgId}
           and cloud_account_id = any (${[...accountIds]}::uuid[])
         group by cloud_account_id
      ) c on c.cloud_account_id = touched.id
     where a.org_id = ${tx.orgId}
       and a.id = touched.id
  `;
}

/** In every account of the organization: a match in one can end what was missing in another. */
async function countMissing(tx: Transaction): Promise<void> {
  await tx`
    update inventory.cloud_accounts a
       set missing_count = c.missing, critical_losses = c.critical, high_losses = c.high,
           medium_losses = c.missing - c.critical - c.high
      from (
        select a.id, count(d.id) as missing,
               count(d.id) filter (where d.loss in ('stateful', 'key_material', 'container')) as critical,
               count(d.id) filter (where d.loss = 'serving') as high
          from inventory.cloud_accounts a
          left join inventory.declared_resources d
            on d.org_id = a.org_id and d.cloud_account_id = a.id and d.status = 'missing'
         where a.org_id = ${tx.orgId}
         group by a.id
      ) c
     where a.org_id = ${tx.orgId}
       and a.id = c.id
       and (a.missing_count, a.critical_losses, a.high_losses) is distinct from (c.missing, c.critical, c.high)
  `;
}
