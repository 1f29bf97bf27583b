import type { Row, Transaction } from "@leeway/shared/database/database";
import { ENTRY_BYTES, type StoredRows } from "@leeway/clouds/reading/known-rows";

const ENTRIES_A_PART = 65_536;

interface PartRow extends Row {
  digests: Uint8Array;
  kinds: string;
}

/**
 * Returns the rows from which the account's live resources are stored.
 * @returns undefined if another listing, another release or a change of the account's name came later
 */
export async function storedRows(
  tx: Transaction,
  accountId: string,
  seed: bigint,
): Promise<StoredRows | undefined> {
  const parts = await tx<PartRow>`
    select d.digests, d.kinds
      from inventory.listing_digests d
      join inventory.cloud_accounts a
        on a.org_id = d.org_id and a.id = d.cloud_account_id and a.swept_at = d.listed_at
     where d.org_id = ${tx.orgId}
       and d.cloud_account_id = ${accountId}
       and d.seed = ${stored(seed)}::bigint
     order by d.part
  `;
  const [first] = parts;
  return first && { parts: parts.map(({ digests }) => digests), kinds: first.kinds };
}

/** Records that the account's latest listing has the same rows. */
export async function confirmRows(tx: Transaction, accountId: string): Promise<void> {
  await tx`
    update inventory.listing_digests
       set listed_at = now()
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
  `;
}

/** The rows of a listing. */
interface Rows {
  seed: bigint;
  kinds: string;
  /** Entries of rows that aren't in `live_side`. */
  unchanged: Uint8Array;
  /** Whether `compared` has other ids of resources in `live_side`. */
  isCompared: boolean;
}

/** Stores the rows from which the account's live resources are stored. They count once `noteSight` was called, too. */
export async function keepRows(
  tx: Transaction,
  accountId: string,
  { seed, kinds, unchanged, isCompared }: Rows,
): Promise<void> {
  await tx`
    delete from inventory.listing_digests where org_id = ${tx.orgId} and cloud_account_id = ${accountId}
  `;
  const bytes = ENTRIES_A_PART * ENTRY_BYTES;
  const parts = Math.ceil(unchanged.length / bytes);
  for (let part = 0; part < parts; part += 1) {
    await tx`
      insert into inventory.listing_digests (org_id, cloud_account_id, part, listed_at, seed, kinds, digests)
      values (${tx.orgId}, ${accountId}, ${part}, now(), ${stored(seed)}::bigint, ${kinds},
              ${Buffer.from(unchanged.subarray(part * bytes, (part + 1) * bytes))})
    `;
  }
  const known = tx.part`left join compared c on c.listed_id = s.live_id`;
  const id = isCompared ? tx.part`coalesce(c.live_id, s.live_id)` : tx.part`s.live_id`;
  await tx`
    insert into inventory.listing_digests (org_id, cloud_account_id, part, listed_at, seed, kinds, digests)
    select ${tx.orgId}, ${accountId}, ${parts}::integer + part, now(), ${stored(seed)}::bigint, ${kinds},
           string_agg(row, '')
      from (
        select s.entry || uuid_send(${id}) as row, (row_number() over () - 1) / ${ENTRIES_A_PART}::integer as part
          from live_side s
          ${isCompared ? known : tx.part``}
         where s.entry is not null
      ) listed
     group by part
    ${tx.withoutCopy}
  `;
}

function stored(seed: bigint): string {
  return String(BigInt.asIntN(64, seed));
}
