import type { PlanChange } from "@leeway/drift/reading/plan-lines";
import type { Transaction } from "@leeway/shared/database/database";

const CHANGES_AT_ONCE = 1_000;

/** A source with the time of its latest state or plan. */
export interface PlannedSource {
  id: string;
  /** When the state last changed, or the latest plan was submitted. */
  knownSince: Date | undefined;
  hash: Buffer | undefined;
}

/** Locks a source until the transaction ends; undefined if it was deleted. */
export async function holdPlanned(tx: Transaction, sourceId: string): Promise<PlannedSource | undefined> {
  const [row] = await tx<{ id: string; known_since: Date | null; plan_hash: Buffer | null }>`
    select id, greatest(pushed_at, planned_at) as known_since, plan_hash
      from inventory.iac_sources
     where org_id = ${tx.orgId}
       and id = ${sourceId}
       for update
  `;
  return row && { id: row.id, knownSince: row.known_since ?? undefined, hash: row.plan_hash ?? undefined };
}

export async function notePlan(
  tx: Transaction,
  sourceId: string,
  { plannedAt, hash }: { plannedAt: string; hash: Buffer },
): Promise<void> {
  await tx`
    update inventory.iac_sources
       set planned_at = ${plannedAt}, plan_hash = ${hash}
     where org_id = ${tx.orgId}
       and id = ${sourceId}
  `;
}

/** Replaces the stored changes of the source's plan with `changes`. */
export async function replacePlanned(
  tx: Transaction,
  sourceId: string,
  changes: readonly PlanChange[],
): Promise<void> {
  await tx`delete from inventory.plan_changes where org_id = ${tx.orgId} and source_id = ${sourceId}`;
  for (let start = 0; start < changes.length; start += CHANGES_AT_ONCE) {
    const some = changes.slice(start, start + CHANGES_AT_ONCE);
    await tx`
      insert into inventory.plan_changes (org_id, source_id, place, kind, address, content)
      select ${tx.orgId}, ${sourceId}, ${start}::integer + place, kind, address, content
        from unnest(
               ${some.map(({ kind }) => kind)}::text[],
               ${some.map(({ address }) => address)}::text[],
               ${some.map(({ content }) => content)}::text[]
             ) with ordinality as c (kind, address, content, place)
      ${tx.withoutCopy}
    `;
  }
}

/** Deletes the changes of the source's plan, because its state has changed or is gone. */
export async function forgetPlan(tx: Transaction, sourceId: string): Promise<void> {
  await tx`delete from inventory.plan_changes where org_id = ${tx.orgId} and source_id = ${sourceId}`;
  await tx`update inventory.iac_sources set plan_hash = null where org_id = ${tx.orgId} and id = ${sourceId}`;
}

/** Returns accounts that the source's plan has changes for and that were listed, after `listedAfter` if it is given. */
export async function plannedAccounts(
  tx: Transaction,
  sourceId: string,
  listedAfter = new Date(0),
): Promise<string[]> {
  const rows = await tx<{ id: string }>`
    select a.id
      from inventory.cloud_accounts a
     where a.org_id = ${tx.orgId}
       and a.swept_at > ${listedAfter}
       and exists (
         select
           from inventory.plan_changes p
           join inventory.iac_sources s on s.org_id = p.org_id and s.id = p.source_id
           left join inventory.declared_resources d
             on d.org_id = p.org_id and d.source_id = p.source_id and d.address = p.address
          where p.org_id = ${tx.orgId}
            and p.source_id = ${sourceId}
            and coalesce(d.cloud_account_id, s.cloud_account_id) = a.id
       )
  `;
  return rows.map(({ id }) => id);
}
