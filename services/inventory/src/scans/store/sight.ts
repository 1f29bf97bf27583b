import type { Transaction } from "@leeway/shared/database/database";

import type { SightScope } from "../../listings/sight-scope.ts";

/** Where a listing had no view: of a type or of all, in a region or in all. */
export interface BlindSpot {
  canonicalType: string | undefined;
  region: string | undefined;
  /** Whether it showed what is tagged. */
  untaggedOnly: boolean;
}

/** What a listing could show of its account. */
export interface Sight {
  /** Regions that it looked at; empty: all. */
  regions: readonly string[];
  /** Whether those are a part only of where the account is read. */
  isPart: boolean;
  blindSpots: readonly BlindSpot[];
  scope: SightScope;
}

/** That of a pushed listing of all types. */
export const FULL_SIGHT: Sight = { regions: [], isPart: false, blindSpots: [], scope: "all" };

/** That of a listing of which the rest is not there: what it lacks may well be there. */
export const NO_SIGHT: Sight = {
  ...FULL_SIGHT,
  blindSpots: [{ canonicalType: undefined, region: undefined, untaggedOnly: false }],
};

/** Notes what was seen of an account now, and where one would have to look to miss something. */
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
): Promise<void> {
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
             -- Of what is elsewhere, a listing that showed some of it only doesn't tell what is missing.
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
  `;
}
