import type { Row, Transaction } from "@leeway/shared/database/database";

import { ENTRY_BYTES } from "../../listings/digests/known-rows.ts";

const PART_BYTES = 65_536 * ENTRY_BYTES;

interface PartRow extends Row {
  digests: Uint8Array;
}

/**
 * Returns the rows from which the account's live resources were stored, as parts of entries.
 * @returns undefined if another listing, another release or a change of the account's name came later
 */
export async function digestsOf(
  tx: Transaction,
  accountId: string,
  seed: bigint,
): Promise<Uint8Array[] | undefined> {
  const parts = await tx<PartRow>`
    select d.digests
      from inventory.listing_digests d
      join inventory.cloud_accounts a
        on a.org_id = d.org_id and a.id = d.cloud_account_id and a.swept_at = d.listed_at
     where d.org_id = ${tx.orgId}
       and d.cloud_account_id = ${accountId}
       and d.seed = ${stored(seed)}::bigint
     order by d.part
  `;
  return parts.length > 0 ? parts.map(({ digests }) => digests) : undefined;
}

/** Records that the account's latest listing was stored from the same rows. */
export async function confirmDigests(tx: Transaction, accountId: string): Promise<void> {
  await tx`
    update inventory.listing_digests
       set listed_at = now()
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
  `;
}

/** The rows of a listing. */
interface Digests {
  seed: bigint;
  /** Entries of known rows. */
  known: Uint8Array;
  /** Where the ids of further rows of `live_side` are: there, for new resources, or in `compared`. */
  idsIn: "live_side" | "compared";
}

/** Stores the rows from which the account's live resources are stored. They count once `noteSight` was called, too. */
export async function keepDigests(
  tx: Transaction,
  accountId: string,
  { seed, known, idsIn }: Digests,
): Promise<void> {
  await tx`
    delete from inventory.listing_digests where org_id = ${tx.orgId} and cloud_account_id = ${accountId}
  `;
  let part = 0;
  for (let at = 0; at < known.length; at += PART_BYTES) {
    await tx`
      insert into inventory.listing_digests (org_id, cloud_account_id, part, listed_at, seed, digests)
      values (${tx.orgId}, ${accountId}, ${part}, now(), ${stored(seed)}::bigint,
              ${Buffer.from(known.subarray(at, at + PART_BYTES))})
    `;
    part += 1;
  }
  const compared = tx.part`left join compared c on c.listed_id = s.live_id`;
  await tx`
    insert into inventory.listing_digests (org_id, cloud_account_id, part, listed_at, seed, digests)
    select ${tx.orgId}, ${accountId}, ${part}::integer + bucket, now(), ${stored(seed)}::bigint,
           string_agg(int8send(digest) || uuid_send(id), '')
      from (
        select s.digest, ${idsIn === "compared" ? tx.part`coalesce(c.live_id, s.live_id)` : tx.part`s.live_id`} as id,
               ((row_number() over ()) * ${ENTRY_BYTES} / ${PART_BYTES})::integer as bucket
          from live_side s
          ${idsIn === "compared" ? compared : tx.part``}
      ) listed
     group by bucket
  `;
}

function stored(seed: bigint): string {
  return String(BigInt.asIntN(64, seed));
}
