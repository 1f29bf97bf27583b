import type { Transaction } from "@leeway/shared/database/database";

import { OWNER_LEVEL } from "./owner-level.ts";
import { recordAmbiguities } from "./ambiguities.ts";
import { enrichedColumns } from "./editions.ts";

/**
 * Serializes matching within an organization, because a declaration without an account can concern several accounts.
 */
export async function lockMatching(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`match ${tx.orgId}`}, 0))`;
}

/**
 * Waits for matching in the organization to end, and blocks it until the transaction ends. Several transactions may
 * hold this lock.
 */
export async function holdMatching(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(hashtextextended(${`match ${tx.orgId}`}, 0))`;
}

/** Updates live resources of `live_side` whose match in `found` differs. @param edition to update no others */
export async function applyVerdict(
  tx: Transaction,
  disabledRules: string[],
  edition?: number,
): Promise<void> {
  await tx`
    update inventory.live_resources l
       set match_status = v.status, match_level = v.level, match_conflict = v.conflict, iac_resource_id = v.iac_id
      from (${verdicts(tx, disabledRules)}) v
     where l.org_id = ${tx.orgId}
       and l.id = v.live_id
       and l.edition = v.edition
       ${edition === undefined ? tx.part`` : tx.part`and v.edition = ${edition}`}
       and (l.match_status, l.match_level, l.match_conflict, l.iac_resource_id)
           is distinct from (v.status, v.level, v.conflict, v.iac_id)
  `;
}

/**
 * Writes live resources of `live_side` whose match in `found` differs as rows of the open `edition`, except those that
 * belong to it already.
 * @returns their number
 */
export async function rewriteVerdict(
  tx: Transaction,
  accountId: string,
  { edition, disabled }: { edition: number; disabled: string[] },
): Promise<number> {
  await tx`drop table if exists differing`;
  await tx`
    create temp table differing on commit drop as
    select s.live_id, s.edition, s.place, v.status, v.level, v.conflict, v.iac_id
      from live_side s
      join (${verdicts(tx, disabled)}) v on v.live_id = s.live_id
     where s.edition <> ${edition}
       and (s.match_status, s.match_level, s.match_conflict, s.iac_resource_id)
           is distinct from (v.status, v.level, v.conflict, v.iac_id)
  `;
  await tx`
    insert into inventory.live_resources (
      org_id, id, edition, cloud_account_id, provider_resource_id, provider_type, normalized_type, region, name,
      content_hash, mapped, keys, owner_keys, exclusion, cloud_created_at, tags, ${enrichedColumns(tx)},
      match_status, match_level, match_conflict, iac_resource_id, shards, first_seen_at, seen_at, overlooked_since
    )
    select l.org_id, l.id, ${edition}::integer, l.cloud_account_id, l.provider_resource_id, l.provider_type,
           l.normalized_type, l.region, l.name, l.content_hash, l.mapped, l.keys, l.owner_keys, l.exclusion,
           l.cloud_created_at, l.tags, ${enrichedColumns(tx)}, d.status, d.level, d.conflict, d.iac_id, l.shards,
           l.first_seen_at, l.seen_at, l.overlooked_since
      from (select * from differing) d
      join inventory.live_resources l on l.id = d.live_id and l.edition = d.edition
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
    ${tx.withoutCopy}
  `;
  const rewritten = await tx`
    insert into superseded (cloud_account_id, live_id, edition, place)
    select ${accountId}, live_id, edition, place from differing
  `;
  return rewritten.count;
}

/** Returns a query of the match of each resource of `live_side`, by `found`. */
function verdicts({ part }: Transaction, disabledRules: string[]) {
  return part`
    select s.live_id, s.edition, f.iac_id, f.level, coalesce(f.conflict, false) as conflict,
           inventory.match_status(f.iac_id, s.exclusion, ${disabledRules}, s.mapped) as status
      from live_side s
      left join found f on f.live_id = s.live_id and f.chosen
  `;
}

/** Fills `match_changes` with what differs between the account's `matches` and `found`. @returns their number */
export async function compareMatches(tx: Transaction, accountId: string): Promise<number> {
  await tx`
    create temp table if not exists match_changes (
      cloud_account_id uuid, iac_id uuid, live_id uuid, level smallint, contested boolean, is_new boolean
    ) on commit drop
  `;
  await tx`delete from match_changes where cloud_account_id = ${accountId}`;
  const changes = await tx`
    insert into match_changes (cloud_account_id, iac_id, live_id, level, contested, is_new)
    select m.cloud_account_id, m.iac_resource_id, m.live_resource_id, m.level, m.contested, false
      from inventory.matches m
     where m.org_id = ${tx.orgId}
       and m.cloud_account_id = ${accountId}
       and not exists (
         select
           from (select * from found) f
          where f.iac_id = m.iac_resource_id and f.live_id = m.live_resource_id
            and (f.level, f.contested) = (m.level, m.contested)
       )
    union all
    select ${accountId}::uuid, f.iac_id, f.live_id, f.level, f.contested, true
      from (select * from found where level < ${OWNER_LEVEL}) f -- an owner's isn't stored as a match
     where not exists (
         select
           from inventory.matches m
          where m.org_id = ${tx.orgId}
            and m.cloud_account_id = ${accountId}
            and m.iac_resource_id = f.iac_id
            and m.live_resource_id = f.live_id
            and (m.level, m.contested) = (f.level, f.contested)
       )
  `;
  return changes.count;
}

/** The matches of an account, compared with the stored ones. */
export interface ComparedMatches {
  /** Result of `compareMatches`. */
  changes: number;
  /** Result of `Matcher.ambiguous`. */
  ambiguous: readonly string[];
}

/**
 * Updates the account's `matches` by `match_changes`, and its `ambiguities`.
 * @returns the accounts to match again
 */
export async function recordMatches(
  tx: Transaction,
  accountId: string,
  { changes, ambiguous }: ComparedMatches,
): Promise<string[]> {
  if (changes > 0) {
    await tx`
      delete from inventory.matches m
       using (select iac_id from match_changes where cloud_account_id = ${accountId} and not is_new) c
       where m.org_id = ${tx.orgId}
         and m.cloud_account_id = ${accountId}
         and m.iac_resource_id = c.iac_id
    `;
    await tx`
      insert into inventory.matches (org_id, iac_resource_id, cloud_account_id, live_resource_id, level, contested)
      select ${tx.orgId}, iac_id, cloud_account_id, live_id, level, contested
        from match_changes
       where cloud_account_id = ${accountId}
         and is_new
      ${tx.withoutCopy}
    `;
    await tx`delete from match_changes where cloud_account_id = ${accountId}`;
  }
  await recordAmbiguities(tx, accountId, ambiguous);
  return settleContested(tx);
}

/**
 * Updates which declarations are contested. A declaration is contested, and ignored, while several accounts have it.
 * @returns the accounts in which this has changed, to be matched again
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
       and exists (select 1 from inventory.matches where org_id = ${tx.orgId} and contested) -- mostly none: then it reads nothing
    returning m.cloud_account_id
  `;
  return [...new Set(changed.map((row) => row.cloud_account_id))];
}
