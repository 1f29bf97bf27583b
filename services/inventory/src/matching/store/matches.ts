import type { Transaction } from "@leeway/shared/database/database";

import { recordAmbiguities } from "./ambiguities.ts";

/**
 * Serializes everything that matches within an organization: a declaration without an account can
 * concern several of its accounts at once.
 */
export async function lockMatching(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`match ${tx.orgId}`}, 0))`;
}

/** Waits for whoever matches within the organization, and keeps others from it; it may be read by several. */
export async function holdMatching(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(hashtextextended(${`match ${tx.orgId}`}, 0))`;
}

/** Writes what `found` says into the live resources that it changes. */
export async function applyVerdict(tx: Transaction, disabledRules: string[]): Promise<void> {
  await tx`
    update inventory.live_resources l
       set match_status = v.status, match_level = v.level, match_conflict = v.conflict, iac_resource_id = v.iac_id
      from (
        select s.live_id, f.iac_id, f.level, coalesce(f.conflict, false) as conflict,
               inventory.match_status(f.iac_id, s.exclusion, ${disabledRules}, s.mapped) as status
          from live_side s
          left join found f on f.live_id = s.live_id and f.chosen
      ) v
     where l.org_id = ${tx.orgId}
       and l.id = v.live_id
       and (l.match_status, l.match_level, l.match_conflict, l.iac_resource_id)
           is distinct from (v.status, v.level, v.conflict, v.iac_id)
  `;
}

/**
 * Makes `matches` say of this account what `found` says, and `ambiguities` what is `ambiguous`.
 * @returns the accounts that are to be matched anew for it
 */
export async function recordMatches(
  tx: Transaction,
  accountId: string,
  ambiguous: readonly string[],
): Promise<string[]> {
  await tx`
    delete from inventory.matches m
     where m.org_id = ${tx.orgId}
       and m.cloud_account_id = ${accountId}
       and not exists (
         select
           from found f
          where f.iac_id = m.iac_resource_id and f.live_id = m.live_resource_id and f.level = m.level
       )
  `;
  await tx`
    insert into inventory.matches (org_id, iac_resource_id, cloud_account_id, live_resource_id, level, contested)
    select ${tx.orgId}, f.iac_id, ${accountId}, f.live_id, f.level, f.contested
      from found f
     where f.level < 5 -- an owner's is its own, not theirs
       and not exists (
       select from inventory.matches m
        where m.org_id = ${tx.orgId}
          and m.cloud_account_id = ${accountId}
          and m.iac_resource_id = f.iac_id
     )
  `;
  await recordAmbiguities(tx, accountId, ambiguous);
  return settleContested(tx);
}

/**
 * A declaration is contested as long as several accounts have it: nobody goes by it then.
 * @returns the accounts in which that is otherwise now, to be matched anew
 */
export async function settleContested(tx: Transaction): Promise<string[]> {
  const changed = await tx<{ cloud_account_id: string }>`
    update inventory.matches m
       set contested = claim.many
      from (
        select iac_resource_id, count(*) > 1 as many
          from inventory.matches
         where org_id = ${tx.orgId}
           and iac_resource_id in (
             select iac_resource_id from inventory.matches where org_id = ${tx.orgId} and contested
           )
         group by iac_resource_id
      ) claim
     where m.org_id = ${tx.orgId}
       and m.iac_resource_id = claim.iac_resource_id
       and m.contested <> claim.many
    returning m.cloud_account_id
  `;
  return [...new Set(changed.map((row) => row.cloud_account_id))];
}
