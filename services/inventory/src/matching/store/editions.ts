import type { Transaction } from "@leeway/shared/database/database";

/**
 * Starts an edition: live resources that the transaction writes beside the stored rows, which `superseded` lists. Until
 * the end, other transactions neither see the new rows nor wait for them. `superseded` also lists rows without a
 * replacement, which are gone.
 * @returns the edition's number
 */
export async function openEdition(tx: Transaction): Promise<number> {
  await tx`
    create temp table superseded (
      cloud_account_id uuid, live_id uuid, edition integer, place tid, is_gone boolean not null default false
    ) on commit drop
  `;
  const [row] = await tx<{ edition: number }>`select nextval('inventory.editions')::integer as edition`;
  if (!row) throw new Error("a sequence has no next value");
  return row.edition;
}

/** Returns the condition that the open edition doesn't replace the row `l` of `live_resources`. */
export function isPresent(tx: Transaction, l: string) {
  const row = tx.part(l);
  return tx.part`
    not exists (
      select
        from (select live_id, edition from superseded) p
       where p.live_id = ${row}.id
         and p.edition = ${row}.edition
    )
  `;
}

/**
 * Prepares a second comparison: deletes the edition's rows whose earlier row another transaction has replaced or
 * deleted, and those in accounts that are no longer concerned.
 * @param from the accounts of the first comparison
 * @param to those of the second
 */
export async function dropStale(
  tx: Transaction,
  edition: number,
  { from, to }: { from: readonly string[]; to: readonly string[] },
): Promise<void> {
  await tx`drop table if exists still_superseded`;
  await tx`
    create temp table still_superseded on commit drop as
    select p.*
      from (
        select *
          from superseded
         where not is_gone
           and cloud_account_id = any (${[...to]}::uuid[])
      ) p
      join inventory.live_resources l on l.id = p.live_id and l.edition = p.edition
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = any (${[...from]}::uuid[])
  `;
  await tx`truncate superseded`;
  await tx`insert into superseded select * from still_superseded`;
  await tx`
    delete from inventory.live_resources l
     where l.org_id = ${tx.orgId}
       and l.cloud_account_id = any (${[...from]}::uuid[])
       and l.edition = ${edition}
       and not exists (select from (select live_id from superseded) p where p.live_id = l.id)
  `;
}

/** Properties of live resources that an enricher stores at any time. */
export const enrichedColumns = ({ part }: Transaction) => part`
  properties, redactions, enrichment_status, enrichment_failure_reason, read_at, enriched_at
`;

type Part = ReturnType<typeof enrichedColumns>;

/**
 * Deletes `superseded` rows of accounts. Properties that were stored in one since it was compared are stored in the row
 * that replaces it.
 * @param kept the values of `enrichedColumns` from the earlier row l and the tables that `from` joins
 */
export async function removeSuperseded(
  tx: Transaction,
  accountIds: readonly string[],
  { edition, kept }: { edition: number; kept: { values: Part; from: Part } },
): Promise<void> {
  await tx`
    with touched as (
      delete from inventory.live_resources l
       using (select * from superseded) p
       where l.org_id = ${tx.orgId}
         and l.cloud_account_id = any (${[...accountIds]}::uuid[])
         and l.id = p.live_id
         and l.edition = p.edition
      returning l.id, l.ctid <> p.place as is_touched, l.cloud_created_at, l.enrichment_status,
                l.enrichment_failure_reason, l.read_at, l.enriched_at,
                case when l.ctid <> p.place then l.properties end as properties,
                case when l.ctid <> p.place then l.redactions end as redactions
    )
    update inventory.live_resources n
       set (${enrichedColumns(tx)}) = row(
             k.properties, k.redactions, k.enrichment_status, k.enrichment_failure_reason, k.read_at, k.enriched_at
           )
      from (
        select l.id, ${kept.values}
          from touched l
          ${kept.from}
         where l.is_touched
      ) k (id, ${enrichedColumns(tx)})
     where n.org_id = ${tx.orgId}
       and n.cloud_account_id = any (${[...accountIds]}::uuid[])
       and n.id = k.id
       and n.edition = ${edition}
  `;
}
