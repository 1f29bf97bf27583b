import type { SightScope } from "@leeway/clouds/listings/sight-scope";
import type { Transaction } from "@leeway/shared/database/database";

/** A gap in a listing: one type or all types, in one region or in all. */
export interface BlindSpot {
  canonicalType: string | undefined;
  region: string | undefined;
  /** Whether tagged resources were shown. */
  untaggedOnly: boolean;
}

/** Coverage of a listing within its account. */
export interface Sight {
  /** The listed regions; empty: all. */
  regions: readonly string[];
  /** Whether these are only some of the account's regions. */
  isPart: boolean;
  blindSpots: readonly BlindSpot[];
  scope: SightScope;
}

/** The coverage of a pushed listing of all types. */
export const FULL_SIGHT: Sight = { regions: [], isPart: false, blindSpots: [], scope: "all" };

/** The coverage of an incomplete listing: resources that it lacks may exist. */
export const NO_SIGHT: Sight = {
  ...FULL_SIGHT,
  blindSpots: [{ canonicalType: undefined, region: undefined, untaggedOnly: false }],
};

/**
 * Stores the coverage of an account's latest listing, and its blind spots.
 * @returns whether they are as before
 */
export async function noteSight(
  tx: Transaction,
  accountId: string,
  {
    regions,
    isPart,
    blindSpots,
    scope,
    types,
    taggedOnly,
  }: Sight & { types: readonly string[]; taggedOnly: boolean },
): Promise<boolean> {
  const before = await sightOf(tx, accountId);
  const observed = regions.length > 0 ? [...regions] : null;
  const known = tx.part`(
    select coalesce(array_agg(type order by type), '{}')
      from (select unnest(observed_types) as type union select unnest(${[...types]}::text[])) seen
  )`;
  const only = { all: tx.part`null`, known, shown: tx.part`${[...types]}::text[]` };
  await tx`
    update inventory.cloud_accounts
       set swept_at = now(), tagged_only = ${taggedOnly}, only_types = ${only[scope]}, observed_types = ${known},
           observed_regions = case
             -- A listing that shows only part of another region doesn't show what is missing there.
             when not ${isPart} or swept_at is null or tagged_only or only_types is not null or exists (
               select from inventory.blind_spots b
                where b.org_id = ${tx.orgId} and b.cloud_account_id = ${accountId}
                  and coalesce(b.canonical_type, b.region) is null
             ) then ${observed}::text[]
             when observed_regions is not null
               then array(select distinct unnest(observed_regions || ${observed}::text[]))
           end
     where org_id = ${tx.orgId}
       and id = ${accountId}
  `;
  await tx`
    delete from inventory.blind_spots
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
       and (not ${isPart} or region is null or region = any (${observed}::text[]))
  `;
  if (blindSpots.length > 0) await addBlindSpots(tx, accountId, blindSpots);
  return (await sightOf(tx, accountId)) === before;
}

/** Returns everything that decides which declared resources an account's listings show, as text to compare. */
async function sightOf(tx: Transaction, accountId: string): Promise<string | undefined> {
  const [row] = await tx<{ sight: string }>`
    select concat_ws(
             ' ', swept_at is null, tagged_only, observed_types, coalesce(only_types::text, '-'),
             coalesce(observed_regions::text, '-'),
             (
               select string_agg(concat_ws('/', b.canonical_type, '', b.region, b.untagged_only), ' '
                                 order by b.canonical_type, b.region, b.untagged_only)
                 from inventory.blind_spots b
                where b.org_id = ${tx.orgId}
                  and b.cloud_account_id = ${accountId}
             )
           ) as sight
      from inventory.cloud_accounts
     where org_id = ${tx.orgId}
       and id = ${accountId}
  `;
  return row?.sight;
}

async function addBlindSpots(
  tx: Transaction,
  accountId: string,
  blindSpots: readonly BlindSpot[],
): Promise<void> {
  await tx`
    insert into inventory.blind_spots (org_id, cloud_account_id, canonical_type, region, untagged_only)
    select ${tx.orgId}, ${accountId}, nullif(type, ''), nullif(region, ''), untagged_only
      from unnest(
        ${blindSpots.map(({ canonicalType = "" }) => canonicalType)}::text[],
        ${blindSpots.map(({ region = "" }) => region)}::text[],
        ${tx.part.array(blindSpots.map(({ untaggedOnly }) => untaggedOnly))}::boolean[]
      ) as spot (type, region, untagged_only)
    ${tx.withoutCopy}
  `;
}
