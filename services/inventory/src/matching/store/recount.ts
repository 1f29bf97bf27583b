import type { Transaction } from "@leeway/shared/database/database";
import { withLookups } from "@leeway/shared/database/with-lookups";

type Part = ReturnType<Transaction["part"]>;

/**
 * Largest number of declared resources that are looked up one by one. For more, reading an organization's matches whole
 * takes little longer, and a plan for a table that was just filled can't read them again for each.
 */
const MAX_LOOK_UPS = 1_000;

/**
 * Counts the resources of accounts that were matched, and the declared resources that this may have changed, by status.
 * @param change `any` if accounts were deleted or assigned to sources
 */
export async function recount(
  tx: Transaction,
  accountIds: readonly string[],
  change: Change = "any",
): Promise<void> {
  await countLive(tx, accountIds);
  await rememberTagged(tx, accountIds);
  const areOthersRight = change !== "any" && (await areCountsRight(tx));
  await (areOthersRight ? countTouched(tx, accountIds, change.sourceId) : countAll(tx));
  await trustCounts(tx);
}

/** Change before a recount: only matches of accounts, and the declarations of a source. */
export type Change = "any" | { sourceId?: string };

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

/**
 * Marks declared resources that a listing of tagged resources has shown, if the account, or the type in a region, has
 * only such listings. Rows that were kept from an earlier listing weren't shown.
 */
async function rememberTagged(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  const seen = await tx<{ id: string }>`
    select a.id
      from inventory.cloud_accounts a
     where a.org_id = ${tx.orgId}
       and a.id = any (${[...accountIds]}::uuid[])
       and (
         a.tagged_only
         or exists (
           select
             from inventory.blind_spots b
            where b.org_id = ${tx.orgId} and b.cloud_account_id = a.id and b.untagged_only
         )
       )
  `;
  if (seen.length === 0) return; // mostly
  await tx`
    update inventory.iac_resources i
       set shown_tagged = true
     where i.org_id = ${tx.orgId}
       and i.id in (
         select d.id
           from inventory.cloud_accounts a
           join inventory.matches m on m.org_id = a.org_id and m.cloud_account_id = a.id
           join inventory.live_resources l on l.org_id = m.org_id and l.id = m.live_resource_id
           join inventory.iac_resources d on d.org_id = m.org_id and d.id = m.iac_resource_id
          where a.org_id = ${tx.orgId}
            and a.id = any (${seen.map(({ id }) => id)}::uuid[])
            and not d.shown_tagged
            and l.overlooked_since is null
            and (
              a.tagged_only
              or exists (
                select
                  from inventory.blind_spots b
                 where b.org_id = ${tx.orgId}
                   and b.cloud_account_id = a.id
                   and b.untagged_only
                   and b.canonical_type = d.canonical_type
                   and (b.region is null or l.region is null or b.region = l.region)
              )
            )
            for no key update of d skip locked -- a state that is being stored has locked its resources, and recounts these accounts itself
       )
  `;
}

/** Counts declared resources in all accounts and sources. */
function countAll(tx: Transaction): Promise<void> {
  return countDeclared(tx, { ofGroups: tx.part``, ofAccounts: tx.part`` });
}

/**
 * Counts declared resources in groups, by source and by the account that they name. A match in an account can change
 * the status of those that name it, of those whose source belongs to it, and of those that can be in any account. A
 * group counts for one account, whose other groups are counted with it.
 */
async function countTouched(
  tx: Transaction,
  accountIds: readonly string[],
  sourceId: string | undefined,
): Promise<void> {
  const source = sourceId ?? null;
  const touched = tx.part`${[...accountIds]}::uuid[]`;
  // In a statement of its own, so that PostgreSQL plans the count for these groups.
  const [found] = await tx<Groups & { counted: string[] }>`
    with reached as (
      select s.source_id, s.cloud, s.account, s.cloud_account_id
        from inventory.source_counts s
        left join inventory.cloud_accounts t
          on t.org_id = s.org_id and t.id = any (${touched}) and t.cloud = s.cloud
         and (t.named_as = s.account or s.account = '' and s.cloud_account_id is null)
       where s.org_id = ${tx.orgId}
         and (t.id is not null or s.source_id = ${source})
    ), counted as materialized (
      select unnest(${touched}) as id
       union
      select cloud_account_id from reached where cloud_account_id is not null
       union
      select cloud_account_id from inventory.iac_sources
       where org_id = ${tx.orgId} and id = ${source} and cloud_account_id is not null
    ), groups as (
      select source_id, cloud, account from reached
       union
      select source_id, cloud, account from inventory.source_counts
       where org_id = ${tx.orgId} and cloud_account_id in (select id from counted)
       union
      select source_id, cloud, coalesce(account, '') from inventory.iac_resources
       where org_id = ${tx.orgId} and source_id = ${source}
    )
    select array(select id from counted) as counted, coalesce(array_agg(source_id), '{}') as sources,
           coalesce(array_agg(cloud), '{}') as clouds, coalesce(array_agg(account), '{}') as accounts
      from groups
  `;
  if (!found) return;
  const isFew = await areFew(tx, found);
  const limits: Limits = {
    ofGroups: ofGroups(tx, found, isFew),
    ofAccounts: tx.part`and a.id = any (${found.counted}::uuid[])`,
  };
  await (isFew ? withLookups(tx, () => countDeclared(tx, limits)) : countDeclared(tx, limits));
}

async function areFew(tx: Transaction, { sources }: Groups): Promise<boolean> {
  const [found] = await tx<{ few: boolean }>`
    select count(*) <= ${MAX_LOOK_UPS} as few
      from (
        select from inventory.iac_resources where org_id = ${tx.orgId} and source_id = any (${sources}::uuid[])
         limit ${MAX_LOOK_UPS + 1}
      ) declared
  `;
  return found?.few ?? true;
}

/** Groups of declared resources, in the same order. */
interface Groups {
  sources: string[];
  clouds: string[];
  accounts: string[];
}

/**
 * Returns the condition for declared resources, or their counts, that belong to groups. Looked up, they have a text of
 * their own, because PostgreSQL may keep a plan for a text, whatever the settings.
 */
function ofGroups({ part }: Transaction, { sources, clouds, accounts }: Groups, isLookedUp: boolean): Part {
  return part`
    ${isLookedUp ? part`/* looked up */` : part``}
    and source_id = any (${sources}::uuid[]) -- uses the index
    and exists (
      select
        from unnest(${sources}::uuid[], ${clouds}::text[], ${accounts}::text[]) as g (of_source, of_cloud, of_account)
       where (of_source, of_cloud, of_account) = (source_id, cloud, coalesce(account, ''))
    )
  `;
}

/** Limits of a count, as SQL. */
interface Limits {
  ofGroups: Part;
  ofAccounts: Part;
}

async function countDeclared(tx: Transaction, { ofGroups, ofAccounts }: Limits): Promise<void> {
  await tx`
    with declared as materialized (
      select source_id, cloud, account, any_value(cloud_account_id) as cloud_account_id,
             count(*) filter (where status = 'matched') as matched,
             count(*) filter (where status = 'missing') as missing,
             count(*) filter (where status = 'unobserved') as unobserved,
             count(*) filter (where status = 'missing' and loss in ('stateful', 'key_material', 'container')) as critical,
             count(*) filter (where status = 'missing' and loss in ('maybe_stateful', 'serving')) as high
        from (
          select source_id, cloud, coalesce(account, '') as account, cloud_account_id, loss, status
            from inventory.declared_resources
           where org_id = ${tx.orgId}
             ${ofGroups}
          offset 0 -- without it, each count would compute the status again
        ) d
       group by source_id, cloud, account -- account numbers of the cloud, which determine the organization's account
    ), accounts as (
      ${updateAccounts(tx, ofAccounts)}
    ), gone as (
      delete from inventory.source_counts s
       where s.org_id = ${tx.orgId}
         ${ofGroups}
         and not exists (
           select from declared d where (d.source_id, d.cloud, d.account) = (s.source_id, s.cloud, s.account)
         )
    )
    insert into inventory.source_counts as s (
      org_id, source_id, cloud, account, cloud_account_id, matched, missing, unobserved
    )
    select ${tx.orgId}, source_id, cloud, account, cloud_account_id, matched, missing, unobserved
      from declared
    on conflict (org_id, source_id, cloud, account) do update
       set cloud_account_id = excluded.cloud_account_id, matched = excluded.matched, missing = excluded.missing,
           unobserved = excluded.unobserved
     where (s.cloud_account_id, s.matched, s.missing, s.unobserved)
           is distinct from (excluded.cloud_account_id, excluded.matched, excluded.missing, excluded.unobserved)
  `;
}

/** Returns the update of accounts from `declared`. */
function updateAccounts(tx: Transaction, ofAccounts: Part): Part {
  return tx.part`
    update inventory.cloud_accounts a
       set missing_count = c.missing, critical_losses = c.critical, high_losses = c.high,
           medium_losses = c.missing - c.critical - c.high
      from (
        select a.id, coalesce(sum(d.missing), 0) as missing, coalesce(sum(d.critical), 0) as critical,
               coalesce(sum(d.high), 0) as high
          from inventory.cloud_accounts a
          left join declared d on d.cloud_account_id = a.id
         where a.org_id = ${tx.orgId}
           ${ofAccounts}
         group by a.id
      ) c
     where a.org_id = ${tx.orgId}
       and a.id = c.id
       and (a.missing_count, a.critical_losses, a.high_losses) is distinct from (c.missing, c.critical, c.high)
  `;
}

/** Returns whether the counts of accounts and sources were right after the last change. */
export async function areCountsRight(tx: Transaction): Promise<boolean> {
  const [row] = await tx`select 1 from inventory.counted_orgs where org_id = ${tx.orgId} and is_right`;
  return row !== undefined;
}

/** Marks `source_counts` as correct. Each recount of an account's missing resources clears the mark. */
async function trustCounts(tx: Transaction): Promise<void> {
  await tx`
    insert into inventory.counted_orgs (org_id, is_right)
    values (${tx.orgId}, true)
    on conflict (org_id) do update set is_right = true
  `;
}
